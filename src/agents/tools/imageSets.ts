import { randomUUID } from 'node:crypto';
import { LimnerError, notSent } from '../../common/limnerError.ts';
import { isTerminal } from '../../common/taskStatus.ts';
import type { Task, TaskRequest } from '../../engine/task/task.ts';
import type { CallContext, Plan, Reply } from './agentHost.ts';
import { requestsOf, requireSame } from './agreement.ts';
import type { Replies } from './replies.ts';
import { billText, refusalCost } from './replyText.ts';
import type { PaintCall, SetCall } from './tools.ts';

/** How many previews the reply to a set has, and their longest side, in pixels. */
const maxPictures = 12;
const pictureSide = 256;

/** The reply to a call, and the tasks that it is about. */
export interface Painted {
  reply: Reply;
  tasks: readonly Task[];
}

/** The calls for single images, as a set uses them. */
export interface SingleCalls {
  plan(call: PaintCall): Promise<Plan>;
  urisOf(call: PaintCall): Promise<string[]>;
  /** @throws LimnerError when limits or the budget leave no room for all requests */
  requireRoom(requests: readonly TaskRequest[]): Promise<void>;
  /** @throws LimnerError when no task was started */
  paint(call: PaintCall, context: CallContext, batch: TaskRequest['batch']): Promise<Painted>;
}

/**
 * Calls for several images with one setting. Each image is the call for it alone, so that none is billed twice, whichever
 * way it is called again. The user agrees to all at once.
 */
export class ImageSets {
  readonly #replies: Replies;
  readonly #single: SingleCalls;

  constructor(replies: Replies, single: SingleCalls) {
    this.#replies = replies;
    this.#single = single;
  }

  /** Returns what a call would do. @throws LimnerError when it would be refused as a whole */
  async plan(call: SetCall): Promise<Plan> {
    // An image that would be refused keeps no other from being made, and says why once the call runs.
    const calls = callsOf(call);
    const uris = await Promise.all(calls.map(async (one) => this.#single.urisOf(one)));
    const parts = await Promise.all(calls.map(async (one) => this.#single.plan(one).catch(() => undefined)));
    const whole: Plan = {
      call,
      path: call.input.images.map(({ path }) => path).join(', '),
      uris: uris.flat(),
      images: parts.reduce((sum, part) => sum + (part?.images ?? 0), 0),
      parts,
      replaces: false,
    };
    const requests = requestsOf(whole);
    await this.#single.requireRoom(requests);
    const [request] = requests;
    return { ...whole, ...(request && { request }) };
  }

  async run(call: SetCall, context: CallContext): Promise<Reply> {
    const now = await this.plan(call);
    const { plan } = context;
    if (plan) {
      requireSame(now.uris, context);
    } else if (now.images > 0) {
      throw new LimnerError('stopped', 'The user did not agree to this call. Call the tool again.', notSent);
    }
    const batch = { id: randomUUID(), title: call.input.title ?? 'Set' };
    const painted = await Promise.all(
      callsOf(call).map(async (one, index): Promise<Painted> => {
        const part = plan?.parts?.[index];
        // Calls that can't be told apart may do only what all of them may.
        const agreed = part && { ...part, images: plan.images > 0 ? part.images : 0 };
        try {
          return await this.#single.paint(one, { ...context, plan: agreed }, { ...batch, index });
        } catch (error) {
          return { reply: this.#replies.ofRefusal(error), tasks: [] };
        }
      }),
    );
    return this.#replyTo(call, painted);
  }

  async #replyTo({ input }: SetCall, painted: readonly Painted[]): Promise<Reply> {
    const tasks = painted.flatMap((one) => one.tasks);
    const files = tasks.flatMap(({ results, request }) =>
      request.onBlack
        ? []
        : results.flatMap(({ state, discarded, uri }) =>
            state === 'saved' && !discarded && uri !== undefined ? [uri] : [],
          ),
    );
    const isRunning = tasks.some(({ status, held }) => !isTerminal(status) && !held);
    const parts = painted.map(({ reply: { text } }, index) => {
      const isPlain = text.startsWith('Saved ');
      return isPlain ? text : `${input.images[index]?.path}:\n${text.replaceAll(/^/gmu, '  ')}`;
    });
    const bill = tasks.length === 0 ? refusalCost('no') : billText(tasks);
    return {
      text: [
        `${files.length} of ${input.images.length} images are saved.`,
        ...parts,
        bill,
        ...(isRunning
          ? [
              'What to do: call limner_generate_set again with the same arguments. It waits for the rest, at no cost.',
            ]
          : []),
      ].join('\n'),
      isError: files.length === 0 && !isRunning,
      pictures: input.picture === false ? [] : await this.#replies.pictures(files, maxPictures, pictureSide),
    };
  }
}

/** Returns the calls for the images of a set. @throws LimnerError `invalid_request` for two images of one path */
function callsOf({ input }: SetCall): PaintCall[] {
  const { images, size, fit, transparent, quality, model, style } = input;
  const paths = images.map(({ path }) => path.normalize('NFC').toLowerCase());
  const twice = images.find((_image, index) => paths.indexOf(paths[index] ?? '') < index);
  if (twice) {
    throw new LimnerError('invalid_request', `Two images have the path "${twice.path}".`, notSent);
  }
  return images.map((image) => ({
    tool: 'limner_generate_image',
    input: {
      ...image,
      ...(size !== undefined && { size }),
      ...(fit !== undefined && { fit }),
      ...(transparent !== undefined && { transparent }),
      ...(quality !== undefined && { quality }),
      ...(model !== undefined && { model }),
      ...(style !== undefined && { style }),
      picture: false,
    },
  }));
}
