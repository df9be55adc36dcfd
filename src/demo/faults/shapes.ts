import { zstdCompressSync } from 'node:zlib';
import * as v from 'valibot';
import { defineHabit, type Passage } from './defineFault.ts';
import { gather, type Reply } from '../http/reply.ts';
import { TARGETS } from '../http/requestLog.ts';
import { changedParts, answerOf, changed, type JsonObject, type Picture, picturesIn } from './pictures.ts';

/**
 * Defines a habit of answering with images in other places than `data`: in the answer to a submission, which comes at
 * once even for an asynchronous request, and in a completed task.
 *
 * @param body returns the answer from the images and the fields of the regular answer, without `data`
 */
function shape<const Name extends string>(
  name: Name,
  body: (pictures: readonly Picture[], rest: JsonObject) => object,
) {
  return defineHabit(name, {
    on: ['generations', 'edits', 'query'],
    parameters: {},
    applies: (_, { target, task }) => target !== 'query' || task === 'completed',
    apply: async (_, work, passage) =>
      changed(await work({ atOnce: true }), ({ data, ...rest }) => body(picturesIn({ data }, passage), rest)),
  });
}

const urls = (pictures: readonly Picture[]): string[] => pictures.map(({ url }) => url);
const dataUrls = (pictures: readonly Picture[]): string[] => pictures.map(({ dataUrl }) => dataUrl);

/** Lists addresses in `data.image_urls` (MiniMax: browser-use/browser-use#5201). */
export const dataImageUrls = shape('dataImageUrls', (pictures, rest) => ({
  ...rest,
  data: { image_urls: urls(pictures) },
  metadata: { success_count: String(pictures.length), failed_count: '0' },
  base_resp: { status_code: 0, status_msg: 'success' },
}));

/** Lists `{url}` in `images` (SiliconFlow: QuantumNous/new-api#2036). */
export const imagesUrl = shape('imagesUrl', (pictures, rest) => ({
  ...rest,
  images: urls(pictures).map((url) => ({ url })),
  timings: { inference: 1.2 },
  seed: 7,
}));

/** Lists data URLs in `images` (runpod/docs#149). */
export const imagesDataUrls = shape('imagesDataUrls', (pictures, rest) => ({
  ...rest,
  images: dataUrls(pictures),
}));

/** Lists data URLs in `output.images` of a job that is complete at once (RunPod: runpod/docs#149). */
export const outputImages = shape('outputImages', (pictures, rest) => ({
  id: 'sync-2f1c',
  ...rest,
  status: 'COMPLETED',
  delayTime: 12,
  executionTime: 340,
  output: { images: dataUrls(pictures) },
}));

/** Lists addresses in `output` (Replicate: QuantumNous/new-api#2036). */
export const outputUrls = shape('outputUrls', (pictures, rest) => ({
  id: 'rrr4z55ocneqzikepnug6xezpe',
  ...rest,
  status: 'succeeded',
  error: null,
  output: urls(pictures),
}));

/** Lists images in `result.data` of a `generation.task` (basketikun/infinite-canvas#232). */
export const resultData = shape('resultData', (pictures, rest) => ({
  id: 'gen-task-1',
  ...rest,
  object: 'generation.task',
  status: 'completed',
  result: { data: urls(pictures).map((url) => ({ url })) },
}));

/** Uses a data URL as an address (menglimi/astrbot_plugin_private_companion#60). */
export const urlDataUrl = shape('urlDataUrl', (pictures, rest) => ({
  ...rest,
  data: dataUrls(pictures).map((url) => ({ url })),
}));

/** Calls the base64 of an image `image_base64` (QuantumNous/new-api#2036). */
export const imageBase64 = shape('imageBase64', (pictures, rest) => ({
  ...rest,
  data: pictures.map(({ base64 }) => ({ image_base64: base64 })),
}));

/** Wraps the task of every query: `{code, data: {status, data}}` (Wangnov/gpt-image-2-skill#40). */
export const wrappedTask = defineHabit('wrappedTask', {
  on: ['query'],
  parameters: {},
  applies: (_, { task }) => task !== undefined,
  apply: async (_, work) => changed(await work(), (data) => ({ code: 200, message: 'success', data })),
});

