import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { bodyLength, gather } from '../http/reply.ts';
import { MOST_BYTES } from './connections.ts';
import { defineFault } from './defineFault.ts';
import { TARGETS } from '../http/requestLog.ts';

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

/** States a wrong media type. */
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
