import assert from 'node:assert/strict';
import dns from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { HttpsTransport } from '../../../src/service/http/httpsTransport.ts';
import { AddressPolicy } from '../../../src/service/http/addressPolicy.ts';
import { PollTransport } from '../../../src/service/http/pollTransport.ts';
import type { Transport } from '../../../src/service/http/transport.ts';
import { undiciTransport } from '../../support/cli/undici.ts';

const timeouts = { connect: 20_000, headers: 20_000, idle: 20_000, whole: 20_000 };

/** A server on every address of this machine that answers with a text. */
async function answering(test: TestContext, answer: string): Promise<number> {
  const server = http.createServer((_, response) => response.end(answer));
  await once(server.listen(0), 'listening');
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}

/** Does what VS Code does to Node's modules: everything goes to its proxy. */
function patch(test: TestContext, proxy: string): void {
  const agent = new http.Agent();
  agent.createConnection = () => net.connect(Number(new URL(proxy).port), '127.0.0.1');
  const { request } = http;
  test.mock.method(http, 'request', (options: http.RequestOptions) => request({ ...options, agent }));
  const original = globalThis.fetch;
  test.mock.method(globalThis, 'fetch', async () => original(proxy));
}

const transports: Record<string, (proxy: string) => Transport> = {
  "the editor's for POSTs and downloads": () => new HttpsTransport(),
  "the editor's for polls": () => new PollTransport(),
  "the command line's": (proxy) => undiciTransport({ http: proxy, https: proxy }),
};

for (const [name, open] of Object.entries(transports)) {
  describe(`A transport behind a proxy that takes everything, ${name}`, () => {
    for (const host of ['127.0.0.2', '[::1]', 'localhost.']) {
      it(`reaches ${host} by itself, and asks no name server`, async (test) => {
        const proxy = `http://127.0.0.1:${await answering(test, 'the proxy')}`;
        const port = await answering(test, 'this machine');
        patch(test, proxy);
        test.mock.method(dns, 'lookup', () => assert.fail('A name server was asked.'));
        const url = new URL(`http://${host}:${port}/`);
        const response = await open(proxy).request({ method: 'GET', url, timeouts });
        assert.equal(await text(response.body), 'this machine');
      });
    }
  });
}

it('The policy for results knows the addresses of localhost, and asks no name server', async (test) => {
  test.mock.method(dns.promises, 'lookup', () => assert.fail('A name server was asked.'));
  const url = new URL('http://localhost/a.png');
  const policy = new AddressPolicy(new URL('http://127.0.0.1/'));
  await policy.check(url);
  const found = await new Promise((resolve, reject) => {
    policy.lookupFor(url)('localhost', { all: true }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    );
  });
  assert.deepEqual(found, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
});
