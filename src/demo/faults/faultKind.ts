import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import type { DemoClock } from '../state/demoClock.ts';
import type { Random } from '../random.ts';
import type { Reply } from '../http/reply.ts';
import type { LoggedRequest, Target } from '../http/requestLog.ts';
import type { TaskStatus } from '../state/taskQueue.ts';

/** One request on its way to its endpoint. */
export interface Passage {
  target: Target;
  request: IncomingMessage;
  url: URL;
  clock: DemoClock;
  /** How the task that is asked for stands; absent for other requests, and where there is no such task. */
  task?: TaskStatus | undefined;
  /** What is remembered of the request. */
  log: LoggedRequest;
}

/** What the endpoint does and answers where nothing comes between. */
export type Work = () => Reply | Promise<Reply>;

type Parameters<Entries extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Entries, undefined>>;

interface Definition<Entries extends v.ObjectEntries> {
  /** The requests that it can meet. */
  on: readonly Target[];
  parameters: Entries;
  /** Whether it makes sense for this very request; absent: for every one. */
  applies?: (parameters: Parameters<Entries>, passage: Passage) => boolean;
  /** Answers the request. Where it never calls `work`, the service hears nothing of it and bills nothing. */
  meet: (parameters: Parameters<Entries>, work: Work, passage: Passage) => Reply | Promise<Reply>;
  /** Draws the parameters for the weather; absent: it comes only when it is asked for. */
  draw?: (random: Random, target: Target) => v.InferInput<v.ObjectSchema<Entries, undefined>>;
}

/** One kind of fault: one thing that can come between a request and its answer. */
export function faultKind<const Name extends string, const Entries extends v.ObjectEntries>(
  name: Name,
  { on, parameters, applies, meet, draw }: Definition<Entries>,
) {
  const own = v.object(parameters);
  return {
    name,
    /** A fault of this kind, as it comes from outside. */
    schema: v.strictObject({
      kind: v.literal(name),
      on: v.optional(v.picklist(['any', ...on]), 'any'),
      /** Meets the requests of this path alone. */
      path: v.optional(v.string()),
      /** How many requests it meets; 0 means every one until it is removed. */
      times: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 1),
      /** How many requests pass unharmed before. */
      skip: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
      /** `times` and `skip` are counted for each path on its own, and the fault stays until it is removed. */
      eachPath: v.optional(v.boolean()),
      ...parameters,
    }),
    /** The targets on which the weather may bring it. */
    drawnOn: draw === undefined ? [] : on,
    applies: (fault: unknown, passage: Passage): boolean =>
      on.includes(passage.target) && (applies?.(v.parse(own, fault), passage) ?? true),
    meet: (fault: unknown, work: Work, passage: Passage): Reply | Promise<Reply> =>
      meet(v.parse(own, fault), work, passage),
    draw: (random: Random, target: Target): object => ({ kind: name, ...draw?.(random, target) }),
  };
}
