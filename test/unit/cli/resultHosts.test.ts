import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { pngFile } from '../../support/images/pngFile.ts';
import { World } from '../../support/cli/limner.ts';

const picture = pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 0, lines: [0, 0] });

/** A host of pictures at an address that is reached here and that no service may send anybody to. */
async function refusedHost(test: TestContext): Promise<string> {
  const server = createServer((_, response) => response.end(picture));
  await once(server.listen(0, '0.0.0.0'), 'listening');
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return `0.0.0.0:${address.port}`;
}

describe('limner, sent to a host that results may not come from', () => {
  it('says how to allow it, and then fetches the picture without paying again', async (test) => {
    const host = await refusedHost(test);
    const body = JSON.stringify({ created: 1, data: [{ url: `http://${host}/a.png` }] });
    const answer = { code: '', message: '', headers: { 'content-type': 'application/json' }, body };
    const fault = { kind: 'status', on: 'generations', times: 1, skip: 0, status: 200, ...answer } as const;
    await using world = await World.open({ faults: [fault] });
    const { code, stdout, stderr } = await world.run(['generate', 'a fox', '--call-style', 'sync']);
    assert.ok(
      stderr.includes(`add ${host} to LIMNER_RESULT_HOSTS, then run "limner tasks --resume"`),
      stderr,
    );
    assert.deepEqual([code, stdout], [1, '']);

    assert.equal((await world.run(['tasks', '--resume'])).code, 1);
    const hosts = { LIMNER_RESULT_HOSTS: `images.example, ${host}` };
    const resumed = await world.run(['tasks', '--resume'], hosts);
    assert.equal(resumed.stdout, `${world.path('a-fox.png')}\n`, resumed.stderr);
    assert.equal(resumed.code, 0);
    assert.equal((await world.posts()).length, 1);
  });
});
