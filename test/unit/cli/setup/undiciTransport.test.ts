import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import type { RequestBody } from '../../../../src/service/http/transport.ts';
import { listenUntilEnd } from '../../../support/service/listenUntilEnd.ts';
import { closedPort, listen } from '../../../support/service/loopback.ts';
import { describeTransport } from '../../../support/service/transportConformance.ts';
import { undiciTransport } from '../../../support/cli/undici.ts';

describeTransport('UndiciTransport', () => undiciTransport(), {
  posts: true,
  decodes: true,
  connects: true,
});

const timeouts = { connect: 20_000, headers: 20_000, idle: 20_000, whole: 20_000 };

describe('UndiciTransport behind a proxy', () => {
  const url = new URL('http://known-to-the-proxy-only.invalid/images');

  it('lets the proxy find the host', async (test) => {
    const proxy = await listen(test, async ({ socket, ...connection }) => {
      const first = await connection.received('\r\n\r\n');
      if (first.startsWith('CONNECT ')) {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        await connection.received('GET ');
      }
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\nby proxy');
    });
    const transport = undiciTransport({ http: proxy.url.origin });
    const response = await transport.request({ method: 'GET', url, timeouts });
    assert.equal(await text(response.body), 'by proxy');
  });

  it('knows that nothing left where the proxy wants a sign-in, or forbids it, and that this lasts', async (test) => {
    for (const status of [407, 403]) {
      const proxy = await listen(test, async ({ socket, ...connection }) => {
        await connection.received('\r\n\r\n');
        socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
      });
      const transport = undiciTransport({ https: proxy.url.origin });
      const request = { method: 'GET', url: new URL('https://service.invalid/'), timeouts } as const;
      await assert.rejects(transport.request(request), { code: 'network', sent: false, lasting: true });
    }
  });

  it('knows that nothing left when the proxy does not answer', async () => {
    const transport = undiciTransport({ http: `http://127.0.0.1:${await closedPort()}` });
    await assert.rejects(transport.request({ method: 'GET', url, timeouts }), {
      code: 'network',
      sent: false,
    });
  });
});

/** A server that keeps connections open for ever, and counts them. */
async function serve(
  test: TestContext,
  answer: http.RequestListener,
): Promise<{ url: URL; connections: Socket[] }> {
  const connections: Socket[] = [];
  const server = http.createServer({ keepAliveTimeout: 0 }, answer);
  server.on('connection', (socket: Socket) => connections.push(socket));
  return { url: new URL(`http://127.0.0.1:${await listenUntilEnd(test, server)}/`), connections };
}

describe('The connections of UndiciTransport', () => {
  const body = { length: 2, open: () => Readable.from([Buffer.from('{}')], { objectMode: false }) };

  it('are shared by what only asks, and not by what may cost something', async (test) => {
    const { url, connections } = await serve(test, (_, response) => {
      response.setHeader('keep-alive', 'timeout=600').end('answer');
    });
    const transport = undiciTransport();
    /** Asks five times, and returns the connections that were opened for it. */
    async function opened(
      more: { method: 'GET' } | { method: 'POST'; body: RequestBody },
    ): Promise<Socket[]> {
      const before = connections.length;
      for (let turn = 0; turn < 5; turn++) {
        assert.equal(await text((await transport.request({ url, timeouts, ...more })).body), 'answer');
        await new Promise(setImmediate);
      }
      return connections.slice(before);
    }
    const shared = await opened({ method: 'GET' });
    assert.ok(shared.length > 0 && shared.length < 5, String(shared.length));
    const own = await opened({ method: 'POST', body });
    assert.equal(own.length, 5);
    // Those of a single request end with it.
    for (const connection of own) {
      if (!connection.destroyed) {
        await once(connection, 'close');
      }
    }
    assert.ok(shared.every(({ destroyed }) => !destroyed));
  });

  it('are open until the whole answer is there', async (test) => {
    const more = Promise.withResolvers<void>();
    const { url } = await serve(test, (_, response) => {
      response.write('the begin');
      void more.promise.then(() => response.end('ning'));
    });
    const response = await undiciTransport().request({ method: 'POST', url, body, timeouts });
    const parts: string[] = [];
    for await (const part of response.body) {
      parts.push(String(part));
      more.resolve();
    }
    assert.equal(parts.join(''), 'the beginning');
  });
});
