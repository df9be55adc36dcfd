import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { UndiciTransport } from '../../../src/cli/undiciTransport.ts';
import { Exchange } from '../../../src/service/exchange.ts';
import { listen } from '../service/loopback.ts';
import { describeTransport } from '../service/transportConformance.ts';

describeTransport('UndiciTransport', () => new UndiciTransport(Exchange), {
  posts: true,
  decodes: true,
  connects: true,
});

const timeouts = { connect: 20_000, headers: 20_000, idle: 20_000, whole: 20_000 };

function useProxy(test: TestContext, port: number): void {
  const before = process.env['http_proxy'];
  process.env['http_proxy'] = `http://127.0.0.1:${port}`;
  test.after(() => {
    if (before === undefined) delete process.env['http_proxy'];
    else process.env['http_proxy'] = before;
  });
}

describe('UndiciTransport behind a proxy from the environment', () => {
  it('lets the proxy find the host', async (test) => {
    const proxy = await listen(test, async ({ socket, ...connection }) => {
      const first = await connection.received('\r\n\r\n');
      if (first.startsWith('CONNECT ')) {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        await connection.received('GET ');
      }
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\nby proxy');
    });
    useProxy(test, proxy.port);
    const url = new URL('http://known-to-the-proxy-only.invalid/images');
    const response = await new UndiciTransport(Exchange).request({ method: 'GET', url, timeouts });
    assert.equal(await text(response.body), 'by proxy');
  });

  it('knows that nothing left when the proxy does not answer', async (test) => {
    useProxy(test, 1);
    const url = new URL('http://known-to-the-proxy-only.invalid/images');
    await assert.rejects(new UndiciTransport(Exchange).request({ method: 'GET', url, timeouts }), {
      code: 'network',
      sent: false,
    });
  });
});
