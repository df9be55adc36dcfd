import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import {
  type Answer,
  type Endpoint,
  type Fault,
  type FaultyRequest,
  headOf,
  picture,
  send,
} from './faultyService.ts';
import type { Impatience, Outcome } from './outcomes.ts';

/** A fault and what becomes of a task that meets it, endpoint by endpoint. */
export interface Row {
  name: string;
  fault: Fault;
  /** Limits that are short where the fault strikes, because it is that they run out. */
  impatience?: Impatience;
  /** How many times faster than a real one the engine's clock runs, where it must not be too fast. */
  pace?: number;
  /** At submissions with `Prefer: respond-async`: generations and edits. */
  async?: Outcome;
  /** At calls whose answer holds the pictures: synchronous, native, native stream. */
  inline?: Outcome;
  query?: Outcome;
  download?: Outcome;
  /** Where an endpoint differs from its like. */
  differs?: Partial<Record<Endpoint, Outcome>>;
}

type Answering = (request: FaultyRequest) => void;

const brief = 1000;

/** The request was not sent, or surely not taken: it is sent again. */
const again = 'completed ×2 after network';
/** Polls and downloads are made again; a download says nothing of it in the row but that it is put off. */
const askedAgain = 'completed ×2 after network';
const fetchedAgain = 'completed ×2 after trouble';
const unknown = 'unknown network maybe';
const garbled = 'unknown protocol maybe';

const answering =
  (change: (answer: Answer, request: FaultyRequest) => Partial<Answer>): Answering =>
  (request) =>
    send(request.socket, { ...request.answer, ...change(request.answer, request) });

const saying = (body: string | Buffer, headers: Record<string, string> = {}): Answering =>
  answering((answer) => ({ body: Buffer.from(body), headers: { ...answer.headers, ...headers } }));

const raw =
  (bytes: (answer: Answer) => (string | Buffer)[]): Answering =>
  ({ socket, answer }) =>
    socket.end(Buffer.concat(bytes(answer).map((part) => Buffer.from(part))));

const encoded = (encoding: string, encode: (body: Buffer) => Buffer): Answering =>
  answering(({ headers, body }) => ({
    headers: { ...headers, 'content-encoding': encoding },
    body: encode(body),
  }));

/** Sends the head and a part of the body, and leaves the rest to what comes then. */
const begin = ({ socket, answer }: FaultyRequest, part = 0.5): void => {
  const length = String(answer.body.length);
  const body = answer.body.subarray(0, Math.floor(answer.body.length * part));
  const head = headOf({ ...answer, headers: { ...answer.headers, 'content-length': length } });
  socket.write(Buffer.concat([head, body]));
};

/** Sends a head without a length, and then a piece for ever. */
const endless =
  (piece: string, beginning = '', every = 0): Answering =>
  ({ socket, answer }) => {
    socket.write(Buffer.concat([headOf(answer), Buffer.from(beginning)]));
    const next = (): void => {
      if (socket.destroyed) {
        return;
      }
      const isTaken = socket.write(piece);
      if (every > 0) {
        setTimeout(next, every);
      } else if (isTaken) {
        setImmediate(next);
      } else {
        socket.once('drain', next);
      }
    };
    next();
  };

const redirect = (status: string, to: (request: FaultyRequest) => string): Answering =>
  answering((_, request) => ({ status, headers: { location: to(request) }, body: Buffer.alloc(0) }));

const afterTurns = (turns: number, action: () => void): void =>
  void setImmediate(() => (turns === 0 ? action() : afterTurns(turns - 1, action)));

const page = '<!doctype html><title>Sign in to the network</title><p>Please sign in.';
const bomb = gzipSync(Buffer.alloc(30_000_000));

