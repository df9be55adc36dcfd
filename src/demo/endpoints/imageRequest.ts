import { hash, randomUUID } from 'node:crypto';
import type { Account } from '../http/accounts.ts';
import { ApiError, invalidRequest } from '../http/apiError.ts';
import type { Reply } from '../http/reply.ts';
import type { EncodedImage } from '../http/imageHost.ts';
import type { ImageOrder } from '../painter/imageRenderer.ts';
import type { Model, Size } from '../http/modelCatalog.ts';
import type { AuthorizedCall, EndpointContext } from './endpointContext.ts';
import type { Task } from '../http/taskQueue.ts';
import { parseSize } from './validation.ts';
import { messageOf } from '../../common/limnerError.ts';

export interface Submission {
  account: Account;
  model: Model;
  order: ImageOrder;
  images: AuthorizedCall['images'];
}

export const FAILURE_CODE = 'image_generation_failed';

/** @throws ApiError 404 `model_not_found` */
export function requireModel(context: EndpointContext, id: string): Model {
  const model = context.models.find((candidate) => candidate.id === id);
  if (model === undefined) {
    throw new ApiError(404, 'model_not_found', `There is no model ${JSON.stringify(id)}.`);
  }
  return model;
}

/** Reads the size of the result, which has no effect for the second family. */
export function readSize(model: Model, size: string | undefined): Size | undefined {
  return size === undefined || model.family === 'native' ? undefined : parseSize(size);
}

/**
 * Refuses streaming, since the expected events would never come. The platform's own queue turns streaming off; a
 * channel that supports async itself does not.
 *
 * @throws ApiError 400 `unsupported_stream`
 */
export function refuseStream(
  { asyncChannel }: Model,
  { stream, async }: { stream: boolean; async: boolean },
): void {
  if (stream && (!async || asyncChannel === 'native')) {
    throw invalidRequest(
      async
        ? 'stream must not be enabled on this asynchronous channel.'
        : 'stream is not offered for images: leave it out, or send false.',
      'unsupported_stream',
    );
  }
}

/**
 * Queues a submission with `Prefer: respond-async` and reserves its cost.
 *
 * @throws ApiError 400 if the model's channel doesn't support it, 503 when the queue is full
 */
export function submitTask(
  context: EndpointContext,
  { account, model, order, images }: Submission,
  responseFormat: string | undefined,
): Task {
  refuseAgainstPolicy(order.prompt);
  if (model.asyncChannel === 'none') {
    throw invalidRequest(
      `No available channel of model ${model.id} has async image generation enabled.`,
      'no_async_channel',
    );
  }
  if (model.asyncChannel === 'native' && responseFormat === 'b64_json') {
    throw invalidRequest(
      'response_format b64_json is not supported by this asynchronous channel.',
      'unsupported_response_format',
    );
  }
  const { queue, ledger, resultHost, options } = context;
  if (queue.isFull) {
    throw new ApiError(503, 'queue_full', 'The queue of asynchronous image tasks is full. Try again later.', {
      headers: { 'retry-after': String(Math.max(1, Math.ceil(options.taskDuration / 1000))) },
    });
  }
  const task = queue.submit(
    { account: account.id, duration: options.taskDuration, family: model.family },
    async () => {
      const made = await makeImages(context, order, images);
      return made.map((image) => {
        const url = resultHost + context.images.store(image);
        const sha256 = hash('sha256', image.bytes);
        return model.family === 'image'
          ? { url, sha256, revisedPrompt: revisePrompt(order.prompt) }
          : { url, sha256 };
      });
    },
    ({ id, state }) => {
      if (state.status === 'completed') {
        ledger.settle(
          id,
          state.results.map(({ sha256 }) => sha256),
        );
      } else {
        ledger.refund(id);
      }
    },
  );
  ledger.reserve({ id: task.id, account, model, ...chargeOf(order) });
  return task;
}