const outputStatuses: Readonly<Record<string, string>> = {
  queued: 'PENDING',
  in_progress: 'RUNNING',
  completed: 'SUCCEEDED',
  failed: 'FAILED',
};

/** Puts the task of every query into `output`, with `task_status` and `results` (modelstudioai/cli#184). */
export const outputTask = defineHabit('outputTask', {
  on: ['query'],
  parameters: {},
  applies: (_, { task }) => task !== undefined,
  apply: async (_, work, passage) =>
    changed(await work(), ({ id, status, data, error }) => ({
      request_id: '5f7a1c2e',
      output: {
        task_id: id,
        task_status: outputStatuses[String(status)],
        ...(data !== undefined && { results: urls(picturesIn({ data }, passage)).map((url) => ({ url })) }),
        ...v.parse(v.optional(v.object({ code: v.string(), message: v.string() })), error),
      },
    })),
});

/** Answers with the image itself, without any JSON (Marinara-Engine: Pasta-Devs/Marinara-Engine#1026). */
export const rawImage = defineHabit('rawImage', {
  on: ['generations', 'edits', 'query'],
  parameters: {},
  applies: (_, { target, task }) => target !== 'query' || task === 'completed',
  apply: async (_, work, passage) => {
    const reply = await work({ atOnce: true, images: () => 1 });
    const [picture] = picturesIn(await answerOf(reply), passage);
    return picture === undefined
      ? reply
      : { status: 200, headers: { 'content-type': picture.mediaType }, body: [picture.bytes] };
  },
});

/** Names the file of an image instead of its bytes (Comfy-Org/docs#1723). */
export const fileUri = defineHabit('fileUri', {
  on: ['native'],
  parameters: { snakeCase: v.optional(v.boolean(), false) },
  apply: async ({ snakeCase }, work, passage) =>
    changedParts(await work(), passage, (part, picture) =>
      picture === undefined ? part : fileOf(picture, picture.url, snakeCase),
    ),
});

/** Makes a second image, and names its file beside the bytes of the first one (Comfy-Org/docs#1723). */
export const fileUriBeside = defineHabit('fileUriBeside', {
  on: ['native'],
  parameters: { snakeCase: v.optional(v.boolean(), false) },
  apply: async ({ snakeCase }, work, passage) =>
    secondChanged(await work({ images: () => 2 }), passage, (picture) =>
      fileOf(picture, picture.url, snakeCase),
    ),
});

/** Makes a second image, and names a file for it that others can't fetch (Comfy-Org/docs#1723). */
export const fileUriElsewhere = defineHabit('fileUriElsewhere', {
  on: ['native'],
  parameters: {},
  apply: async (_, work, passage) =>
    secondChanged(await work({ images: () => 2 }), passage, (picture) =>
      fileOf(picture, 'gs://demo-bucket/second', false),
    ),
});

/** Writes the image into its text, as Markdown with a data URL (CrossGen: Bliveren/CrossGen#110). */
export const markdownText = defineHabit('markdownText', {
  on: ['native'],
  parameters: {},
  apply: async (_, work, passage) =>
    changedParts(await work(), passage, (part, picture) =>
      picture === undefined ? part : { text: `Here it is:\n\n![image](${picture.dataUrl})` },
    ),
});

/** Compresses with zstd, whether the caller accepts it or not (QuantumNous/new-api#4913). */
export const zstd = defineHabit('zstd', {
  on: TARGETS,
  parameters: {},
  apply: async (_, work) => {
    const { status, headers, body } = await gather(await work());
    return {
      status,
      headers: { ...headers, 'content-encoding': 'zstd' },
      body: [zstdCompressSync(Buffer.concat(body))],
    };
  },
});

function secondChanged(
  reply: Reply,
  passage: Passage,
  change: (picture: Picture) => JsonObject,
): Promise<Reply> {
  let pictures = 0;
  return changedParts(reply, passage, (part, picture) => {
    pictures += picture === undefined ? 0 : 1;
    return picture !== undefined && pictures === 2 ? change(picture) : part;
  });
}

function fileOf({ mediaType }: Picture, address: string, snakeCase: boolean): JsonObject {
  return snakeCase
    ? { file_data: { mime_type: mediaType, file_uri: address } }
    : { fileData: { mimeType: mediaType, fileUri: address } };
}
