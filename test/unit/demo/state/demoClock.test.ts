import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DemoClock } from '../../../../src/demo/state/demoClock.ts';
import { Random } from '../../../support/random.ts';

it('frozen time passes only when it is moved', async () => {
  const clock = new DemoClock('frozen', 1000);
  let rang = false;
  clock.schedule(50, () => {
    rang = true;
  });
  await clock.advance(49);
  assert.equal(rang, false);
  assert.equal(clock.now(), 1049);
  await clock.advance(1);
  assert.equal(rang, true);
});

it('what becomes due on the way happens at its own time and in its order', async () => {
  const clock = new DemoClock('frozen', 0);
  const seen: [string, number][] = [];
  const note = (name: string) => () => {
    seen.push([name, clock.now()]);
  };
  clock.schedule(30, note('late'));
  clock.schedule(10, () => {
    note('early')();
    clock.schedule(5, note('in between'));
  });
  await clock.advance(100);
  assert.deepEqual(seen, [
    ['early', 10],
    ['in between', 15],
    ['late', 30],
  ]);
  assert.equal(clock.now(), 100);
});

it('moving the clock waits for what it brought about', async () => {
  const clock = new DemoClock('frozen', 0);
  let done = false;
  clock.schedule(10, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    done = true;
  });
  await clock.advance(10);
  assert.equal(done, true);
});

it('running time goes on from where it was moved to', async () => {
  const clock = new DemoClock('running', 5_000_000);
  const before = clock.now();
  // Not the time of the machine.
  assert.ok(before >= 5_000_000 && before < 6_000_000);
  await clock.advance(3_600_000);
  assert.ok(clock.now() >= 8_600_000 && clock.now() < 9_600_000);
  await clock.wait(1);
  clock.dispose();
});

it('keeps no process alive for what is set up after its end', () => {
  const before = timers();
  const clock = new DemoClock('running');
  clock.schedule(60_000, () => {});
  clock.schedule(30_000, () => {});
  assert.equal(timers(), before + 1);
  clock.dispose();
  assert.equal(timers(), before);
  clock.schedule(60_000, () => {});
  assert.equal(timers(), before);
});

it('what is due soon after time was moved happens by itself', async () => {
  const clock = new DemoClock('running');
  const due = clock.wait(3_600_000);
  await clock.advance(3_599_999);
  await due;
  clock.dispose();
});

it('nothing happens any more after its end', async () => {
  const clock = new DemoClock('frozen', 0);
  let rang = false;
  clock.schedule(1, () => {
    rang = true;
  });
  clock.dispose();
  await clock.advance(10);
  assert.equal(rang, false);
});

it('what becomes due at one time happens in the order in which it was set up', async () => {
  const clock = new DemoClock('frozen', 0);
  const seen: number[] = [];
  for (const [index, delay] of [20, 10, 20, 10, 5].entries()) {
    clock.schedule(delay, () => void seen.push(index));
  }
  await clock.advance(20);
  assert.deepEqual(seen, [4, 1, 3, 0, 2]);
});

it('what is due at once happens in frozen time too, and years ahead are no mistake', async (test) => {
  const frozen = new DemoClock('frozen', 0);
  await frozen.wait(0);
  assert.equal(frozen.now(), 0);
  const delays: unknown[] = [];
  test.mock.method(globalThis, 'setTimeout', (_: unknown, delay: unknown) => delays.push(delay));
  frozen.schedule(1, () => {});
  assert.deepEqual(delays, []);
  const running = new DemoClock('running');
  running.schedule(365 * 86_400_000, () => {});
  running.schedule(1000, () => {});
  const [long, short] = delays.map(Number);
  // Longer ones would go off at once.
  assert.equal(long, 2 ** 31 - 1);
  assert.ok(short !== undefined && short > 900 && short <= 1000);
});

it('moving running time waits for what became due by itself', async () => {
  const clock = new DemoClock('running');
  const begun = Promise.withResolvers<void>();
  let done = false;
  clock.schedule(0, async () => {
    begun.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    done = true;
  });
  await begun.promise;
  await clock.advance(1);
  assert.equal(done, true);
  clock.dispose();
});

it('moving the clock waits for what becomes due by itself on the way', async () => {
  const clock = new DemoClock('frozen', 0);
  const begun = Promise.withResolvers<void>();
  const seen: string[] = [];
  clock.schedule(10, async () => {
    clock.schedule(0, async () => {
      begun.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      seen.push('at once');
    });
    await begun.promise;
  });
  clock.schedule(20, () => void seen.push('later'));
  await clock.advance(20);
  assert.deepEqual(seen, ['at once', 'later']);
});

it('whatever is set up, and however time is moved, all happens at its time and in its order', async () => {
  const random = new Random(7);
  for (let round = 0; round < 30; round++) {
    const start = random.below(1000);
    const clock = new DemoClock('frozen', start);
    const expected: [due: number, name: number][] = [];
    const seen: [at: number, name: number][] = [];
    let names = 0;
    const schedule = (depth: number): void => {
      const name = names++;
      const delay = 1 + random.below(12);
      expected.push([clock.now() + delay, name]);
      clock.schedule(delay, () => {
        seen.push([clock.now(), name]);
        if (depth < 3 && random.below(2) === 0) {
          schedule(depth + 1);
        }
      });
    };
    let now = start;
    for (let step = 0; step < 8; step++) {
      schedule(0);
      const forward = random.below(6);
      await clock.advance(forward);
      now += forward;
      assert.equal(clock.now(), now);
      const due = expected.filter(([at]) => at <= now);
      assert.deepEqual(
        seen,
        due.toSorted(([one, first], [other, second]) => one - other || first - second),
      );
    }
  }
});

/** Returns the number of timers that keep this process alive. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}
