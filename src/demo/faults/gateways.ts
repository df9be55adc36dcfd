import { STATUS_CODES } from 'node:http';
import * as v from 'valibot';
import { ApiError } from '../http/apiError.ts';
import { errorReply, jsonReply, type Reply } from '../http/reply.ts';
import { workUnobserved } from './connections.ts';
import { defineFault, type Passage } from './defineFault.ts';
import { TARGETS } from '../http/requestLog.ts';

const AUTHORIZED = TARGETS.filter((target) => target !== 'image');

const retryAfter = {
  /** Seconds, or a text that is sent unchanged. */
  retryAfter: v.optional(v.union([v.pipe(v.number(), v.minValue(0), v.maxValue(1e6)), v.string()])),
  /** Sends seconds as an HTTP date. */
  asDate: v.optional(v.boolean(), false),
  /** The milliseconds by which the gateway's clock, shown in `Date`, is ahead of the service's. */
  skew: v.optional(v.pipe(v.number(), v.minValue(-1e10), v.maxValue(1e10)), 0),
};

export const status = defineFault('status', {
  on: TARGETS,
  parameters: {
    status: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
    code: v.optional(v.string(), 'demo_fault'),
    message: v.optional(v.string(), 'The demo service was told to answer so.'),
    headers: v.optional(v.record(v.string(), v.string()), {}),
    body: v.optional(v.string()),
  },
  apply: ({ status, code, message, headers, body }, _, { url }) =>
    body === undefined
      ? errorReply(new ApiError(status, code, message, { headers }), url.pathname)
      : { status, headers: { 'content-type': 'text/html', ...headers }, body: [Buffer.from(body)] },
  draw: (_, target) => ({
    status: 500,
    code: target === 'query' ? 'task_query_failed' : 'internal_error',
    message: 'Something went wrong.',
  }),
});

/** The page of a firewall that mistook the request for an attack. */
export const blockPage = defineFault('blockPage', {
  on: TARGETS,
  parameters: { status: v.optional(v.picklist([200, 403]), 403) },
  apply: ({ status }, _, { url }) =>
    page(
      status,
      `<!DOCTYPE html>
<html lang="en-US">
<head><title>Attention Required!</title></head>
<body>
<h1>Sorry, you have been blocked</h1>
<p>You are unable to access ${escapeHtml(url.pathname)}. This website uses a security service to protect itself from online attacks.</p>
<p>Your reference: 8f2c41d07be9a3d5</p>
</body>
</html>
`,
    ),
  draw: (random) => ({ status: random.pick([200, 403]) }),
});

const ROUTE_WORDS = ['express', 'expressHtml', 'code', 'nested', 'kubernetes'] as const;
const routeTexts: Record<(typeof ROUTE_WORDS)[number], (line: string) => Reply> = {
  express: (line) => plain(404, `Cannot ${line}`),
  expressHtml: (line) =>
    page(
      404,
      `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot ${escapeHtml(line)}</pre>\n</body>\n</html>\n`,
    ),
  code: (line) => jsonReply(404, { code: 'NOT_FOUND', message: `No route for ${line}` }),
  nested: (line) =>
    jsonReply(404, { error: { code: 'route_not_found', message: `No route matches ${line}` } }),
  kubernetes: (line) =>
    jsonReply(404, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `the server could not find the requested resource (${line})`,
      reason: 'NotFound',
      details: {},
      code: 404,
    }),
};

/** The 404 of a gateway that has lost the route to the service. It repeats the requested path. */
export const routeNotFound = defineFault('routeNotFound', {
  on: TARGETS,
  parameters: { words: v.optional(v.picklist(ROUTE_WORDS), 'express') },
  apply: ({ words }, _, { request, url }) => routeTexts[words](`${request.method ?? ''} ${url.pathname}`),
  draw: (random) => ({ words: random.pick(ROUTE_WORDS) }),
});

