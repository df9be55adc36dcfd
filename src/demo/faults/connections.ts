import * as v from 'valibot';
import { LONGEST_STEP } from '../state/demoClock.ts';
import { bodyLength, gather } from '../http/reply.ts';
import { faultKind, type Work } from './faultKind.ts';
import { SUBMISSIONS, TARGETS } from '../http/requestLog.ts';

/** No body is made longer than this many bytes, and none trickles faster in a second. */
export const MOST_BYTES = 500_000_000;

const bytes = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MOST_BYTES));
const FRAMINGS = ['length', 'chunked', 'close', 'http1.0'] as const;
const ENDS = ['chunked', 'close', 'http1.0', 'unended'] as const;
const moment = v.optional(v.picklist(['before', 'after', 'body']), 'after');

/** The connection is reset: before or after the endpoint's work, or in the middle of the body. */
export const reset = interruption('reset');

/** Nothing more comes, and the connection stays: in place of the headers, or in the middle of the body. */
export const stall = interruption('stall');

function interruption<const Ending extends 'reset' | 'stall'>(ending: Ending) {
  return faultKind(ending, {
    on: TARGETS,
    parameters: { when: moment },
    meet: async ({ when }, work) => {
      if (when === 'body') {
        const reply = await gather(await work());
        return { ...reply, delivery: { kind: 'cut', bytes: (bodyLength(reply) ?? 0) / 2, ending } };
      }
      if (when === 'after') {
        await workUnheard(work);
      }
      return { status: 500, headers: {}, body: [], delivery: { kind: 'silent', ending } };
    },
    draw: (random) => ({ when: random.pick(['before', 'after', 'body']) }),
  });
}

/** Lets the endpoint work; whatever it comes to, the caller hears nothing of it. */
export async function workUnheard(work: Work): Promise<void> {
  await Promise.resolve()
    .then(work)
    .then(gather)
    .catch(() => undefined);
}

/**
 * The connection ends as if all were well after so many bytes of the body, half of it where no number is given. The
 * body was to have a Content-Length, to be chunked, or to end with the connection, of which HTTP/1.0 knows no other.
 */
export const truncate = faultKind('truncate', {
  on: TARGETS,
  parameters: {
    bytes: v.optional(bytes),
    framing: v.optional(v.picklist(FRAMINGS), 'length'),
  },
  meet: async ({ bytes, framing }, work) => {
    const reply = bytes === undefined ? await gather(await work()) : await work();
    const kept = bytes ?? (bodyLength(reply) ?? 0) / 2;
    return { ...reply, delivery: { kind: 'cut', bytes: kept, ending: 'end', framing } };
  },
  draw: (random) => ({ framing: random.pick(FRAMINGS) }),
});

/**
 * The body is whole, and tells its end in another way than by a Content-Length: in chunks, by the end of the connection
 * (HTTP/1.1 or 1.0), or not at all: the last chunk is missing and the connection stays open.
 */
export const framing = faultKind('framing', {
  on: TARGETS,
  parameters: { as: v.picklist(ENDS) },
  meet: async ({ as }, work) => ({
    ...(await work()),
    delivery:
      as === 'unended'
        ? { kind: 'cut', bytes: Infinity, ending: 'stall', framing: 'chunked' }
        : { kind: 'whole', framing: as },
  }),
  draw: (random) => ({ as: random.pick(ENDS) }),
});

/** An interim answer comes before the true one. */
export const interim = faultKind('interim', {
  on: TARGETS,
  parameters: { status: v.optional(v.picklist([100, 102, 103]), 103) },
  meet: async ({ status }, work) => ({ ...(await work()), delivery: { kind: 'interim', status } }),
  draw: (random) => ({ status: random.pick([100, 102, 103]) }),
});

/** The body trickles. */
export const slow = faultKind('slow', {
  on: TARGETS,
  parameters: { bytesPerSecond: v.pipe(v.number(), v.minValue(1), v.maxValue(MOST_BYTES)) },
  meet: async ({ bytesPerSecond }, work) => ({
    ...(await work()),
    delivery: { kind: 'slow', bytesPerSecond },
  }),
  draw: (random, target) => ({
    bytesPerSecond: random.integer(1, 4) * (target === 'query' ? 200 : 100_000),
  }),
});

/** The answer comes later by so many milliseconds of the service's clock. */
export const delay = faultKind('delay', {
  on: TARGETS,
  parameters: { milliseconds: v.pipe(v.number(), v.minValue(0), v.maxValue(LONGEST_STEP)) },
  meet: async ({ milliseconds }, work, { clock }) => {
    const reply = await work();
    await clock.wait(milliseconds);
    return reply;
  },
  draw: (random, target) => ({
    milliseconds: random.integer(1, SUBMISSIONS.includes(target) ? 5000 : 2000),
  }),
});
