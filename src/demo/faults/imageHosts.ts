import * as v from 'valibot';
import { defineFault } from './defineFault.ts';

const refusals = {
  403: ['AccessDenied', 'Access Denied'],
  404: ['NoSuchKey', 'The specified key does not exist.'],
  410: ['Gone', 'The resource is no longer available.'],
} as const;

/** Replies as a node without the image yet. With `eachPath`, every image is late by `times` requests. */
export const late = defineFault('late', {
  on: ['image'],
  parameters: { status: v.optional(v.picklist([403, 404, 410]), 404) },
  apply: ({ status }) => {
    const [code, message] = refusals[status];
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
    return { status, headers: { 'content-type': 'application/xml' }, body: [Buffer.from(xml)] };
  },
  draw: (random) => ({ status: random.pick([403, 404, 410]) }),
});

/** Redirects to the image over a number of hops. */
export const redirect = defineFault('redirect', {
  on: ['image'],
  parameters: {
    status: v.optional(v.picklist([301, 302, 303, 307, 308]), 302),
    hops: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 1),
  },
  applies: ({ hops }, { url }) => hopsOf(url) < hops,
  apply: ({ status }, _, { url }) => ({
    status,
    headers: { location: `${url.pathname}?hops=${hopsOf(url) + 1}` },
    body: [],
  }),
  draw: (random) => ({ status: random.pick([301, 302, 303, 307, 308]) }),
});

function hopsOf(url: URL): number {
  return Number(url.searchParams.get('hops') ?? 0);
}
