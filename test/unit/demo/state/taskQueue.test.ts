import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DemoClock } from '../../../../src/demo/state/demoClock.ts';
import { TaskQueue } from '../../../../src/demo/state/taskQueue.ts';

const account = { account: 'ada', family: 'image' } as const;

describe('the queue of the demo service', () => {
  it('works on so many tasks at once, in their order, and is full with so many that are not done', async () => {
    const clock = new DemoClock('frozen', 1000);
    const queue = new TaskQueue(clock, { capacity: 4, workers: 2 });
    const settled: string[] = [];
    const tasks = ['a', 'b', 'c', 'd'].map((name, index) => {
      assert.ok(!queue.isFull);
      const duration = 100 * (index + 1);
      const work = async (): Promise<never[]> => (name === 'c' ? Promise.reject(new Error('gone')) : []);
      return queue.submit({ ...account, duration }, work, ({ state }) =>
        settled.push(`${name} ${state.status}`),
      );
    });
    const statuses = (): string => tasks.map(({ state }) => state.status.slice(0, 2)).join(' ');
    assert.ok(queue.isFull);
    assert.equal(statuses(), 'qu qu qu qu');
    await clock.advance(0);
    assert.equal(statuses(), 'in in qu qu');
    await clock.advance(99);
    assert.ok(queue.isFull);
    await clock.advance(1);
    assert.ok(!queue.isFull);
    assert.equal(statuses(), 'co in in qu');
    await clock.advance(100);
    assert.equal(statuses(), 'co co in in');
    await clock.advance(200);
    assert.equal(statuses(), 'co co fa in');
    assert.deepEqual(tasks[2]?.state, { status: 'failed', message: 'gone' });
    await clock.advance(200);
    assert.deepEqual(settled, ['a completed', 'b completed', 'c failed', 'd completed']);
    assert.equal(new Set(tasks.map(({ id }) => id)).size, 4);
    assert.deepEqual(
      tasks.map(({ id, createdAt }) => [queue.find(id)?.id === id, createdAt]),
      tasks.map(() => [true, 1000]),
    );
    assert.equal(queue.find('task_'), undefined);
  });

  it('lets no task begin before there is a worker, however many are done', async () => {
    const clock = new DemoClock('frozen', 0);
    const queue = new TaskQueue(clock, { capacity: 9, workers: 1 });
    const submit = () =>
      queue.submit(
        { ...account, duration: 100 },
        async () => [],
        () => {},
      );
    const [first, second] = [submit(), submit()];
    await clock.advance(100);
    const third = submit();
    await clock.advance(0);
    assert.deepEqual(
      [first, second, third].map(({ state }) => state.status),
      ['completed', 'in_progress', 'queued'],
    );
  });

  it('tells the progress by the share of the time, and once it steps back', async () => {
    const clock = new DemoClock('frozen', 5000);
    const queue = new TaskQueue(clock, { capacity: 9, workers: 9 });
    const task = queue.submit(
      { ...account, duration: 1000 },
      async () => [],
      () => {},
    );
    const seen = [queue.progressOf(task)];
    for (const step of [0, 199, 1, 199, 1, 149, 1, 199, 1, 149, 1, 99, 1]) {
      await clock.advance(step);
      seen.push(queue.progressOf(task));
    }
    assert.deepEqual(seen, [10, 20, 20, 35, 35, 60, 60, 50, 50, 80, 80, 95, 95, 100]);
    const atWork: number[] = [];
    const instant = queue.submit(
      { ...account, duration: 0 },
      async () => {
        atWork.push(queue.progressOf(instant));
        return [];
      },
      () => {},
    );
    await clock.advance(0);
    // One that takes no time has just begun, and then is done.
    assert.deepEqual([...atWork, queue.progressOf(instant)], [20, 100]);
  });
});
