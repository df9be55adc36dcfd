import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { World } from '../../../support/cli/limner.ts';

/** What moves a cursor, sets a title, ends a line or turns the direction of writing around. */
const hostile = '\u001b[2J\u001b]0;title\u0007\u009b31m\r\n\u2028forged: line\u202e\u2066\b\u007f';

function assertOnlyShown(text: string, where: string): void {
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u, where);
  assert.doesNotMatch(text, /^\s*forged/mu, where);
}

describe('limner, shown hostile texts', { concurrency: 2 }, () => {
  it('writes no control sequence of a prompt to the terminal', async () => {
    await using world = await World.open();
    for (const args of [
      ['generate', `a ${hostile} fox`, '--size', '64x64', '--verbose'],
      ['generate', `a ${hostile} fox`, '--size', '64x64', '--json'],
      ['tasks'],
      ['tasks', '--json'],
    ]) {
      const { code, stdout, stderr } = await world.run(args);
      assert.equal(code, 0, stderr);
      assertOnlyShown(stdout, `stdout of ${args[0]}`);
      assertOnlyShown(stderr, `stderr of ${args[0]}`);
    }
  });

  it("writes none of the service's words", async () => {
    await using world = await World.open({
      faults: [
        {
          kind: 'status',
          on: 'any',
          times: 0,
          skip: 0,
          status: 400,
          code: hostile,
          message: hostile,
          headers: {},
        },
      ],
    });
    for (const args of [
      ['generate', 'a fox', '--verbose'],
      ['generate', 'a fox', '--json'],
      ['tasks'],
      ['tasks', '--json'],
    ]) {
      const { stdout, stderr } = await world.run(args);
      assert.match(stdout + stderr, /title/u);
      assertOnlyShown(stdout, `stdout of ${args[0]}`);
      assertOnlyShown(stderr, `stderr of ${args[0]}`);
    }
  });
});
