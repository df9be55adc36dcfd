import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import tls from 'node:tls';
import zlib from 'node:zlib';
import { LimnerError } from '../../../src/common/limnerError.ts';
import type {
  RequestBody,
  Transport,
  TransportRequest,
  TransportResponse,
} from '../../../src/service/http/transport.ts';
import { settle } from '../manualClock.ts';
import { answering, closedPort, listen } from './loopback.ts';
import { selfSigned } from './selfSigned.ts';

/** The abilities of a transport beyond a plain GET. */
export interface TransportAbilities {
  /** Sends bodies, each over a connection of its own. */
  posts: boolean;
  /** Undoes content encodings itself, and so notices one that ends early inside an answer that does not. */
  decodes: boolean;
  /** Takes a name resolution, and has a time limit of its own for connecting. */
  connects: boolean;
}

const patient = { connect: 20_000, headers: 20_000, idle: 20_000, whole: 20_000 };
const brief = 50;
const large = Buffer.alloc(1_000_000, 'Limner');
/** Longer than any test may take. */
const unlimited = 600_000;
const plain = Buffer.from('sunset over the sea '.repeat(10_000));
/** Bytes that no encoding makes fewer. */
const noise = Buffer.concat(
  Array.from({ length: 40_000 }, (_, index) => createHash('sha256').update(String(index)).digest()),
);

function get(url: URL, more: Partial<TransportRequest> = {}): TransportRequest {
  return { method: 'GET', url, timeouts: patient, ...more };
}

function post(url: URL, body: RequestBody, more: Partial<TransportRequest> = {}): TransportRequest {
  return { method: 'POST', url, body, timeouts: patient, ...more };
}

function bytes(content: Buffer | string): RequestBody {
  const whole = Buffer.from(content);
  return { length: whole.length, open: () => Readable.from([whole], { objectMode: false }) };
}

/** A body that begins and then waits for the test. */
function openEnded(length: number): RequestBody & { stream: Readable } {
  const stream = new Readable({ read() {} });
  stream.push('begin');
  return { length, open: () => stream, stream };
}

async function errorOf(promise: Promise<unknown>): Promise<LimnerError> {
  const error: unknown = await promise.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof LimnerError, `not a LimnerError: ${String(error)}`);
  return error;
}

async function bodyError(response: TransportResponse): Promise<LimnerError> {
  return errorOf(buffer(response.body));
}

/** An HTTP server for tests about ordinary answers. */
async function serve(test: TestContext, handler: http.RequestListener): Promise<URL> {
  const server = http.createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return new URL(`http://127.0.0.1:${address.port}/path?query=1`);
}

