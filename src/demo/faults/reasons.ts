import * as v from 'valibot';
import { defineHabit, type Passage } from './defineFault.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import { SUBMISSIONS, TARGETS, type Target } from '../http/requestLog.ts';
import { changed, type JsonObject } from './pictures.ts';

const IMAGE_SUBMISSIONS: readonly Target[] = ['generations', 'edits'];
const EMPTY_ACCOUNT = 'insufficient balance';
const POLICY = 'The prompt was blocked by the safety system.';

/** Defines a habit of refusing a submission with status 200, before anything is made or billed. */
function refusal<const Name extends string>(
  name: Name,
  usual: { code: string | number; message: string },
  body: (reason: { code: string | number; message: string }) => JsonObject,
) {
  return defineHabit(name, {
    on: IMAGE_SUBMISSIONS,
    parameters: {
      code: v.optional(v.union([v.string(), v.number()]), usual.code),
      message: v.optional(v.string(), usual.message),
    },
    apply: (reason) => jsonReply(200, body(reason)),
  });
}

/** `{error_code, detail}` (onyx-dot-app/onyx#13282). */
export const errorCode = refusal(
  'errorCode',
  { code: 'BAD_GATEWAY', message: 'The image provider did not answer.' },
  ({ code, message }) => ({ error_code: code, detail: message }),
);

/** `{code, message, data: null}` (kling: QuantumNous/new-api#2532). */
export const codeMessage = refusal(
  'codeMessage',
  { code: 40_003, message: EMPTY_ACCOUNT },
  ({ code, message }) => ({ code, message, data: null }),
);

/** `base_resp` (MiniMax: MiniMax-AI/cli#261). */
export const baseResp = refusal('baseResp', { code: 1008, message: EMPTY_ACCOUNT }, ({ code, message }) => ({
  data: null,
  base_resp: { status_code: code, status_msg: message },
}));

/** `success: false` (pollinations/pollinations#12067). */
export const successFalse = refusal(
  'successFalse',
  { code: 'content_moderation', message: POLICY },
  ({ code, message }) => ({ success: false, code, message }),
);

/** Defines a habit of reporting the reason for a failed task in another way. */
function failure<const Name extends string>(
  name: Name,
  usual: string,
  fields: (message: string) => JsonObject,
) {
  return defineHabit(name, {
    on: ['query'],
    parameters: { message: v.optional(v.string(), usual) },
    applies: (_, { task }) => task === 'failed',
    apply: async ({ message }, work) =>
      changed(await work(), (task) => ({ ...task, error: undefined, ...fields(message) })),
  });
}

/** `fail_reason` (QuantumNous/new-api#7194). */
export const failReason = failure('failReason', 'The upstream model is not available.', (message) => ({
  fail_reason: message,
}));

/** `code` and `message` beside the status `FAILED` (modelstudioai/cli#184). */
export const failedMessage = failure(
  'failedMessage',
  'The input image could not be downloaded.',
  (message) => ({
    status: 'FAILED',
    code: 'InvalidParameter.DataInspection',
    message,
  }),
);

/** `error` as a text (runpod/docs#149). */
export const errorText = failure('errorText', 'CUDA out of memory', (message) => ({ error: message }));

/** `failure_reason` (QuantumNous/new-api#7194). */
export const failureReason = failure('failureReason', 'The worker was lost.', (message) => ({
  failure_reason: message,
}));

/** States the reason only in `error.details[].reason`, with status 400 (ffroliva/gflow-cli#342). */
export const googleDetails = defineHabit('googleDetails', {
  on: ['native'],
  parameters: { reason: v.optional(v.string(), 'PUBLIC_ERROR_UNSAFE_GENERATION') },
  apply: ({ reason }) =>
    jsonReply(400, {
      error: {
        code: 400,
        message: 'Request contains an invalid argument.',
        status: 'INVALID_ARGUMENT',
        details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'demo.invalid' }],
      },
    }),
});

/** Defines a habit of answering a native call without an image, before anything is made or billed. */
function unfinished<const Name extends string>(
  name: Name,
  usual: string,
  answer: (message: string) => JsonObject,
) {
  return defineHabit(name, {
    on: ['native'],
    parameters: { message: v.optional(v.string(), usual) },
    apply: ({ message }, _, passage) => nativeReply(passage, answer(message)),
  });
}

/** Makes no image despite the request, with the finish reason NO_IMAGE (minimaxir/gemimg#5). */
export const noImage = unfinished('noImage', 'The model answered with text.', (finishMessage) => ({
  candidates: [{ content: {}, finishReason: 'NO_IMAGE', finishMessage, index: 0 }],
}));

/** Makes no image, for a reason stated only in `finishMessage` (OpenSenseNova/SenseNova-Skills#139). */
export const imageOther = unfinished(
  'imageOther',
  'Unable to show the generated image. Try rephrasing the prompt.',
  (finishMessage) => ({
    candidates: [{ content: {}, finishReason: 'IMAGE_OTHER', finishMessage, index: 0 }],
  }),
);

/** Runs out of tokens before the image (minimaxir/gemimg#5). */
export const maxTokens = unfinished('maxTokens', 'Let me think about', (text) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'MAX_TOKENS', index: 0 }],
}));

/** Blocks the prompt, with a message (BerriAI/litellm#28989). */
export const blockedPrompt = unfinished('blockedPrompt', POLICY, (blockReasonMessage) => ({
  promptFeedback: { blockReason: 'PROHIBITED_CONTENT', blockReasonMessage },
}));

/** Sends blanks before the JSON to keep the connection alive (onyx-dot-app/onyx#13282). */
export const keepAlive = defineHabit('keepAlive', {
  on: TARGETS.filter((target) => target !== 'image'),
  parameters: {},
  apply: async (_, work) => {
    const reply = await work();
    return reply.headers['content-type'] === 'application/json'
      ? { ...reply, body: afterBlanks(reply.body) }
      : reply;
  },
});

/** Sends blanks under status 200, and then an error (router-for-me/CLIProxyAPI#2973). */
export const keepAliveError = defineHabit('keepAliveError', {
  on: SUBMISSIONS,
  parameters: { message: v.optional(v.string(), 'The upstream provider is overloaded.') },
  apply: ({ message }) => {
    const error = { message, type: 'server_error', code: 'upstream_error' };
    const reply = jsonReply(200, { error });
    return { ...reply, body: afterBlanks(reply.body) };
  },
});

async function* afterBlanks(body: Reply['body']): AsyncGenerator<Uint8Array> {
  for (let blanks = 0; blanks < 3; blanks++) {
    yield Buffer.from(' \n');
  }
  yield* body;
}

function nativeReply({ url }: Passage, answer: JsonObject): Reply {
  return url.searchParams.get('alt') === 'sse'
    ? {
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: [Buffer.from(`data: ${JSON.stringify(answer)}\r\n\r\n`)],
      }
    : jsonReply(200, answer);
}