/** @throws ApiError 400 for input files that cannot be edited, 500 `image_generation_failed` */
export async function runNow(
  context: EndpointContext,
  { account, model, order, images }: Submission,
): Promise<EncodedImage[]> {
  refuseAgainstPolicy(order.prompt);
  const { ledger, clock, options } = context;
  const id = `call_${randomUUID()}`;
  ledger.reserve({ id, account, model, ...chargeOf(order) });
  try {
    const [made] = await Promise.all([makeImages(context, order, images), clock.wait(options.syncDuration)]);
    ledger.settle(
      id,
      made.map(({ bytes }) => hash('sha256', bytes)),
    );
    return made;
  } catch (error) {
    if (error instanceof ApiError) {
      // A refused request counts as never submitted.
      ledger.withdraw(id);
      throw error;
    }
    ledger.refund(id);
    throw new ApiError(500, FAILURE_CODE, messageOf(error), { type: FAILURE_CODE, cause: error });
  }
}

function chargeOf({ prompt, n, subject }: ImageOrder): {
  prompt: string;
  images: number;
  size: Size | undefined;
} {
  return { prompt, images: n, size: subject.size };
}

/** Returns the synchronous reply: `created` and `data[].b64_json` (docs/service.md, "Synchronous answer"). */
export function imagesReply(
  { clock }: EndpointContext,
  { model, order }: Submission,
  images: readonly EncodedImage[],
): Reply {
  const revised =
    model.family === 'image' ? `"revised_prompt":${JSON.stringify(revisePrompt(order.prompt))},` : '';
  const data = images.flatMap(({ bytes }, index) => [
    Buffer.from(`${index === 0 ? '' : ','}{${revised}"b64_json":"`),
    Buffer.from(bytes.toString('base64'), 'latin1'),
    Buffer.from('"}'),
  ]);
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: [Buffer.from(`{"created":${Math.floor(clock.now() / 1000)},"data":[`), ...data, Buffer.from(']}')],
  };
}

/** Revises a prompt as the first family's models do. */
function revisePrompt(prompt: string): string {
  // A JSON body can hold half a surrogate pair, which not every client can read.
  return `A demo painting of ${prompt.replaceAll(/\s+/gu, ' ').trim()}`.toWellFormed();
}

async function makeImages(
  context: EndpointContext,
  order: ImageOrder,
  images: Submission['images'],
): Promise<EncodedImage[]> {
  const { prompt, n, subject } = order;
  if (hasMark(prompt, 'fail')) {
    throw new Error('The demo service failed this task because its prompt says demo:fail.');
  }
  return context.maker.make({
    ...order,
    n: images(hasMark(prompt, 'fewer') ? Math.max(1, n - 1) : n),
    subject: hasMark(prompt, 'loose') ? withoutMask(subject) : subject,
  });
}

function withoutMask(subject: ImageOrder['subject']): ImageOrder['subject'] {
  if (subject.kind === 'generation') {
    return subject;
  }
  const { mask: _, ...others } = subject;
  return others;
}

/** @throws ApiError 400 `content_policy_violation` */
export function refuseAgainstPolicy(prompt: string): void {
  if (hasMark(prompt, 'reject')) {
    throw new ApiError(400, 'content_policy_violation', 'The prompt was rejected: it says demo:reject.', {
      type: 'image_generation_user_error',
    });
  }
}

/**
 * Whether a prompt requests special behavior with a mark after `demo:`.
 * - `fail`: the task fails; a synchronous call answers 500
 * - `fewer`: one image fewer than requested is returned, but at least one
 * - `loose`: an edit goes beyond its mask, as with many services
 * - `reject`: the submission is refused for violating the content policy
 */
function hasMark(prompt: string, mark: 'fail' | 'fewer' | 'loose' | 'reject'): boolean {
  return prompt.toLowerCase().split(/\s+/u).includes(`demo:${mark}`);
}
