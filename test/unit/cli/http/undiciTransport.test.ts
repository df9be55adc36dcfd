import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
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

  it('knows that nothing left when the proxy does not answer', async () => {
    const transport = undiciTransport({ http: `http://127.0.0.1:${await closedPort()}` });
    await assert.rejects(transport.request({ method: 'GET', url, timeouts }), {
      code: 'network',
      sent: false,
    });
  });
});
