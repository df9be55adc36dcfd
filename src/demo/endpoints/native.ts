import { ApiError, errorBody, invalidRequest } from '../http/apiError.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import { readJson } from '../http/requestBody.ts';
import type { AuthorizedCall } from './endpointContext.ts';
import { refuseAgainstPolicy, requireModel, runNow, type Submission } from './imageRequest.ts';
import { parseNative, type NativeRequest } from './validation.ts';

/** POST /v1beta/models/{model}:generateContent (docs/service.md, "Native call"). */
export async function generateContent(call: AuthorizedCall): Promise<Reply> {
  const { submission, native } = await readCall(call);
  const images = await paintFor(call, submission, native);
  return jsonReply(
    200,
    answer(submission, [textPart(native), ...images], usage(native.prompt, images.length > 0)),
  );
}

/** POST /v1beta/models/{model}:streamGenerateContent?alt=sse (docs/service.md, "Native streaming"). */
export async function streamGenerateContent(call: AuthorizedCall): Promise<Reply> {
  if (call.url.searchParams.get('alt') !== 'sse') {
    throw invalidRequest('streamGenerateContent is offered with alt=sse only.');
  }
  const { submission, native } = await readCall(call);
  // The call must be refused before the stream begins.
  refuseAgainstPolicy(native.prompt);
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
    body: events(call, submission, native),
  };
}

/** Yields the text, then the image. A failure is an event, too, since the status was sent before. */
async function* events(
  call: AuthorizedCall,
  submission: Submission,
  native: NativeRequest,
): AsyncGenerator<Uint8Array> {
  yield event(answer(submission, [textPart(native)]));
  try {
    const images = await paintFor(call, submission, native);
    yield event(answer(submission, images, usage(native.prompt, images.length > 0)));
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    yield event(errorBody(error, call.url.pathname));
  }
}

function event(value: object): Uint8Array {
  return Buffer.from(`data: ${JSON.stringify(value)}\r\n\r\n`);
}

async function readCall({ context, request, account, parameter, images }: AuthorizedCall): Promise<{
  submission: Submission;
  native: NativeRequest;
}> {
  const model = requireModel(context, parameter);
  if (model.family !== 'native') {
    throw invalidRequest(`Model ${model.id} is not offered for native content generation.`);
  }
  const native = parseNative(await readJson(request));
  const subject = { kind: 'generation', size: model.size } as const;
  return {
    native,
    submission: {
      account,
      model,
      images,
      order: { prompt: native.prompt, n: 1, format: model.format, subject },
    },
  };
}

async function paintFor(
  { context }: AuthorizedCall,
  submission: Submission,
  { wantsImage }: NativeRequest,
): Promise<{ inlineData: { mimeType: string; data: string } }[]> {
  const images = wantsImage ? await runNow(context, submission) : [];
  return images.map(({ format, bytes }) => ({
    inlineData: { mimeType: `image/${format}`, data: bytes.toString('base64') },
  }));
}

function textPart({ prompt, wantsImage }: NativeRequest): { text: string } {
  const plain = prompt.replaceAll(/\s+/gu, ' ').trim();
  return {
    text: wantsImage
      ? `Here is a demo picture of: ${plain}`
      : 'Ask for the modalities TEXT and IMAGE together to get a picture.',
  };
}

function answer(submission: Submission, parts: readonly object[], usageMetadata?: object): object {
  return {
    candidates: [
      {
        content: { role: 'model', parts },
        ...(usageMetadata !== undefined && { finishReason: 'STOP' }),
        index: 0,
      },
    ],
    ...(usageMetadata !== undefined && { usageMetadata }),
    modelVersion: submission.model.id,
  };
}

/** Counts four letters as a token, and an image as models of this kind do. */
function usage(prompt: string, image: boolean): object {
  const promptTokenCount = Math.max(1, Math.ceil(prompt.length / 4));
  const candidatesTokenCount = 12 + (image ? 1290 : 0);
  return {
    promptTokenCount,
    candidatesTokenCount,
    totalTokenCount: promptTokenCount + candidatesTokenCount,
  };
}
