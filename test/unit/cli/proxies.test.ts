import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answering } from '../service/loopback.ts';
import { World } from './limner.ts';

/** Every usual variable, set to this. */
function proxied(address: string): Record<string, string> {
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];
  return Object.fromEntries(names.map((name) => [name, address]));
}

describe('limner where every request goes through a proxy', { concurrency: 2, timeout: 120_000 }, () => {
  for (const host of ['127.0.0.1', 'localhost', 'localhost.']) {
    it(`shows it nothing of a service on this machine, ${host}`, async (test) => {
      await using world = await World.open();
      const proxy = await answering(test, 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
      const { code, stdout, stderr } = await world.run(['generate', 'a fox', '--size', '64x64'], {
        ...proxied(proxy.url.origin),
        LIMNER_BASE_URL: world.demo.baseUrl.replace('127.0.0.1', host),
      });
      assert.equal(stdout, `${world.path('a-fox.png')}\n`, stderr);
      assert.equal(code, 0);
      assert.equal(proxy.connections.length, 0);
    });
  }
});
