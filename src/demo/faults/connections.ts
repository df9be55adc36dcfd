import * as v from 'valibot';
import { LONGEST_STEP } from '../http/demoClock.ts';
import { bodyLength, gather } from '../http/reply.ts';
import { defineFault, type Work } from './defineFault.ts';
import { SUBMISSIONS, TARGETS } from '../http/requestLog.ts';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

/** The limit for lengths of a body, and for bytes per second. */
export const MOST_BYTES = 500_000_000;

const bytes = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MOST_BYTES));
const FRAMINGS = ['length', 'chunked', 'close', 'http1.0'] as const;
const ENDS = ['chunked', 'close', 'http1.0', 'unended'] as const;
const moment = v.optional(v.picklist(['before', 'after', 'body']), 'after');

/** Resets the connection before or after the endpoint's work, or in the middle of the body. */
export const reset = interruption('reset');

/** Stops sending but keeps the connection open, before the headers or in the middle of the body. */
export const stall = interruption('stall');

function interruption<const Ending extends 'reset' | 'stall'>(ending: Ending) {
  return defineFault(ending, {
    on: TARGETS,
    parameters: { when: moment },
    apply: async ({ when }, work) => {
      if (when === 'body') {
        const reply = await gather(await work());
        return { ...reply, delivery: { kind: 'cut', bytes: (bodyLength(reply) ?? 0) / 2, ending } };
      }
      if (when === 'after') {
        await workUnobserved(work);
      }
      return { status: 500, headers: {}, body: [], delivery: { kind: 'silent', ending } };
    },
    draw: (random) => ({ when: random.pick(['before', 'after', 'body']) }),
  });
}

/** Lets the endpoint work without telling the caller the outcome. */
export async function workUnobserved(work: Work): Promise<void> {
  await Promise.resolve()
    .then(() => work())
    .then(gather)
    .catch(() => undefined);
}

/**
 * Ends the connection regularly after a number of bytes of the body, by default half of it. The body has a
 * Content-Length, is chunked, or ends with the connection, which is the only way in HTTP/1.0.
 */
export const truncate = defineFault('truncate', {
  on: TARGETS,
  parameters: {
    bytes: v.optional(bytes),
    framing: v.optional(v.picklist(FRAMINGS), 'length'),
  },
  apply: async ({ bytes, framing }, work) => {
    const reply = bytes === undefined ? await gather(await work()) : await work();
    const kept = bytes ?? (bodyLength(reply) ?? 0) / 2;
    return { ...reply, delivery: { kind: 'cut', bytes: kept, ending: 'end', framing } };
  },
  draw: (random) => ({ framing: random.pick(FRAMINGS) }),
});

/**
 * Sends the whole body but marks its end without a Content-Length: by chunks, by the end of the connection (HTTP/1.1 or
 * 1.0), or not at all, with the last chunk missing and the connection left open.
 */
export const framing = defineFault('framing', {
  on: TARGETS,
  parameters: { as: v.picklist(ENDS) },
  apply: async ({ as }, work) => ({
    ...(await work()),
    delivery:
      as === 'unended'
        ? { kind: 'cut', bytes: Infinity, ending: 'stall', framing: 'chunked' }
        : { kind: 'whole', framing: as },
  }),
  draw: (random) => ({ as: random.pick(ENDS) }),
});

export const interim = defineFault('interim', {
  on: TARGETS,
  parameters: { status: v.optional(v.picklist([100, 102, 103]), 103) },
  apply: async ({ status }, work) => ({ ...(await work()), delivery: { kind: 'interim', status } }),
  draw: (random) => ({ status: random.pick([100, 102, 103]) }),
});

export const slow = defineFault('slow', {
  on: TARGETS,
  parameters: { bytesPerSecond: v.pipe(v.number(), v.minValue(1), v.maxValue(MOST_BYTES)) },
  apply: async ({ bytesPerSecond }, work) => ({
    ...(await work()),
    delivery: { kind: 'slow', bytesPerSecond },
  }),
  draw: (random, target) => ({
    bytesPerSecond: random.integer(1, 4) * (target === 'query' ? 200 : 100_000),
  }),
});

/** Delays the reply by milliseconds of the service's clock. */
export const delay = defineFault('delay', {
  on: TARGETS,
  parameters: { milliseconds: v.pipe(v.number(), v.minValue(0), v.maxValue(LONGEST_STEP)) },
  apply: async ({ milliseconds }, work, { clock }) => {
    const reply = await work();
    await clock.wait(milliseconds);
    return reply;
  },
  draw: (random, target) => ({
    milliseconds: random.integer(1, SUBMISSIONS.includes(target) ? 5000 : 2000),
  }),
});

const encoders = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };

/** Replaces the body and the media type; status and other headers stay. */
export const body = defineFault('body', {
  on: TARGETS,
  parameters: { contentType: v.optional(v.string(), 'text/html'), body: v.string() },
  apply: async ({ contentType, body }, work) => {
    const reply = await work();
    return {
      ...reply,
      headers: { ...reply.headers, 'content-type': contentType },
      body: [Buffer.from(body)],
    };
  },
});

/** Pads the body with zeros to a number of bytes. */
export const pad = defineFault('pad', {
  on: TARGETS,
  parameters: { bytes: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MOST_BYTES)) },
  apply: async ({ bytes }, work) => {
    const reply = await work();
    const missing = Math.max(0, bytes - (bodyLength(reply) ?? bytes));
    return Array.isArray(reply.body) ? { ...reply, body: [...reply.body, Buffer.alloc(missing)] } : reply;
  },
});

export const mediaType = defineFault('mediaType', {
  on: TARGETS,
  parameters: { contentType: v.string() },
  apply: async ({ contentType }, work) => {
    const reply = await work();
    return { ...reply, headers: { ...reply.headers, 'content-type': contentType } };
  },
  draw: (random, target) => ({
    contentType: random.pick(
      target === 'image'
        ? ['application/octet-stream', 'text/plain', 'text/html', 'application/json']
        : ['text/plain', 'text/html', 'image/png', 'application/octet-stream'],
    ),
  }),
});

/** Compresses the body, whether the caller accepts it or not. */
export const encoding = defineFault('encoding', {
  on: TARGETS,
  parameters: { encoding: v.optional(v.picklist(['gzip', 'deflate', 'br']), 'gzip') },
  apply: async ({ encoding }, work) => {
    const reply = await gather(await work());
    const headers = { ...reply.headers, 'content-encoding': encoding };
    return { ...reply, headers, body: [encoders[encoding](Buffer.concat(reply.body))] };
  },
  draw: (random) => ({ encoding: random.pick(['gzip', 'deflate', 'br']) }),
});
