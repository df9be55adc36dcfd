import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { LimnerError } from '../../../../src/common/limnerError.ts';
import { RepeatGuard } from '../../../../src/vscode/generate/repeatGuard.ts';

void describe('runs that were started just now', () => {
  let now: number;
  let guard: RepeatGuard<number>;
  let count: number;

  beforeEach(() => {
    now = 0;
    count = 0;
    guard = new RepeatGuard(() => now);
  });

  const endless = async (): Promise<number> => {
    count++;
    return new Promise(() => {});
  };
  const quick = async (): Promise<number> => ++count;

  void it('are one for a key that is held down, however long, whether it has ended or not', async () => {
    for (const pause of [0, 2500, ...Array.from({ length: 200 }, () => 33)]) {
      now += pause;
      void guard.once('a fox', endless);
      assert.equal(await guard.once('an owl', quick), 2);
    }
    assert.equal(count, 2);
  });

  void it('are others for other arguments, and with the next press', async () => {
    assert.equal(await guard.once('a fox', quick), 1);
    assert.equal(await guard.once('a hen', quick), 2);
    now += 3100;
    assert.equal(await guard.once('a fox', quick), 3);
  });

  void it('fail alike, and are forgotten where that cost nothing', async () => {
    for (const [what, options, message] of [
      ['a fox', { billing: 'maybe' }, 'run 1'],
      ['a fox', { billing: 'maybe' }, 'run 1'],
      ['a hen', { sent: false }, 'run 2'],
      ['a hen', { billing: 'no' }, 'run 3'],
      ['a hen', { billing: 'no' }, 'run 4'],
    ] as const) {
      const fail = async (): Promise<never> => {
        throw new LimnerError('network', `run ${++count}`, options);
      };
      await assert.rejects(guard.once(what, fail), { message });
    }
  });

  void it('are forgotten where a question was dismissed', async () => {
    const dismiss = async (): Promise<never> => {
      count++;
      throw Object.assign(new Error('Canceled'), { name: 'Canceled' });
    };
    await assert.rejects(guard.once('a fox', dismiss));
    await assert.rejects(guard.once('a fox', dismiss));
    assert.equal(count, 2);
  });
});
