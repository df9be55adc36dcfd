import { fieldsOf } from './fieldsOf.ts';
import * as v from 'valibot';
import { DivertedBlob, type BlobDamage } from './base64Decoder.ts';
import { namedIn } from './namedPictures.ts';
import { maxImages } from './responseLimits.ts';
import { redactedKey } from '../errors/keyRedactor.ts';
import { type AnsweredImage, tokenCounts, type Usage } from '../messages.ts';
import { maxKeptLength, shortened, singleLine } from '../errors/singleLine.ts';

/**
 * Schemas of what the service sends, tolerant: unknown fields are ignored, and an optional field of a wrong type
 * counts as absent (docs/service.md, "Answers").
 */

function ifValid<T extends v.GenericSchema>(
  schema: T,
): v.SchemaWithFallback<v.OptionalSchema<T, undefined>, undefined> {
  return v.fallback(v.optional(schema), undefined);
}

const shortText = v.transform((value: string) => shortened(value, maxKeptLength));
const text = ifValid(v.pipe(v.string(), shortText));
/** An address of an image; one that is cut would lead nowhere. */
const maxAddressLength = 16_000;
const address = v.pipe(v.string(), v.maxLength(maxAddressLength));
/** A word of the service's own that is shown as it is. */
const oneLine = v.transform((value: string) => singleLine(value, 100));
const word = ifValid(v.pipe(v.string(), oneLine, v.nonEmpty()));
/** Finite: JSON can write `1e999`, which no row can keep. */
const number = ifValid(v.pipe(v.number(), v.finite()));
const blob = ifValid(v.instance(DivertedBlob));

const imageItem = v.object({
  b64_json: blob,
  url: ifValid(v.union([v.instance(DivertedBlob), address])),
  revised_prompt: text,
});

/**
 * An id, which some services give as a number. One that means another path can't be queried, and one that contained the
 * key is neither kept nor sent.
 */
const id = ifValid(
  v.pipe(
    v.union([v.pipe(v.string(), v.nonEmpty(), v.maxLength(512)), v.number()]),
    v.transform(String),
    v.excludes(redactedKey),
    v.notValues(['.', '..']),
  ),
);

const progress = ifValid(
  v.pipe(
    v.union([v.string(), v.number()]),
    v.transform((value) => Number.parseFloat(String(value))),
    v.finite(),
    v.transform((value) => Math.min(100, Math.max(0, value))),
  ),
);

/** Body of every answer of the image endpoints: an image task, images, or an error. */
export const imageBody = v.object({
  id,
  /** The word of a task for itself. */
  object: ifValid(v.literal('image.generation.task')),
  status: word,
  progress,
  data: v.fallback(v.array(v.unknown()), []),
});

export type ImageBody = v.InferOutput<typeof imageBody>;

/** What other services call the id and the status of a task. */
const foreignFields = v.object({ task_id: id, taskId: id, task_status: word, state: word });

/** A body of the image endpoints, whatever its parts are called and wherever they stand. */
export interface AnyImageBody extends ImageBody {
  /** An id that isn't at the document's place. */
  foreignId: string | undefined;
  /** The object that holds the status. */
  holder: unknown;
}

/** Where the fields of a task may be, beside the body itself. */
const envelopes = new Set(['data', 'output', 'result', 'task', 'response']);

/** Reads a body of the image endpoints; undefined if it isn't an object. */
export function readImageBody(value: unknown): AnyImageBody | undefined {
  const body = readFields(value);
  if (body === undefined) {
    return undefined;
  }
  const inner = Object.entries(fieldsOf(value))
    .filter(([name]) => envelopes.has(name))
    .flatMap(([, envelope]) => readFields(Array.isArray(envelope) ? envelope[0] : envelope) ?? []);
  const wrapped = inner.find(({ status }) => status !== undefined);
  const isWrapped = wrapped !== undefined && (body.status === undefined || body.data.length === 0);
  const foreignId =
    [body, ...inner].map((fields) => fields.foreignId).find((each) => each !== undefined) ?? wrapped?.id;
  const source = isWrapped ? wrapped : body;
  const data = source.data.length > 0 ? source.data : body.data;
  return { ...source, object: body.object, id: body.id, data, foreignId };
}

function readFields(value: unknown): AnyImageBody | undefined {
  const parsed = v.safeParse(imageBody, value);
  if (!parsed.success) {
    return undefined;
  }
  const { task_id, taskId, task_status, state } = v.parse(foreignFields, value);
  const status = parsed.output.status ?? task_status ?? state;
  return { ...parsed.output, status, foreignId: task_id ?? taskId, holder: value };
}

const inlineData = ifValid(v.object({ mimeType: text, mime_type: text, data: blob }));

const fileData = ifValid(
  v.object({ mimeType: text, mime_type: text, fileUri: ifValid(address), file_uri: ifValid(address) }),
);

const part = v.looseObject({
  text,
  /** It belongs to the model's thinking, before the answer. */
  thought: ifValid(v.boolean()),
  inlineData,
  inline_data: inlineData,
  fileData,
  file_data: fileData,
});

