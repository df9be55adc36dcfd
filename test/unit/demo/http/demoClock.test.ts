import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DemoClock } from '../../../../src/demo/http/demoClock.ts';
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
