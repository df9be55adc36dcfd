import assert from 'node:assert/strict';
import { it } from 'node:test';
import { firstIdAt, newTaskId } from '../../../../src/engine/task/taskId.ts';
import { Random } from '../../../support/random.ts';

it('ids of tasks sort by the time at which they were made, in whatever order they are made', () => {
  const random = new Random(7);
  // Later than those that other tests in this process may have made.
  const start = 5_000_000_000_000;
  let before = newTaskId(start);
  for (let count = 0; count < 200; count++) {
    // Often the same millisecond, and sometimes the clock is set back.
    const id = newTaskId(start + random.below(50) - 10);
    assert.match(id, /^[0-9a-hjkmnp-tv-z]{17}$/u);
    assert.ok(id > before, `${id} after ${before}`);
    before = id;
  }
});

it('ids of tasks are after the first of their time, and before that of the next', () => {
  const random = new Random(8);
  let time = 6_000_000_000_000;
  for (let count = 0; count < 200; count++) {
    time += 1 + random.below(2 ** 20);
    const id = newTaskId(time);
    assert.ok(firstIdAt(time) <= id && id < firstIdAt(time + 1), `${time}`);
    assert.equal(firstIdAt(time + 0.5), firstIdAt(time));
  }
  assert.ok(firstIdAt(0) <= firstIdAt(1) && firstIdAt(31) < firstIdAt(32));
  assert.equal(firstIdAt(-5), firstIdAt(0));
});

it('ids of tasks are guessed by nobody', () => {
  const time = 9_000_000_000_000;
  const ends = Array.from({ length: 300 }, () => newTaskId(time).slice(9));
  assert.equal(new Set(ends).size, 300);
  assert.deepEqual([...new Set(ends.join(''))].toSorted().join(''), '0123456789abcdefghjkmnpqrstvwxyz');
});