const PAGES = ['envoy', 'nginx', 'google', 'noUpstream'] as const;
const gatewayPages: Record<(typeof PAGES)[number], (status: number) => Reply> = {
  envoy: (status) =>
    plain(
      status,
      status === 504
        ? 'upstream request timeout'
        : 'upstream connect error or disconnect/reset before headers. reset reason: connection termination',
      { server: 'envoy' },
    ),
  nginx: (status) => {
    const title = `${status} ${STATUS_CODES[status] ?? ''}`;
    return page(
      status,
      `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
      { server: 'nginx' },
    );
  },
  google: (status) =>
    page(
      status,
      `\n<html><head>\n<meta http-equiv="content-type" content="text/html;charset=utf-8">\n<title>${status} Server Error</title>\n</head>\n<body text=#000000 bgcolor=#ffffff>\n<h1>Error: Server Error</h1>\n<h2>The server encountered a temporary error and could not complete your request.<p>Please try again in 30 seconds.</h2>\n<h2></h2>\n</body></html>\n`,
    ),
  noUpstream: (status) => plain(status, 'no healthy upstream'),
};

/** The page of a gateway that got no reply, after (`after`) or before (`before`) the service took the request. */
export const gatewayError = defineFault('gatewayError', {
  on: TARGETS,
  parameters: {
    status: v.optional(v.picklist([502, 503, 504]), 502),
    page: v.optional(v.picklist(PAGES), 'nginx'),
    when: v.optional(v.picklist(['before', 'after']), 'after'),
    ...retryAfter,
  },
  apply: async ({ status, page, when, ...times }, work, passage) => {
    if (when === 'after') {
      await workUnobserved(work);
    }
    return comeAgain(gatewayPages[page](status), times, passage);
  },
  draw: (random) => {
    const asksToComeAgain = random.chance(0.3);
    return {
      status: random.pick([502, 503, 504]),
      page: random.pick(PAGES),
      // A gateway that asks for a retry did not pass the request on.
      when: asksToComeAgain ? 'before' : random.pick(['before', 'after']),
      ...(asksToComeAgain && { retryAfter: random.integer(1, 5) }),
    };
  },
});

/** Replies that the service, or its gateway in the service's words, is busy and accepts nothing. */
export const busy = defineFault('busy', {
  on: TARGETS,
  parameters: { status: v.optional(v.picklist([429, 503]), 429), ...retryAfter },
  apply: ({ status, ...times }, _, passage) => {
    const error =
      status === 429
        ? new ApiError(429, 'rate_limit_exceeded', 'Too many requests. Try again later.')
        : new ApiError(503, 'queue_full', 'The queue of asynchronous image tasks is full. Try again later.');
    return comeAgain(errorReply(error, passage.url.pathname), times, passage);
  },
  draw: (random) => ({
    status: random.pick([429, 503]),
    ...random.pick<{ retryAfter?: number | string; asDate?: boolean; skew?: number }>([
      {},
      { retryAfter: random.integer(0, 5) },
      { retryAfter: random.integer(1, 5), asDate: true },
      { retryAfter: random.integer(1, 5), asDate: true, skew: random.integer(-5, 5) * 3_600_000 },
      { retryAfter: random.pick(['soon', '-5', '1e99', '']) },
    ]),
  }),
});

/** The service's reply to a wrong key, although the key is valid. */
export const unauthorized = defineFault('unauthorized', {
  on: AUTHORIZED,
  parameters: {},
  apply: (_, __, { url }) =>
    errorReply(
      new ApiError(401, 'invalid_api_key', 'The API key is not valid.', {
        type: 'authentication_error',
        headers: { 'www-authenticate': 'Bearer' },
      }),
      url.pathname,
    ),
  draw: () => ({}),
});

function comeAgain(
  reply: Reply,
  { retryAfter, asDate, skew }: { retryAfter?: string | number | undefined; asDate: boolean; skew: number },
  { clock }: Passage,
): Reply {
  if (retryAfter === undefined) {
    return reply;
  }
  const now = clock.now() + skew;
  const time =
    asDate && typeof retryAfter === 'number'
      ? new Date(now + retryAfter * 1000).toUTCString()
      : String(retryAfter);
  return {
    ...reply,
    headers: { ...reply.headers, 'retry-after': time, date: new Date(now).toUTCString() },
  };
}

function page(status: number, html: string, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
    body: [Buffer.from(html)],
  };
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'content-type': 'text/plain', ...headers }, body: [Buffer.from(text)] };
}

/** Escapes the only characters of paths with a meaning in HTML. */
function escapeHtml(path: string): string {
  return path.replaceAll('&', '&amp;');
}

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
