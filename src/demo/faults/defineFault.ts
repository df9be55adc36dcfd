import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import type { DemoClock } from '../http/demoClock.ts';
import type { ImageHost } from '../http/imageHost.ts';
import type { Random } from '../http/random.ts';
import type { Reply } from '../http/reply.ts';
import type { LoggedRequest, Target } from '../http/requestLog.ts';
import type { TaskQueue, TaskStatus } from '../http/taskQueue.ts';

export interface Passage {
  target: Target;
  request: IncomingMessage;
  url: URL;
  clock: DemoClock;
  queue: TaskQueue;
  images: ImageHost;
  /** Origin of the result host. */
  resultHost: string;
  /** The status of the queried task; absent for other requests and for unknown tasks. */
  task?: TaskStatus | undefined;
  /** The request's entry in the log. */
  log: LoggedRequest;
}

export interface Otherwise {
  /** Answers with the images themselves, even to `Prefer: respond-async`. */
  atOnce?: boolean;
  images?: (asked: number) => number;
}

/** Does the endpoint's work and returns its undisturbed reply. */
export type Work = (otherwise?: Otherwise) => Reply | Promise<Reply>;

type Parameters<Entries extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Entries, undefined>>;

interface Definition<Entries extends v.ObjectEntries> {
  /** The requests that it can affect. */
  on: readonly Target[];
  parameters: Entries;
  /** Whether it makes sense for this request; by default it does for every one. */
  applies?: (parameters: Parameters<Entries>, passage: Passage) => boolean;
  /** Answers the request. Without a call of `work`, the service neither receives nor bills it. */
  apply: (parameters: Parameters<Entries>, work: Work, passage: Passage) => Reply | Promise<Reply>;
  /** Draws the parameters for the weather, which never brings a fault without this. */
  draw?: (random: Random, target: Target) => v.InferInput<v.ObjectSchema<Entries, undefined>>;
}

/** Defines a kind of fault, which can come between a request and its reply. */
export function defineFault<const Name extends string, const Entries extends v.ObjectEntries>(
  name: Name,
  definition: Definition<Entries>,
) {
  const { on, draw } = definition;
  return {
    name,
    ...define({ kind: v.literal(name) }, definition, 1),
    /** The targets on which the weather may bring it. */
    drawnOn: draw === undefined ? [] : on,
    draw: (random: Random, target: Target): object => ({ kind: name, ...draw?.(random, target) }),
  };
}

/** Defines a habit that other services have. It lasts until it is removed, unless told otherwise. */
export function defineHabit<const Name extends string, const Entries extends v.ObjectEntries>(
  name: Name,
  definition: Omit<Definition<Entries>, 'draw'>,
) {
  return { name, ...define({ kind: v.literal('habit'), name: v.literal(name) }, definition, 0) };
}

function define<const Identity extends v.ObjectEntries, const Entries extends v.ObjectEntries>(
  identity: Identity,
  { on, parameters, applies, apply }: Definition<Entries>,
  times: number,
) {
  const own = v.object(parameters);
  return {
    schema: v.strictObject({
      ...identity,
      on: v.optional(v.picklist(['any', ...on]), 'any'),
      path: v.optional(v.string()),
      /** The number of requests that it affects; 0 means every one until it is removed. */
      times: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), times),
      /** The number of requests that pass before. */
      skip: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
      /** Counts `times` and `skip` separately for each path. The fault stays until it is removed. */
      eachPath: v.optional(v.boolean()),
      ...parameters,
    }),
    applies: (fault: unknown, passage: Passage): boolean =>
      on.includes(passage.target) && (applies?.(v.parse(own, fault), passage) ?? true),
    apply: (fault: unknown, work: Work, passage: Passage): Reply | Promise<Reply> =>
      apply(v.parse(own, fault), work, passage),
  };
}
