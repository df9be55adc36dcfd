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
  /** The status of the queried task; absent for other requests and for unknown tasks. */
  task?: TaskStatus | undefined;
  /** The request's entry in the log. */
  log: LoggedRequest;
}

/** Does the endpoint's work and returns its undisturbed reply. */
export type Work = () => Reply | Promise<Reply>;

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
  { on, parameters, applies, apply, draw }: Definition<Entries>,
) {
  const own = v.object(parameters);
  return {
    name,
    /** A fault of this kind as callers specify it. */
    schema: v.strictObject({
      kind: v.literal(name),
      on: v.optional(v.picklist(['any', ...on]), 'any'),
      /** Limits it to the requests of this path. */
      path: v.optional(v.string()),
      /** The number of requests that it affects; 0 means every one until it is removed. */
      times: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 1),
      /** The number of requests that pass before. */
      skip: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
      /** Counts `times` and `skip` separately for each path. The fault stays until it is removed. */
      eachPath: v.optional(v.boolean()),
      ...parameters,
    }),
    /** The targets on which the weather may bring it. */
    drawnOn: draw === undefined ? [] : on,
    applies: (fault: unknown, passage: Passage): boolean =>
      on.includes(passage.target) && (applies?.(v.parse(own, fault), passage) ?? true),
    apply: (fault: unknown, work: Work, passage: Passage): Reply | Promise<Reply> =>
      apply(v.parse(own, fault), work, passage),
    draw: (random: Random, target: Target): object => ({ kind: name, ...draw?.(random, target) }),
  };
}
