import * as v from 'valibot';
import { defineHabit, type Passage } from './defineFault.ts';
import type { Reply } from '../http/reply.ts';
import { answerOf, changed, type JsonObject, Picture, picturesIn, changedParts, DRAFT } from './pictures.ts';

const number = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100));

/** Makes and bills fewer images than requested; a native call returns only text (openai/codex#37717). */
export const fewerImages = defineHabit('fewerImages', {
  on: ['generations', 'edits', 'native'],
  parameters: { images: v.optional(number, 1) },
  apply: ({ images }, work) => work({ images: (asked) => Math.min(images, asked - 1) }),
});

/** Puts errors into `data` in place of requested images (Seedream: Comfy-Org/ComfyUI#9952). */
export const someErrors = defineHabit('someErrors', {
  on: ['generations', 'edits', 'query'],
  parameters: {
    errors: v.optional(number, 1),
    code: v.optional(v.string(), 'OutputImageSensitiveContentDetected'),
    message: v.optional(v.string(), 'The output image may contain sensitive information.'),
  },
  applies: (_, { target, task }) => target !== 'query' || task === 'completed',
  apply: async ({ errors, code, message }, work) => {
    const reply = await work({ images: (asked) => Math.max(0, asked - errors) });
    const missing = Array.from({ length: errors }, () => ({ error: { code, message } }));
    // An accepted task has no data yet; its query adds the errors.
    return reply.status === 202
      ? reply
      : changed(reply, (answer) => ({ ...answer, data: [...dataOf(answer), ...missing] }));
  },
});

/** Lists the first image twice (GEMISIS/leviath#823). */
export const sameTwice = defineHabit('sameTwice', {
  on: ['generations', 'edits', 'native', 'query'],
  parameters: {},
  apply: async (_, work, passage) => {
    const reply = await work();
    if (passage.target === 'native') {
      return changedParts(reply, passage, (part, picture) => (picture === undefined ? part : [part, part]));
    }
    return changed(reply, (answer) =>
      'data' in answer
        ? { ...answer, data: dataOf(answer).flatMap((one, index) => (index === 0 ? [one, one] : one)) }
        : answer,
    );
  },
});

/** Shows its thoughts and a draft before the final image (Lixpi/lixpi#135). */
export const thoughtFirst = defineHabit('thoughtFirst', {
  on: ['native'],
  parameters: {},
  apply: async (_, work, passage) =>
    changedParts(await work(), passage, (part, picture) =>
      picture === undefined
        ? part
        : [
            { thought: true, text: 'Planning the composition.' },
            { thought: true, inlineData: { mimeType: 'image/png', data: DRAFT.toString('base64') } },
            part,
          ],
    ),
});

/** Marks the only image as a thought (Lixpi/lixpi#135). */
export const thoughtOnly = defineHabit('thoughtOnly', {
  on: ['native'],
  parameters: {},
  apply: async (_, work, passage) =>
    changedParts(await work(), passage, (part, picture) =>
      picture === undefined ? part : { thought: true, ...part },
    ),
});

/** Sends unrequested events: a draft, then each final image (api7/aisix#1101). */
export const partialEvents = defineHabit('partialEvents', {
  on: ['generations', 'edits'],
  parameters: {},
  apply: async (_, work, passage) => {
    const pictures = picturesIn(await answerOf(await work({ atOnce: true })), passage);
    const draft = new Picture(DRAFT, passage);
    return events(passage, [
      ['partial_image', imageEvent(draft)],
      ...pictures.map((picture) => ['completed', imageEvent(picture)] as const),
    ]);
  },
});

/** Ends the events after the draft, which is then the only image (exo-explore/exo#1328). */
export const partialOnly = defineHabit('partialOnly', {
  on: ['generations', 'edits'],
  parameters: {},
  apply: async (_, work, passage) => {
    const pictures = picturesIn(await answerOf(await work({ atOnce: true })), passage);
    return events(
      passage,
      pictures.map((picture) => ['partial_image', imageEvent(picture)] as const),
    );
  },
});

/** Sends a draft and then an error, as unrequested events (openclaw/openclaw#116999). */
export const errorEvent = defineHabit('errorEvent', {
  on: ['generations', 'edits'],
  parameters: {
    code: v.optional(v.string(), 'server_error'),
    message: v.optional(v.string(), 'The upstream provider is overloaded.'),
  },
  apply: (error, _, passage) =>
    events(passage, [
      ['partial_image', imageEvent(new Picture(DRAFT, passage))],
      ['error', { error }],
    ]),
});

function imageEvent(picture: Picture): JsonObject {
  return { b64_json: picture.base64, output_format: picture.format };
}

function events(
  { target }: Passage,
  list: readonly (readonly [name: 'partial_image' | 'completed' | 'error', fields: JsonObject])[],
): Reply {
  const call = target === 'edits' ? 'image_edit' : 'image_generation';
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: list.map(([name, fields]) => {
      const type = name === 'error' ? name : `${call}.${name}`;
      return Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
    }),
  };
}

function dataOf(answer: JsonObject): unknown[] {
  return v.parse(v.array(v.unknown()), answer['data']);
}