/** Faults of the way there: no answer comes. */
export const connections: readonly Row[] = [
  {
    name: 'its name is not found',
    fault: { lookup: 'not found' },
    // The service was never asked before it was found.
    async: 'completed after network',
    inline: 'completed after network',
    query: 'completed after network',
    download: 'completed after trouble',
  },
  {
    name: 'its port is closed',
    fault: { lookup: 'closed port' },
    async: 'completed after network',
    inline: 'completed after network',
    query: 'completed after network',
    download: 'completed after trouble',
  },
  {
    name: 'its certificate is not trusted',
    fault: { certificate: 'untrusted' },
    // It would be the same again, until a user does something about it.
    async: 'failed network no',
    inline: 'failed network no',
    query: askedAgain,
    download: fetchedAgain,
  },
  {
    name: 'the connection breaks before it is secure',
    fault: { certificate: 'none' },
    async: again,
    inline: again,
    query: askedAgain,
    download: fetchedAgain,
  },
  {
    name: 'the connection is closed as soon as it stands',
    fault: { connected: (socket) => void socket.end() },
    async: unknown,
    inline: unknown,
    query: askedAgain,
    download: fetchedAgain,
  },
  {
    name: 'the connection is reset in the middle of the request',
    fault: { started: (socket) => void socket.resetAndDestroy() },
    async: unknown,
    inline: unknown,
    query: askedAgain,
    download: fetchedAgain,
  },
  {
    name: 'the connection is reset after the request',
    fault: { answer: ({ socket }) => void socket.resetAndDestroy() },
    async: unknown,
    inline: unknown,
    query: askedAgain,
    download: fetchedAgain,
  },
  {
    name: 'the connection is closed after the request',
    fault: { answer: ({ socket }) => void socket.end() },
    async: unknown,
    inline: unknown,
    query: askedAgain,
    download: fetchedAgain,
  },
  {
    name: 'no answer comes',
    fault: { answer: () => undefined },
    impatience: { headers: brief },
    async: 'unknown timeout maybe',
    inline: 'unknown timeout maybe',
    query: 'completed ×2 after timeout',
    download: fetchedAgain,
  },
];

