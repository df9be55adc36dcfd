import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { assertWithoutKey, canaryKey } from '../../support/canary.ts';
import { echoes, EchoingService } from '../../support/service/echoingService.ts';
import { World } from '../../support/cli/limner.ts';

/** The arguments of a process and of all that it started; none where the system shows no such thing. */
async function argumentsOf(id: string): Promise<string> {
  const read = async (name: string): Promise<string> =>
    readFile(`/proc/${id}/${name}`, 'latin1').catch(() => '');
  const [own, children] = await Promise.all([read('cmdline'), read(`task/${id}/children`)]);
  const others = await Promise.all(children.split(' ').filter(Boolean).map(argumentsOf));
  return [own, ...others].join('\n');
}

describe('limner, at a service that repeats the key', () => {
  it('shows it nowhere: paths, JSON, every detail, the list of tasks, the arguments of processes', async (test) => {
    await using world = await World.open();
    const service = await EchoingService.start(canaryKey);
    test.after(() => service.stop());
    const env = { LIMNER_BASE_URL: service.baseUrl, LIMNER_API_KEY: canaryKey };
    const assertShownNowhere = async (args: readonly string[]): Promise<void> => {
      const running = world.start(args, env);
      running.child.stdin.end();
      assertWithoutKey(
        await argumentsOf(String(running.child.pid)),
        canaryKey,
        `arguments, ${args.join(' ')}`,
      );
      const { stdout, stderr } = await running.ended;
      assertWithoutKey(stdout, canaryKey, `stdout, ${args.join(' ')}`);
      assertWithoutKey(stderr, canaryKey, `stderr, ${args.join(' ')}`);
      assert.notEqual(stdout + stderr, '');
    };
    // In turn for machines and for people; all at once, as most of the time they wait for their next poll.
    await Promise.all(
      echoes.map(async (echo, index) =>
        assertShownNowhere([
          'generate',
          `a fox echo-${echo}`,
          '--verbose',
          ...(index % 2 === 0 ? ['--json'] : []),
        ]),
      ),
    );
    await assertShownNowhere(['edit', 'echo-unauthorized', '--image', 'a-fox-echo-success.png', '--verbose']);
    await assertShownNowhere(['tasks']);
    await assertShownNowhere(['tasks', '--json']);
    assertWithoutKey(await world.stored(), canaryKey, 'the home folder');
    assertWithoutKey((await world.files()).join('\n'), canaryKey, 'file names');
    assertWithoutKey(service.elsewhere.join('\n'), canaryKey, 'another host');
  });
});