/** Describes the behavior of every `Transport`, on real sockets. */
export function describeTransport(
  name: string,
  create: () => Transport,
  abilities: TransportAbilities,
): void {
  describe(`${name}: ordinary answers`, () => {
    it('sends method, path, query and headers, and gives status, headers and body', async (test) => {
      const url = await serve(test, (request, response) => {
        assert.equal(request.method, 'GET');
        response.writeHead(207, { 'X-Kind': 'test' });
        response.end(`${request.url} ${String(request.headers['x-ask'])} ${request.headers.host}`);
      });
      const response = await create().request(get(url, { headers: { 'x-ask': 'yes' } }));
      assert.equal(response.statusCode, 207);
      assert.equal(response.headers['x-kind'], 'test');
      assert.equal(await text(response.body), `/path?query=1 yes ${url.host}`);
    });

    it('takes an error status for an answer', async (test) => {
      const server = await answering(
        test,
        'HTTP/1.1 503 Busy\r\nRetry-After: 3\r\nContent-Length: 4\r\n\r\nbusy',
      );
      const response = await create().request(get(server.url));
      assert.equal(response.statusCode, 503);
      assert.equal(response.headers['retry-after'], '3');
      assert.equal(await text(response.body), 'busy');
    });

    for (const status of ['204 No Content', '304 Not Modified', '202 Accepted']) {
      it(`ends the body of an answer without one: ${status}`, async (test) => {
        const length = status.startsWith('202') ? 'Content-Length: 0\r\n' : '';
        const server = await answering(test, `HTTP/1.1 ${status}\r\n${length}\r\n`);
        const response = await create().request(get(server.url));
        assert.equal(response.statusCode, Number.parseInt(status, 10));
        assert.equal(await text(response.body), '');
      });
    }

    it('follows no redirect', async (test) => {
      const server = await answering(
        test,
        'HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n',
      );
      const response = await create().request(get(server.url));
      assert.equal(response.statusCode, 302);
      assert.equal(response.headers['location'], '/there');
      await text(response.body);
      assert.equal(server.connections.length, 1);
    });

    for (const [kind, header] of Object.entries({
      'a counted body': `Content-Length: ${large.length}\r\n`,
      'a body without a length': '',
    })) {
      it(`delivers ${kind} whole to a slow reader, although the connection ends meanwhile`, async (test) => {
        const head = Buffer.from(`HTTP/1.1 200 OK\r\n${header}Connection: close\r\n\r\n`);
        const server = await answering(test, Buffer.concat([head, large]));
        for (let round = 0; round < 5; round++) {
          const { body } = await create().request(get(server.url));
          const pieces: Buffer[] = [];
          for await (const piece of body as AsyncIterable<Buffer>) {
            pieces.push(piece);
            await settle();
          }
          assert.ok(Buffer.concat(pieces).equals(large));
        }
      });
    }

    it('delivers a large body byte for byte', async (test) => {
      const url = await serve(test, (_request, response) => response.end(large));
      const response = await create().request(get(url));
      assert.ok(large.equals(await buffer(response.body)));
    });
  });

  describe(`${name}: encoded answers`, () => {
    const fastBrotli = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } };
    const encoded: Record<string, [string, (whole: Buffer) => Buffer]> = {
      gzip: ['gzip', (whole) => zlib.gzipSync(whole)],
      'gzip by its old name': ['x-gzip', (whole) => zlib.gzipSync(whole)],
      brotli: ['br', (whole) => zlib.brotliCompressSync(whole, fastBrotli)],
      zstd: ['zstd', (whole) => zlib.zstdCompressSync(whole)],
      'deflate with its header': ['deflate', (whole) => zlib.deflateSync(whole)],
      'deflate without its header': ['deflate', (whole) => zlib.deflateRawSync(whole)],
    };
    for (const [kind, [encoding, encode]] of Object.entries(encoded)) {
      it(`undoes ${kind}, also for a slow reader`, async (test) => {
        for (const whole of [plain, noise, Buffer.alloc(0)]) {
          const url = await serve(test, (_request, response) => {
            response.writeHead(200, { 'content-encoding': encoding });
            response.end(encode(whole));
          });
          const { body } = await create().request(get(url));
          const pieces: Buffer[] = [];
          for await (const piece of body as AsyncIterable<Buffer>) {
            pieces.push(piece);
            await settle();
          }
          assert.ok(Buffer.concat(pieces).equals(whole));
        }
      });
    }
  });

  describe(`${name}: failures`, () => {
    it('knows that nothing left when the host has no address', async () => {
      const error = await errorOf(create().request(get(new URL('http://nowhere.invalid/'))));
      assert.equal(error.code, 'network');
      assert.equal(error.sent, false);
      assert.match(error.message, /^Couldn't resolve the host name nowhere\.invalid /u);
    });

    it('knows that nothing left when the connection is refused', async () => {
      const error = await errorOf(create().request(get(new URL(`http://127.0.0.1:${await closedPort()}/`))));
      assert.equal(error.code, 'network');
      assert.equal(error.sent, false);
    });

    it('knows that nothing left when the certificate is not trusted', async (test) => {
      const server = tls.createServer(selfSigned).listen(0, '127.0.0.1');
      server.on('tlsClientError', () => undefined);
      await once(server, 'listening');
      test.after(() => server.close());
      const address = server.address();
      assert.ok(address !== null && typeof address === 'object');
      const error = await errorOf(create().request(get(new URL(`https://localhost:${address.port}/`))));
      assert.equal(error.code, 'network');
      assert.equal(error.sent, false);
      assert.match(error.message, /certificate/u);
    });

    it('does not claim that nothing left when the connection is reset instead of an answer', async (test) => {
      const server = await listen(test, async (connection) => {
        await connection.received('\r\n\r\n');
        connection.socket.resetAndDestroy();
      });
      const error = await errorOf(create().request(get(server.url)));
      assert.equal(error.code, 'network');
      assert.equal(error.sent, true);
    });

    it('does not claim that nothing left when the answer breaks off in its headers', async (test) => {
      const server = await answering(test, 'HTTP/1.1 200 OK\r\nContent-Le');
      const error = await errorOf(create().request(get(server.url)));
      assert.equal(error.code, 'network');
      assert.equal(error.sent, true);
    });

    it('reports an answer that is no HTTP', async (test) => {
      const server = await answering(test, 'SSH-2.0-OpenSSH_9.6\r\n');
      const error = await errorOf(create().request(get(server.url)));
      assert.equal(error.code, 'network');
      assert.equal(error.sent, true);
    });

    for (const [kind, answer] of Object.entries({
      'a counted body': 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly the beginning',
      'a chunked body': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n12\r\nonly the beginning\r\n',
    })) {
      it(`gives what came of ${kind} that is cut off, then an error`, async (test) => {
        const server = await answering(test, answer);
        const response = await create().request(get(server.url));
        let came = '';
        response.body.on('data', (chunk: Buffer) => {
          came += chunk.toString();
        });
        const error = await bodyError(response);
        assert.equal(error.code, 'network');
        assert.equal(error.sent, true);
        assert.equal(came, 'only the beginning');
      });
    }

    it('reports a reset in the middle of the body', async (test) => {
      const server = await listen(test, async (connection) => {
        await connection.received('\r\n\r\n');
        connection.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin');
        await connection.received('never');
      });
      const response = await create().request(get(server.url));
      response.body.once('data', () => server.connections[0]?.socket.resetAndDestroy());
      assert.equal((await bodyError(response)).code, 'network');
    });
  });

  describe(`${name}: time limits`, () => {
    it('waits for headers no longer than it should', async (test) => {
      const server = await listen(test, () => undefined);
      const error = await errorOf(
        create().request(get(server.url, { timeouts: { ...patient, headers: brief } })),
      );
      assert.equal(error.code, 'timeout');
      assert.equal(error.sent, true);
      assert.match(error.message, /didn't start to respond/u);
      await server.connections[0]?.closed;
    });

    it('waits for the rest of a body no longer than it should', async (test) => {
      const server = await listen(test, async (connection) => {
        await connection.received('\r\n\r\n');
        connection.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin');
      });
      const response = await create().request(get(server.url, { timeouts: { ...patient, idle: brief } }));
      const error = await bodyError(response);
      assert.equal(error.code, 'timeout');
      assert.match(error.message, /stalled/u);
      await server.connections[0]?.closed;
    });
  });

  describe(`${name}: bodies that never end`, () => {
    it('are given up after the time for the whole, however steadily they drip', async (test) => {
      const server = await listen(test, async (connection) => {
        await connection.received('\r\n\r\n');
        connection.socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const drip = setInterval(() => connection.socket.write('drop'), 1);
        connection.socket.on('error', () => undefined).once('close', () => clearInterval(drip));
      });
      const response = await create().request(get(server.url, { timeouts: { ...patient, whole: brief } }));
      assert.equal((await bodyError(response)).code, 'timeout');
      await server.connections[0]?.closed;
    });
  });

  describe(`${name}: bodies that only explain a status`, () => {
    for (const status of ['202 Accepted', '307 Temporary Redirect', '400 Bad Request', '503 Busy']) {
      it(`are not waited for as long as a result: ${status}`, async (test) => {
        const server = await listen(test, async (connection) => {
          await connection.received('\r\n\r\n');
          connection.socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 100\r\n\r\nbegin`);
        });
        const timeouts = { ...patient, idle: unlimited, whole: unlimited, statusWhole: brief };
        const response = await create().request(get(server.url, { timeouts }));
        assert.equal((await bodyError(response)).code, 'timeout');
        await server.connections[0]?.closed;
      });
    }

    it('leave a result the time it needs', async (test) => {
      const server = await listen(test, async (connection) => {
        await connection.received('\r\n\r\n');
        connection.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin');
      });
      const timeouts = { ...patient, idle: brief, statusWhole: unlimited };
      const response = await create().request(get(server.url, { timeouts }));
      assert.equal((await bodyError(response)).code, 'timeout');
    });
  });

  describe(`${name}: cancellation`, () => {
    it('sends nothing for a signal that is aborted already', async (test) => {
      const server = await listen(test, () => undefined);
      const error = await errorOf(create().request(get(server.url, { signal: AbortSignal.abort() })));
      assert.equal(error.code, 'stopped');
      assert.equal(error.sent, false);
      assert.equal(server.connections.length, 0);
    });

    it('stops while it waits for an answer', async (test) => {
      const controller = new AbortController();
      const server = await listen(test, async (connection) => {
        await connection.received('\r\n\r\n');
        controller.abort();
      });
      const error = await errorOf(create().request(get(server.url, { signal: controller.signal })));
      assert.equal(error.code, 'stopped');
      assert.equal(error.sent, true);
      await server.connections[0]?.closed;
    });

    it('stops in the middle of a body', async (test) => {
      const controller = new AbortController();
      const server = await listen(test, async (connection) => {
        await connection.received('\r\n\r\n');
        connection.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin');
      });
      const response = await create().request(get(server.url, { signal: controller.signal }));
      response.body.once('data', () => controller.abort());
      assert.equal((await bodyError(response)).code, 'stopped');
      await server.connections[0]?.closed;
    });

    it('closes the connection when nobody wants the rest of a body', async (test) => {
      const server = await listen(test, async (connection) => {
        await connection.received('\r\n\r\n');
        connection.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin');
      });
      const response = await create().request(get(server.url));
      response.body.destroy();
      await server.connections[0]?.closed;
    });
  });

  if (abilities.decodes) {
    describeDecoding(name, create);
  }
  if (abilities.posts) {
    describePosts(name, create);
  }
  if (abilities.connects) {
    describeConnecting(name, create);
  }
}

function describePosts(name: string, create: () => Transport): void {
  describe(`${name}: requests with a body`, () => {
    it('sends the body with its exact length, not in chunks', async (test) => {
      const url = await serve(test, (request, response) => {
        response.end(`${request.headers['content-length']} ${request.headers['transfer-encoding']}`);
      });
      const response = await create().request(post(url, bytes('a prompt')));
      assert.equal(await text(response.body), '8 undefined');
    });

    it('sends a large body byte for byte', async (test) => {
      const large = Buffer.alloc(5_000_000, 'pixels');
      const url = await serve(test, (request, response) => {
        void buffer(request).then((got) => response.end(String(got.equals(large))));
      });
      const response = await create().request(post(url, bytes(large)));
      assert.equal(await text(response.body), 'true');
    });

    it('opens a fresh connection for every request, whatever the service offers', async (test) => {
      const sockets = new Set<unknown>();
      const url = await serve(test, (request, response) => {
        sockets.add(request.socket);
        response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'timeout=60' });
        response.end();
      });
      const transport = create();
      for (let count = 0; count < 3; count += 1) {
        const response = await transport.request(post(url, bytes('x')));
        await text(response.body);
      }
      assert.equal(sockets.size, 3);
    });

    it('takes an answer that comes before the body is sent', async (test) => {
      const server = await listen(test, async (connection) => {
        await connection.received('begin');
        connection.socket.write(
          'HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig',
        );
      });
      const body = openEnded(1_000_000);
      const response = await create().request(post(server.url, body));
      assert.equal(response.statusCode, 413);
      response.body.destroy();
    });

    it('passes on what goes wrong with the body, and breaks the request off', async (test) => {
      const server = await listen(test, async (connection) => {
        await connection.received('begin');
        body.stream.destroy(new LimnerError('invalid_request', 'the file changed'));
      });
      const body = openEnded(1_000_000);
      const error = await errorOf(create().request(post(server.url, body)));
      assert.equal(error.code, 'invalid_request');
      await server.connections[0]?.closed;
    });

    it('has a time limit for a service that takes no more of the body', async (test) => {
      const server = await listen(test, ({ socket }) => {
        socket.pause();
      });
      const endless: RequestBody = {
        length: 1e12,
        open: () =>
          new Readable({
            read() {
              this.push(Buffer.alloc(65_536));
            },
          }),
      };
      const error = await errorOf(
        create().request(post(server.url, endless, { timeouts: { ...patient, idle: brief } })),
      );
      assert.equal(error.code, 'timeout');
      assert.equal(error.sent, true);
      assert.match(error.message, /accepted no more/u);
    });

    it('does not claim that nothing left when the connection is reset in the middle of the body', async (test) => {
      const server = await listen(test, async (connection) => {
        await connection.received('begin');
        connection.socket.resetAndDestroy();
      });
      const error = await errorOf(create().request(post(server.url, openEnded(1_000_000))));
      assert.equal(error.code, 'network');
      assert.equal(error.sent, true);
    });

    it('waits for headers from the last byte of the body on', async (test) => {
      const server = await listen(test, async (connection) => {
        await connection.received('begin');
        body.stream.push('end');
        body.stream.push(null);
      });
      const body = openEnded(8);
      const error = await errorOf(
        create().request(post(server.url, body, { timeouts: { ...patient, headers: brief } })),
      );
      assert.equal(error.code, 'timeout');
      assert.match(error.message, /didn't start to respond/u);
      assert.match((await server.connections[0]?.received('beginend')) ?? '', /content-length: 8/iu);
    });
  });
}

function describeConnecting(name: string, create: () => Transport): void {
  describe(`${name}: connecting`, () => {
    it('waits for a connection no longer than it should, and knows that nothing left', async (test) => {
      const server = await listen(test, () => undefined);
      const url = new URL(`https://127.0.0.1:${server.port}/`);
      const error = await errorOf(
        create().request(post(url, bytes('x'), { timeouts: { ...patient, connect: brief } })),
      );
      assert.equal(error.code, 'timeout');
      assert.equal(error.sent, false);
      assert.match(error.message, /Couldn't reach/u);
      await server.connections[0]?.closed;
    });

    it('stops while it connects, and knows that nothing left', async (test) => {
      const controller = new AbortController();
      const server = await listen(test, () => controller.abort());
      const url = new URL(`https://127.0.0.1:${server.port}/`);
      const error = await errorOf(create().request(get(url, { signal: controller.signal })));
      assert.equal(error.code, 'stopped');
      assert.equal(error.sent, false);
    });

    it('knows that nothing left when the connection breaks before it is secure', async (test) => {
      const server = await listen(test, ({ socket }) => {
        socket.once('data', () => socket.resetAndDestroy());
      });
      const url = new URL(`https://127.0.0.1:${server.port}/`);
      const error = await errorOf(create().request(post(url, bytes('x'))));
      assert.equal(error.code, 'network');
      assert.equal(error.sent, false);
    });

    it('resolves names the way it is told to', async (test) => {
      const server = await answering(test, 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      const asked: string[] = [];
      const response = await create().request(
        get(new URL(`http://images.example:${server.port}/`), {
          lookup: (host, options, callback) => {
            asked.push(host);
            if (options.all === true) {
              callback(null, [{ address: '127.0.0.1', family: 4 }]);
            } else {
              callback(null, '127.0.0.1', 4);
            }
          },
        }),
      );
      assert.equal(await text(response.body), 'ok');
      assert.deepEqual(asked, ['images.example']);
    });

    it('passes on why a name was not resolved', async () => {
      const refusal = new LimnerError('result_refused', 'not from there', { sent: false });
      const error = await errorOf(
        create().request(
          get(new URL('http://images.example/'), {
            lookup: (_host, _options, callback) => callback(refusal, ''),
          }),
        ),
      );
      assert.equal(error.code, 'result_refused');
    });
  });
}

function describeDecoding(name: string, create: () => Transport): void {
  describe(`${name}: damaged encodings`, () => {
    it('says so when an encoded body is cut short', async (test) => {
      const url = await serve(test, (_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(zlib.gzipSync(plain).subarray(0, 100));
      });
      const response = await create().request(get(url));
      assert.equal((await bodyError(response)).code, 'network');
    });

    it('says so when it does not know the encoding', async (test) => {
      const url = await serve(test, (_request, response) => {
        response.writeHead(200, { 'content-encoding': 'zstd-next' });
        response.end('?');
      });
      const response = await create().request(get(url));
      assert.equal((await bodyError(response)).code, 'protocol');
    });

    it('undoes one encoding over another', async (test) => {
      const url = await serve(test, (_request, response) => {
        response.writeHead(200, { 'content-encoding': 'Deflate, GZIP' });
        response.end(zlib.gzipSync(zlib.deflateSync(plain)));
      });
      const response = await create().request(get(url));
      assert.ok(plain.equals(await buffer(response.body)));
    });
  });
}