/** Faults of the answer's head. */
export const heads: readonly Row[] = [
  {
    name: 'the headers stall',
    fault: { answer: ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\nContent-Type: appl') },
    impatience: { headers: brief },
    async: 'unknown timeout maybe',
    inline: 'unknown timeout maybe',
    query: 'completed ×2 after timeout',
    download: fetchedAgain,
  },
  {
    name: 'the headers break off',
    fault: { answer: ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\nContent-Type: appl') },
    async: unknown,
    inline: unknown,
    query: askedAgain,
    download: fetchedAgain,
  },
  {
    name: 'the headers never end',
    fault: {
      answer: ({ socket }) =>
        void socket.write(`HTTP/1.1 200 OK\r\n${'X-Pad: 0123456789\r\n'.repeat(20_000)}`),
    },
    async: unknown,
    inline: unknown,
    query: askedAgain,
    download: fetchedAgain,
  },
  {
    name: 'it speaks another protocol',
    fault: { answer: ({ socket }) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n') },
    async: unknown,
    inline: unknown,
    query: askedAgain,
    download: fetchedAgain,
  },
  {
    name: 'two lengths contradict each other',
    fault: {
      answer: raw(({ body }) => ['HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n', body]),
    },
    async: unknown,
    inline: unknown,
    query: askedAgain,
    download: fetchedAgain,
  },
  {
    name: 'interim answers come before the answer',
    fault: {
      answer: (request) => {
        request.socket.write('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n');
        send(request.socket, request.answer);
      },
    },
    async: 'completed',
    inline: 'completed',
    query: 'completed',
    download: 'completed',
  },
];

/** Faults of the answer's body. */
export const bodies: readonly Row[] = [
  {
    name: 'the body stalls',
    fault: { answer: (request) => begin(request) },
    impatience: { idle: brief, statusWhole: brief },
    // The header names the task.
    async: 'completed',
    inline: 'unknown timeout maybe',
    query: 'completed ×2 after timeout',
    download: fetchedAgain,
  },
  {
    name: 'the body is reset',
    fault: {
      answer: (request) => {
        begin(request);
        // Not before what came has been read.
        afterTurns(20, () => request.socket.resetAndDestroy());
      },
    },
    async: 'completed',
    inline: unknown,
    query: askedAgain,
    download: fetchedAgain,
  },
  {
    name: 'the body is shorter than its length',
    fault: {
      answer: (request) => {
        begin(request);
        request.socket.end();
      },
    },
    async: 'completed',
    inline: unknown,
    query: askedAgain,
    download: fetchedAgain,
  },
  {
    name: 'the body without a length breaks off',
    fault: { answer: raw((answer) => [headOf(answer), answer.body.subarray(0, answer.body.length / 2)]) },
    async: 'completed',
    inline: unknown,
    query: askedAgain,
    // It ends as a whole one does, but its picture does not.
    download: fetchedAgain,
  },
  {
    name: 'the body in chunks breaks off',
    fault: {
      answer: raw(({ status, headers, body }) => [
        headOf({ status, headers: { ...headers, 'transfer-encoding': 'chunked' }, body }),
        `${body.length.toString(16)}\r\n`,
        body,
        '\r\n',
      ]),
    },
    async: 'completed',
    // What is said is whole; of a stream nobody knows.
    inline: 'completed',
    query: 'completed',
    download: fetchedAgain,
    differs: { nativeStream: 'completed network yes' },
  },
  {
    name: 'the body in chunks never ends',
    fault: {
      answer: ({ socket, answer: { status, headers, body } }) =>
        void socket.write(
          Buffer.concat([
            headOf({ status, headers: { ...headers, 'transfer-encoding': 'chunked' }, body }),
            Buffer.from(`${body.length.toString(16)}\r\n`),
            body,
            Buffer.from('\r\n'),
          ]),
        ),
    },
    impatience: { idle: 5000 },
    async: 'completed',
    inline: 'completed',
    query: 'completed',
    download: fetchedAgain,
    differs: { nativeStream: 'completed timeout yes' },
  },
  {
    name: 'a chunk has no size',
    fault: {
      answer: raw(({ status, headers, body }) => [
        headOf({ status, headers: { ...headers, 'transfer-encoding': 'chunked' }, body }),
        'none of them\r\n',
        body,
      ]),
    },
    async: 'completed',
    inline: unknown,
    query: askedAgain,
    download: fetchedAgain,
  },
  {
    name: 'more comes than its length says',
    fault: {
      answer: ({ socket, answer }) =>
        void socket.end(
          Buffer.concat([
            headOf({
              ...answer,
              headers: { ...answer.headers, 'content-length': String(answer.body.length) },
            }),
            answer.body,
            Buffer.from('{"and":"more"}'),
          ]),
        ),
    },
    async: 'completed',
    inline: 'completed',
    query: 'completed',
    download: 'completed',
  },
  {
    name: 'its length cuts it off',
    fault: {
      answer: answering(({ headers, body }) => ({
        headers: { ...headers, 'content-length': String(Math.floor(body.length / 2)) },
      })),
    },
    async: 'completed',
    inline: unknown,
    query: askedAgain,
  },
  {
    name: 'the body is empty',
    fault: { answer: saying('') },
    async: 'completed',
    inline: garbled,
    query: 'completed ×2 after protocol',
    download: fetchedAgain,
  },
  {
    name: 'an endless text',
    fault: { answer: endless('0123456789abcdef'.repeat(4096), '{"remark":"') },
    async: 'completed',
    inline: garbled,
    query: 'completed ×2 after protocol',
    // 20 MB are the most.
    download: 'failed result_too_large yes, then completed',
  },
  {
    name: 'endless blanks',
    fault: { answer: endless(' \n'.repeat(262_144)) },
    async: 'completed',
    query: 'completed ×2 after protocol',
    download: 'failed result_too_large yes, then completed',
    differs: { sync: garbled },
  },
  {
    name: 'endless blanks for a native call',
    fault: { answer: endless(' '.repeat(65_536), '', 5) },
    differs: { native: garbled, nativeStream: garbled },
  },
  ...(
    [
      ['an endless picture', '{"data":[{"b64_json":"', 'Rk9Y'],
      ['endless comments of an event stream', '', ': keep-alive\n\n'],
      ['endless data of an event without sense', 'data: }', ' ', garbled],
    ] as const
  ).map(([name, beginning, piece, outcome = 'unknown timeout maybe']): Row => ({
    name,
    // Time limits end these; at full speed they would only keep the processor busy until then.
    fault: { answer: endless(piece.repeat(65_536), beginning, 5) },
    impatience: { whole: brief },
    differs: { native: outcome, nativeStream: outcome },
  })),
  {
    name: 'endless events',
    fault: { answer: endless('data: {}\n\n'.repeat(8192)) },
    differs: { native: garbled, nativeStream: garbled },
  },
  {
    name: 'a body that drips for ever',
    fault: { answer: endless(' ', '', 5) },
    impatience: { whole: brief, statusWhole: brief },
    async: 'completed',
    inline: 'unknown timeout maybe',
    query: 'completed ×2 after timeout',
    download: fetchedAgain,
  },
  {
    name: 'a body that drips to its end',
    fault: {
      answer: ({ socket, answer }) => {
        socket.setNoDelay().write(headOf(answer));
        const piece = Math.ceil(answer.body.length / 40);
        const drip = (body: Buffer): void => {
          socket.write(body.subarray(0, piece));
          if (body.length > piece) {
            setTimeout(() => drip(body.subarray(piece)), 3);
          } else {
            socket.end();
          }
        };
        drip(answer.body);
      },
    },
    async: 'completed',
    inline: 'completed',
    query: 'completed',
    download: 'completed',
  },
];

/** Faults of the body's encoding; none is asked for. */
export const encodings: readonly Row[] = [
  ...(
    [
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
      ['deflate', deflateSync],
    ] as const
  ).map(([encoding, encode]) => ({
    name: `${encoding} that nobody asked for`,
    fault: { answer: encoded(encoding, encode) },
    async: 'completed',
    inline: 'completed',
    query: 'completed',
    download: 'completed',
  })),
  {
    name: 'gzip that is cut off',
    fault: { answer: encoded('gzip', (body) => gzipSync(body).subarray(0, 8)) },
    async: 'completed',
    inline: unknown,
    // Not every `fetch` notices.
    download: fetchedAgain,
  },
  {
    name: 'gzip that is none',
    fault: { answer: encoded('gzip', (body) => body) },
    async: 'completed',
    inline: unknown,
    query: askedAgain,
    download: fetchedAgain,
  },
  {
    name: 'an encoding that nobody knows',
    fault: { answer: encoded('limner', (body) => Buffer.alloc(body.length, 0xff)) },
    async: 'completed',
    inline: garbled,
    query: 'completed ×2 after protocol',
    download: fetchedAgain,
  },
  {
    name: 'a gzip bomb',
    fault: { answer: encoded('gzip', () => bomb) },
    async: 'completed',
    inline: garbled,
    query: 'completed ×2 after protocol',
    download: 'failed result_too_large yes, then completed',
  },
];

/** Answers that are no fault of the network, but of the service. */
export const answers: readonly Row[] = [
  {
    name: 'a page in place of the answer',
    fault: {
      answer: answering(() => ({
        status: '200 OK',
        headers: { 'content-type': 'text/html' },
        body: Buffer.from(page),
      })),
    },
    async: garbled,
    inline: garbled,
    query: 'completed ×2 after protocol',
    download: fetchedAgain,
  },
  ...['null', '[]', '7', '"text"'].map((body): Row => ({
    name: `no object in JSON: ${body}`,
    fault: { answer: saying(body) },
    async: 'completed',
    inline: garbled,
    query: 'completed ×2 after protocol',
  })),
  ...['{}', '{"data":{}}', '{"data":"text"}', '{"data":[null,7,"x",[]]}'].map((body): Row => ({
    name: `nothing in JSON: ${body}`,
    fault: { answer: saying(body) },
    async: 'completed',
    inline: 'failed empty_result maybe',
    query: 'completed ×2 after protocol',
  })),
  ...[
    '{"data":[{"b64_json":7}]}',
    '{"data":[{"b64_json":null,"url":[]}]}',
    '{"data":[{"url":""}],"error":null}',
    '{"candidates":{}}',
    '{"candidates":[{"content":{"parts":[{"inlineData":"x"},7,{"text":[]}]}}]}',
  ].map((body): Row => ({
    name: `JSON of wrong types: ${body}`,
    fault: { answer: saying(body) },
    async: 'completed',
    inline: 'failed empty_result maybe',
    query: 'completed ×2 after protocol',
  })),
  {
    name: 'a task of wrong types',
    fault: { answer: saying('{"id":{},"status":7,"progress":[],"created_at":"x","data":"y","error":3}') },
    async: 'completed',
    query: 'completed ×2 after protocol',
  },
  {
    name: 'no content',
    fault: { answer: answering(() => ({ status: '204 No Content', headers: {}, body: Buffer.alloc(0) })) },
    async: garbled,
    inline: garbled,
    query: 'completed ×2 after protocol',
    download: fetchedAgain,
  },
  {
    name: '202 without Location',
    fault: { answer: answering(() => ({ headers: { 'content-type': 'application/json' } })) },
    async: 'completed',
  },
  {
    name: '202 without Location and id',
    fault: {
      answer: answering(() => ({
        headers: { 'content-type': 'application/json' },
        body: Buffer.from('{"status":"queued"}'),
      })),
    },
    async: 'unknown outcome_unknown maybe',
  },
  {
    name: '202 without an id in the body',
    fault: { answer: saying('{"object":"image.generation.task","status":"queued"}') },
    async: 'completed',
  },
  {
    name: '202 with a foreign Location, and an id in the body',
    fault: {
      answer: answering(({ headers }, { elsewhere }) => ({
        headers: { ...headers, location: `${elsewhere}/v1/images/generations/task_9` },
      })),
    },
    async: 'completed',
  },
  {
    name: '202 with a foreign Location and nothing else',
    fault: {
      answer: answering(({ headers }, { elsewhere }) => ({
        headers: { location: `${elsewhere}${new URL(String(headers['location']), elsewhere).pathname}` },
        body: Buffer.from('{}'),
      })),
    },
    // Its id is asked for at the service alone.
    async: 'completed',
  },
  {
    name: '202 with a Location that is none',
    fault: {
      answer: answering(() => ({ headers: { location: 'http://[' }, body: Buffer.from('{}') })),
    },
    async: 'unknown outcome_unknown maybe',
  },
  {
    name: 'a node that does not know the task yet',
    fault: {
      answer: answering(() => ({
        status: '404 Not Found',
        body: Buffer.from('{"error":{"message":"Task not found","code":"task_not_found"}}'),
      })),
    },
    query: 'completed ×2 after task_not_found',
  },
  {
    name: 'a page of a gateway that says when to come back',
    fault: {
      answer: answering(() => ({
        status: '503 Service Unavailable',
        headers: { 'content-type': 'text/html', 'retry-after': '2' },
        body: Buffer.from('<title>Maintenance</title>'),
      })),
    },
    async: 'completed ×2 after queue_full',
    inline: 'unknown outcome_unknown maybe',
  },
  {
    name: 'a task with 200 in place of 202',
    fault: { answer: answering(() => ({ status: '200 OK' })) },
    async: 'completed',
  },
  {
    name: 'a task with 200 and without a status',
    fault: {
      answer: answering(() => ({
        status: '200 OK',
        headers: {},
        body: Buffer.from('{"id":"task_1","object":"image.generation.task"}'),
      })),
    },
    async: 'completed',
    differs: { sync: 'completed' },
  },
  {
    name: 'nothing but a Location with 201',
    fault: {
      answer: answering(() => ({
        status: '201 Created',
        headers: { location: '/v1/images/generations/task_1' },
        body: Buffer.alloc(0),
      })),
    },
    async: 'completed',
    differs: { sync: 'completed' },
  },
  {
    name: 'pictures with 200 in place of 202',
    fault: {
      answer: answering(() => ({
        status: '200 OK',
        headers: {},
        body: Buffer.from(JSON.stringify({ data: [{ b64_json: picture.toString('base64') }] })),
      })),
    },
    async: 'completed',
  },
  {
    name: 'a task in place of pictures',
    fault: {
      answer: answering(() => ({
        status: '202 Accepted',
        headers: { location: '/v1/images/generations/task_1' },
        body: Buffer.from('{"id":"task_1","status":"queued"}'),
      })),
    },
    differs: { sync: 'completed' },
  },
  ...[
    '301 Moved Permanently',
    '302 Found',
    '303 See Other',
    '307 Temporary Redirect',
    '308 Permanent Redirect',
  ].flatMap((status): Row[] => [
    {
      name: `${status.slice(0, 3)} within the origin`,
      fault: {
        answer: redirect(status, ({ endpoint }) => (endpoint === 'download' ? '2.png' : '/v2/images')),
      },
      async: 'failed protocol no',
      inline: 'failed protocol no',
      query: 'completed ×2 after protocol',
      download: 'completed ×2',
    },
    {
      name: `${status.slice(0, 3)} to another origin`,
      fault: { answer: redirect(status, ({ elsewhere }) => `${elsewhere}/api/async-images/1.png`) },
      async: 'failed protocol no',
      inline: 'failed protocol no',
      query: 'completed ×2 after protocol',
      // Without the key.
      download: 'completed',
    },
  ]),
  {
    name: 'a redirect to nowhere',
    fault: { answer: answering(() => ({ status: '302 Found', headers: {}, body: Buffer.alloc(0) })) },
    async: 'failed protocol no',
    inline: 'failed protocol no',
    query: 'completed ×2 after protocol',
    download: fetchedAgain,
  },
  ...['403 Forbidden', '404 Not Found', '410 Gone'].map((status): Row => ({
    name: `a picture that is not there yet: ${status}`,
    fault: { answer: answering(() => ({ status })), times: 5 },
    download: 'completed ×6 after trouble',
  })),
  {
    name: 'a redirect in a circle',
    fault: { answer: redirect('302 Found', () => '/api/async-images/1.png'), times: 4 },
    download: 'completed ×5 after trouble',
  },
];

/** A status and what becomes of a task that meets it, whatever the words that come with it. */
export interface StatusRow extends Omit<Row, 'name' | 'fault'> {
  status: number;
  /** Where it makes a difference that no error was worded, only a page or nothing. */
  plain?: Pick<Row, 'async' | 'inline' | 'query'>;
  /** Where a page makes another difference. */
  page?: Pick<Row, 'async' | 'inline'>;
}

/** The ways in which services word an error. */
export const wordings: Readonly<Record<string, (status: number) => Buffer>> = {
  OpenAI: () => json({ error: { message: 'Not now.', type: 'some_error', code: 'some_code' } }),
  Google: (status) => json({ error: { code: status, message: 'Not now.', status: 'SOME_STATUS' } }),
  flat: () => json({ message: 'Not now.', code: 'some_code' }),
  HTML: () => Buffer.from('<html><head><title>Not now</title></head><body>Come back later.</body></html>'),
  empty: () => Buffer.alloc(0),
};

/** Every status that a service or a gateway before it refuses with. */
export const statuses: readonly StatusRow[] = [
  ...[400, 409, 413, 422].map((status) => ({
    status,
    async: 'failed invalid_request no',
    inline: 'failed invalid_request no',
    // No such word about a paid task fails it.
    query: 'completed ×2 after invalid_request',
    download: fetchedAgain,
  })),
  {
    status: 404,
    async: 'failed invalid_request no',
    inline: 'failed invalid_request no',
    // Not the service's word about the task, but of something before it.
    query: 'completed ×2 after task_query_failed',
    download: fetchedAgain,
  },
  { status: 410, download: fetchedAgain },
  {
    status: 401,
    async: 'failed unauthorized no',
    inline: 'failed unauthorized no',
    query: 'completed ×2 after unauthorized',
    download: fetchedAgain,
  },
  {
    status: 402,
    async: 'failed quota_exceeded no',
    inline: 'failed quota_exceeded no',
    query: 'completed ×2 after invalid_request',
    download: fetchedAgain,
  },
  {
    status: 403,
    async: 'failed unauthorized no',
    inline: 'failed unauthorized no',
    query: 'completed ×2 after unauthorized',
    // The page of a proxy or a gateway is no word about the key.
    plain: { query: 'completed ×2 after task_query_failed' },
    page: { async: 'failed invalid_request no', inline: 'failed invalid_request no' },
    download: fetchedAgain,
  },
  {
    status: 408,
    async: 'unknown outcome_unknown maybe',
    inline: 'unknown outcome_unknown maybe',
    query: 'completed ×2 after task_query_failed',
    download: fetchedAgain,
  },
  {
    status: 429,
    async: 'completed ×2 after rate_limited',
    inline: 'completed ×2 after rate_limited',
    query: 'completed ×2 after rate_limited',
    download: fetchedAgain,
  },
  {
    status: 500,
    async: 'failed image_generation_failed maybe',
    inline: 'failed image_generation_failed maybe',
    plain: { async: 'unknown outcome_unknown maybe', inline: 'unknown outcome_unknown maybe' },
    query: 'completed ×2 after task_query_failed',
    download: fetchedAgain,
  },
  // They come from what stands before the service, which may have taken the request.
  ...[502, 504].map((status) => ({
    status,
    async: 'unknown outcome_unknown maybe',
    inline: 'unknown outcome_unknown maybe',
    query: 'completed ×2 after task_query_failed',
    download: fetchedAgain,
  })),
  {
    status: 503,
    async: 'completed ×2 after queue_full',
    inline: 'failed image_generation_failed maybe',
    // A page may come from a gateway that lost the service after that had taken the request.
    plain: { async: 'unknown outcome_unknown maybe', inline: 'unknown outcome_unknown maybe' },
    query: 'completed ×2 after task_query_failed',
    download: fetchedAgain,
  },
];

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** The answer with a status, in one of the wordings. */
export function refusal(status: number, wording: string): Fault {
  const body = wordings[wording]?.(status) ?? Buffer.alloc(0);
  const mediaType = wording === 'HTML' ? 'text/html' : 'application/json';
  return {
    answer: answering(() => ({
      status: `${status} Refused`,
      headers: { 'content-type': mediaType },
      body,
    })),
  };
}

/** What a row says about an endpoint; nothing where the fault cannot happen. */
export function outcomeAt(row: Omit<Row, 'name' | 'fault'>, endpoint: Endpoint): Outcome | undefined {
  const special = row.differs?.[endpoint];
  if (special !== undefined) {
    return special;
  }
  switch (endpoint) {
    case 'generate':
    case 'edit':
      return row.async;
    case 'sync':
    case 'native':
    case 'nativeStream':
      return row.inline;
    case 'query':
      return row.query;
    case 'download':
      return row.download;
  }
}
