import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '../../../support/eventually.ts';
import { answering, listen } from '../../../support/service/loopback.ts';
import { jsonError, World } from '../../../support/cli/limner.ts';

const elsewhere = 'https://images.example';

/** Every usual variable, set to this. */
function proxied(address: string): Record<string, string> {
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];
  return Object.fromEntries(names.map((name) => [name, address]));
}

describe('limner where every request goes through a proxy', { concurrency: 2 }, () => {
  for (const host of ['127.0.0.1', 'localhost.']) {
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

  it('finds a proxy that is named without a scheme, behind a blank variable', async (test) => {
    await using world = await World.open();
    const proxy = await listen(test, () => undefined);
    const running = world.start(['generate', 'a fox'], {
      LIMNER_BASE_URL: elsewhere,
      https_proxy: ' ',
      HTTPS_PROXY: ` 127.0.0.1:${proxy.port} `,
    });
    await eventually(
      'the proxy is asked',
      async () => Promise.resolve(proxy.connections.length),
      (count) => count > 0,
    );
    const [connection] = proxy.connections;
    assert.match((await connection?.received('\r\n\r\n')) ?? '', /^CONNECT images\.example:443 /);
    running.kill('SIGKILL');
  });

  it('says which variable is wrong and not what is in it', async () => {
    const value = 'http://ada:100%secret@127.0.0.1:1';
    await using world = await World.open();
    for (const args of [
      ['generate', 'a', '--folder', 'new'],
      ['tasks', '--resume'],
    ]) {
      const { code, stdout, stderr } = await world.run([...args, '--json'], { HTTPS_PROXY: value });
      assert.deepEqual([jsonError(stdout).code, code], ['invalid_request', 2]);
      assert.match(stderr, /^error: HTTPS_PROXY isn't a valid proxy URL, .* Not billed\.\n$/);
      assert.doesNotMatch(stdout + stderr, /secret/);
    }
    assert.deepEqual(await world.files(), []);
    const listed = await world.run(['tasks'], { HTTPS_PROXY: value });
    assert.deepEqual([listed.code, listed.stderr], [0, 'There are no tasks.\n']);
  });
});
