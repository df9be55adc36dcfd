import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { FetchTransport } from '../../../../src/service/http/fetchTransport.ts';
import { HttpsTransport } from '../../../../src/service/http/httpsTransport.ts';
import { ImageService } from '../../../../src/service/wire/imageService.ts';
import type { Transport } from '../../../../src/service/http/transport.ts';
import { edit, generation, inputFile } from '../../../support/service/requestBuilders.ts';
import { answering, listen, type LoopbackServer } from '../../../support/service/loopback.ts';
import { MemorySinks } from '../../../support/service/sinks.ts';

/** Tells when an answer begins. */
class ReportingTransport implements Transport {
  readonly #transport: Transport;
  readonly #onAnswer: () => void;

  constructor(transport: Transport, onAnswer: () => void) {
    this.#transport = transport;
    this.#onAnswer = onAnswer;
  }

  readonly request: Transport['request'] = async (request) => {
    const response = await this.#transport.request(request);
    setImmediate(this.#onAnswer);
    return response;
  };
}

function serviceAt(
  { port }: LoopbackServer,
  posts: Transport = new HttpsTransport(),
  polls: Transport = new FetchTransport(),
): ImageService {
  return new ImageService({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: 'sk-secret',
    transports: { posts, polls },
    requestTimeout: 900_000,
  });
}

/** Begins an answer that never ends. */
async function stalling(
  test: TestContext,
  status: string,
  { headers = '', body = '' } = {},
): Promise<LoopbackServer> {
  return listen(test, async (connection) => {
    await connection.received('\r\n\r\n');
    connection.socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 1000\r\n${headers}\r\n${body}`);
  });
}

const { openSink } = new MemorySinks();
const location = 'Location: /v1/images/generations/task_7\r\n';

describe('ImageService, when a body stalls that only explains its status', () => {
  it('waits half a minute for such a body', async (test) => {
    const server = await answering(test, 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
    const asked: unknown[] = [];
    const posts: Transport = {
      request: (request) => {
        asked.push(request.timeouts);
        return new HttpsTransport().request(request);
      },
    };
    await assert.rejects(serviceAt(server, posts).submit(generation(), 'sync', new MemorySinks()));
    assert.deepEqual(asked, [
      { connect: 15_000, headers: 900_000, idle: 900_000, whole: 3_600_000, statusWhole: 30_000 },
    ]);
  });
});

describe('ImageService, when it is stopped while the service never comes to an end', () => {
  it('settles during an upload', async (test) => {
    const controller = new AbortController();
    const file = new Readable({ read() {} });
    file.push('the first pixels');
    const server = await listen(test, async (connection) => {
      await connection.received('the first pixels');
      controller.abort();
    });
    const images = [inputFile('', { size: 1_000_000, open: () => file })];
    const closed = new Promise<void>((resolve) => {
      file.once('close', () => resolve());
    });
    await assert.rejects(
      serviceAt(server).submit(edit({ images }), 'async', {
        openSink,
        signal: controller.signal,
      }),
      { code: 'stopped', phase: 'submit', sent: true, billing: 'maybe' },
    );
    await server.connections[0]?.closed;
    file.push('the next pixels');
    await closed;
  });

  it('settles during several native calls, and makes none of the others', async (test) => {
    const controller = new AbortController();
    const server = await listen(test, async (connection, index) => {
      await connection.received('responseModalities');
      if (index === 3) {
        controller.abort();
      }
    });
    await assert.rejects(
      serviceAt(server).submit(generation({ family: 'native', n: 9 }), 'native', {
        openSink,
        signal: controller.signal,
      }),
      { code: 'stopped', phase: 'submit', billing: 'maybe' },
    );
    await Promise.all(server.connections.map(({ closed }) => closed));
    assert.equal(server.connections.length, 4);
  });

  it('settles during the body of an error, whose status says enough', async (test) => {
    const controller = new AbortController();
    const server = await stalling(test, '429 Busy', { body: '{"error":' });
    const posts = new ReportingTransport(new HttpsTransport(), () => controller.abort());
    await assert.rejects(
      serviceAt(server, posts).submit(generation(), 'async', {
        openSink,
        signal: controller.signal,
      }),
      { code: 'rate_limited', billing: 'no' },
    );
    await server.connections[0]?.closed;
  });

  it('settles during the body of an accepted task, without losing its id', async (test) => {
    const controller = new AbortController();
    const server = await stalling(test, '202 Accepted', { headers: location, body: '{"object":' });
    const posts = new ReportingTransport(new HttpsTransport(), () => controller.abort());
    const submission = await serviceAt(server, posts).submit(generation(), 'async', {
      openSink,
      signal: controller.signal,
    });
    assert.deepEqual(submission, { kind: 'accepted', task: { id: 'task_7', status: 'queued' } });
    await server.connections[0]?.closed;
  });
});

describe('ImageService, when the service answers with a redirect', () => {
  for (const status of [
    '301 Moved Permanently',
    '302 Found',
    '307 Temporary Redirect',
    '308 Permanent Redirect',
  ]) {
    it(`keeps the key at its origin: ${status}`, async (test) => {
      const elsewhere = await listen(test, () => undefined);
      const server = await answering(
        test,
        `HTTP/1.1 ${status}\r\nLocation: http://127.0.0.1:${elsewhere.port}/v1/images/generations\r\n` +
          'Content-Length: 0\r\nConnection: close\r\n\r\n',
      );
      const service = serviceAt(server);
      const expected = { code: 'protocol', message: /redirect/u };
      await assert.rejects(service.submit(generation(), 'async', new MemorySinks()), expected);
      await assert.rejects(service.submit(edit(), 'async', new MemorySinks()), expected);
      await assert.rejects(service.submit(generation(), 'native', new MemorySinks()), expected);
      await assert.rejects(service.query('task_7', new MemorySinks()), expected);
      assert.equal(server.connections.length, 4);
      assert.equal(elsewhere.connections.length, 0);
    });
  }
});