/** Body of a native answer, or of one event of a native stream. */
export const nativeBody = v.object({
  candidates: v.fallback(
    v.array(
      v.fallback(
        v.object({
          content: ifValid(v.object({ parts: v.fallback(v.array(v.fallback(part, {})), []) })),
          finishReason: text,
          finishMessage: text,
        }),
        {},
      ),
    ),
    [],
  ),
  promptFeedback: ifValid(v.object({ blockReason: text, blockReasonMessage: text })),
  usageMetadata: v.fallback(v.optional(v.object(v.entriesFromList(tokenCounts, number))), undefined),
  error: v.optional(v.unknown()),
});

export type NativeBody = v.InferOutput<typeof nativeBody>;
export type NativePart = v.InferOutput<typeof part>;

/** An image that can't be had: bytes that were discarded, or an unusable address. */
export interface DamagedImage {
  damage: BlobDamage | 'address' | undefined;
  address?: string;
}

/** Most addresses of one part of a response that has none at the document's place. */
const maxUnknown = 16;
/** Most characters of all addresses of one response: they are kept in the task's row. */
const maxAddressesLength = 256 * 1024;

/** The images of a response, and what is known of those that are missing. */
export interface ReadImages {
  images: AnsweredImage[];
  damaged: DamagedImage[];
  /** Elements that hold an image in a form that isn't known. */
  hidden: number;
}

/**
 * Returns the images of a `data` array, up to as many as any request brings. Where an element has its image under
 * another name, that counts, too; one without any is left out.
 *
 * @param origin of the service, for addresses that are parts of one
 */
export function imagesOf(data: readonly unknown[], origin: string): ReadImages {
  const read: ReadImages = { images: [], damaged: [], hidden: 0 };
  let room = maxAddressesLength;
  for (const item of data.slice(0, maxImages)) {
    const parsed = v.safeParse(imageItem, item);
    if (!parsed.success) {
      takeUnknown({ image: item }, origin, read);
      continue;
    }
    const { b64_json: base64, url, revised_prompt: revisedPrompt } = parsed.output;
    const inline = base64 ?? (url instanceof DivertedBlob ? url : undefined);
    const given = typeof url === 'string' && url !== '' ? url : undefined;
    const address = given === undefined ? undefined : addressOf(given, origin);
    const extra = revisedPrompt === undefined || revisedPrompt === '' ? {} : { revisedPrompt };
    if (inline !== undefined && inline.damage === undefined) {
      read.images.push({ ...inlineImage(inline), ...extra });
    } else if (address !== undefined) {
      room -= address.length;
      if (room < 0) {
        break;
      }
      read.images.push({ kind: 'url', url: address, ...extra });
    } else if (inline !== undefined) {
      read.damaged.push(inline);
    } else if (given !== undefined) {
      read.damaged.push({ damage: 'address', address: given });
    } else {
      takeUnknown(item, origin, read);
    }
  }
  return read;
}

/**
 * Takes what can only be an image from a part of a response that has none at the document's place. One that has an id, or
 * a status, is a task.
 */
export function takeUnknown(value: unknown, origin: string, read: ReadImages): void {
  const { id: ownId, foreignId, status } = readFields(value) ?? {};
  if ((ownId ?? foreignId ?? status) !== undefined) {
    return;
  }
  const { likely, inline } = namedIn(value);
  read.hidden += inline;
  for (const candidate of likely.slice(0, maxUnknown)) {
    read.images.push(...('url' in candidate ? addressedImage(candidate.url, origin) : []));
  }
}

/** Returns the image at an address, if it can be fetched and kept. */
export function addressedImage(address: string, origin: string): AnsweredImage[] {
  const url = address.length > maxAddressLength ? undefined : addressOf(address, origin);
  return url === undefined ? [] : [{ kind: 'url', url }];
}

/** Returns images with damaged base64, each as the text that it came as. */
export function textsOf(damaged: readonly DamagedImage[]): AnsweredImage[] {
  return damaged.flatMap((image) =>
    image instanceof DivertedBlob && image.damage === 'invalid' ? [inlineImage(image)] : [],
  );
}

/**
 * Returns an address as it came, or resolved at the service; undefined where nothing can be fetched. One that contained
 * the key is left for the download to refuse.
 */
export function addressOf(url: string, origin: string): string | undefined {
  if (url.includes(redactedKey)) {
    return url;
  }
  const address = URL.parse(url, origin);
  if (address === null || !['https:', 'http:'].includes(address.protocol)) {
    return undefined;
  }
  return URL.canParse(url) ? url : address.href;
}

export function inlineImage({ sink }: DivertedBlob): AnsweredImage {
  return { kind: 'inline', sink };
}

/** Returns token counts as far as they are given. */
export function usageOf(counts: NativeBody['usageMetadata']): Usage | undefined {
  const given = Object.entries(counts ?? {}).filter(([, count]) => count !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
