import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DemoServiceOptions } from '../../../../src/demo/endpoints/options.ts';
import { type Running, World } from '../../../support/cli/limner.ts';
import { McpSession, textOf } from '../../../support/cli/mcpSession.ts';

const hour = 3_600_000;
const fox = { prompt: 'a fox', path: 'fox.png', size: '64x64' };
/** The answer to the one submission comes when the clock of the service gets there. */
const slow: Record<'async' | 'sync', DemoServiceOptions> = {
  async: {
    clock: 'frozen',
    faults: [{ kind: 'delay', on: 'generations', times: 1, skip: 0, milliseconds: hour }],
  },
  sync: { clock: 'frozen', syncDuration: hour },
};

/** Starts a server that gets a call by hand, and waits until the service has its request. */
async function serving(world: World, env: Record<string, string> = {}): Promise<Running> {
  const { env: variables } = world.mcp(env);
  const running = world.start(['mcp'], variables);
  const params = { name: 'limner_generate_image', arguments: fox };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  running.child.stdin.write(`${JSON.stringify(call)}\n`);
  await world.got(1);
  return running;
}

describe('limner mcp at its end', { concurrency: 2 }, () => {
  for (const [name, style, expected] of [
    ['SIGTERM', 'async', 143],
    ['SIGINT', 'sync', 130],
    ['end of input', 'async', 0],
  ] as const) {
    it(`waits for the answer to an open request, on ${name} (${style})`, async () => {
      await using world = await World.open(slow[style]);
      const env = { LIMNER_CALL_STYLE: style };
      const running = await serving(world, env);
      if (name === 'end of input') {
        running.child.stdin.end();
      } else {
        running.kill(name);
        await running.said('Press Ctrl+C again to exit immediately');
      }
      await world.demo.advance(hour);
      const { code, signal } = await running.ended;
      assert.deepEqual([code, signal], [expected, null]);

      await using next = await McpSession.open(world, { env });
      const text = textOf(await next.call('limner_generate_image', fox));
      assert.match(text, /^This call was made already\./u);
      assert.match(text, /^Saved fox\.png /mu);
      assert.equal((await world.posts()).length, 1);
    });
  }

  it('ends at once on a second signal, and the next process knows what may have been billed', async () => {
    await using world = await World.open(slow.sync);
    const env = { LIMNER_CALL_STYLE: 'sync' };
    const running = await serving(world, env);
    running.child.stdin.end();
    running.kill('SIGTERM');
    await running.said('Press Ctrl+C again to exit immediately');
    running.kill('SIGTERM');
    assert.equal((await running.ended).code, 143);

    await using next = await McpSession.open(world, { env });
    const text = textOf(await next.call('limner_generate_image', fox));
    assert.match(text, /^This call was made already\..*the service may have billed 1 image\./su);
    assert.deepEqual([(await world.tasks())[0]?.status, (await world.posts()).length], ['unknown', 1]);
  });

  it('ends without a word where the client is gone before it began', async () => {
    await using world = await World.open();
    const { code, stdout, stderr } = await world.run(['mcp']);
    assert.deepEqual([code, stdout, stderr], [0, '', '']);
  });

  it('says why it ends when a message is too long for it', async () => {
    await using world = await World.open();
    const running = world.start(['mcp'], world.mcp({}).env);
    running.child.stdin.on('error', () => undefined);
    running.child.stdin.write('x'.repeat(11 * 1024 * 1024));
    const { code, stderr } = await running.ended;
    assert.deepEqual([code, stderr], [1, 'The client sent a message longer than 10 MB.\n']);
  });
});
