import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { resumableTasks } from '../../../../src/cli/commands/resumeTasks.ts';
import { retention } from '../../../../src/common/resultAvailability.ts';
import { TaskStore } from '../../../../src/tasks/store/taskStore.ts';
import type { Task } from '../../../../src/tasks/task.ts';
import { aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { TestLog } from '../../../support/engine/world.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';

describe('limner tasks --resume without a task', () => {
  let folder: string;
  let store: TaskStore;
  before(async () => {
    folder = await mkdtemp(join(memoryFolder, 'limner-resume-'));
    const file = join(folder, 'limner.db');
    store = await TaskStore.open({ file, clock: new ManualClock(), log: new TestLog(), notice: () => {} });
  });
  after(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  const staged = { state: 'staged', stagedPath: '/w/0.image' } as const;
  const surplus = { surplus: true } as const;
  const cases: [string, boolean, Partial<Task>][] = [
    ['one that waits for a person', true, { held: true }],
    ['one at the service', true, { status: 'in_progress', remoteId: 'task_1' }],
    ['one whose key is missing', true, { status: 'needs_key', remoteId: 'task_1' }],
    ['one that was stopped at the service', true, { status: 'stopped', remoteId: 'task_1' }],
    ['one that was stopped before', false, { status: 'stopped' }],
    ['one that is saved', false, { status: 'completed', results: [aResult({ state: 'saved' })] }],
    ['one whose image is here', true, { status: 'failed', results: [aResult(staged)] }],
    ['one whose image can be fetched', true, { status: 'failed', results: [aResult({ state: 'failed' })] }],
    [
      'one with more images here than asked for',
      false,
      { status: 'completed', results: [aResult({ ...staged, ...surplus })] },
    ],
    [
      'one with more images to fetch than asked for',
      false,
      { status: 'completed', results: [aResult(surplus)] },
    ],
  ];
  for (const [what, isTaken, changes] of cases) {
    it(`${isTaken ? 'takes' : 'leaves'} ${what}`, async () => {
      const { createdAt } = aTask();
      const task = aTask({ completedAt: createdAt, finishedAt: createdAt, ...changes });
      await store.add(task);
      const ids = resumableTasks({ store }, task.createdAt + 1).map(({ id }) => id);
      assert.equal(ids.includes(task.id), isTaken);
      assert.deepEqual(ids, ids.toSorted());
    });
  }

  it('takes what has ended only as long as the service keeps images, unless they are here', () => {
    const { createdAt } = aTask();
    const taken = resumableTasks({ store }, createdAt + retention + 1);
    assert.deepEqual(
      taken.map(({ status }) => status),
      ['waiting', 'in_progress', 'needs_key', 'failed'],
    );
    assert.equal(taken.at(-1)?.results[0]?.state, 'staged');
  });
});
