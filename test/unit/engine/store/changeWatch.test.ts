import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { TaskStore } from '../../../../src/engine/store/taskStore.ts';
import { eventually } from '../../../support/eventually.ts';
import { notOnWindows } from '../../../support/platform.ts';
import { aTask } from '../../../support/engine/taskBuilders.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { TestLog } from '../../../support/engine/world.ts';

const noUnlink = notOnWindows('nobody can delete a list there that is open');

describe('ChangeWatch', () => {
  let folder: string;
  let clock: ManualClock;
  let stores: TaskStore[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'limner-changes-'));
    clock = new ManualClock();
    stores = [];
  });

  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await rm(folder, { recursive: true });
  });

  async function openStore(): Promise<{ store: TaskStore; received: string[][] }> {
    const store = await TaskStore.open({
      file: join(folder, 'limner.db'),
      clock,
      log: new TestLog(),
      notice: () => {},
    });
    stores.push(store);
    const received: string[][] = [];
    store.onDidChange((ids) => received.push([...ids]));
    return { store, received };
  }

  it('reports what another window changed half a second later, once', async () => {
    const [here, there] = [await openStore(), await openStore()];
    const task = aTask({ status: 'queued', remoteId: 'task_1' });
    await here.store.add(task);
    await clock.pass(499);
    assert.deepEqual(there.received, []);
    await clock.pass(1);
    assert.deepEqual(there.received, [[task.id]]);
    await clock.pass(5000);
    assert.equal(there.received.length, 1);
  });

  it('reports each step of a task, its end and its removal', async () => {
    const [here, there] = [await openStore(), await openStore()];
    const task = aTask({ status: 'queued', remoteId: 'task_1' });
    await here.store.add(task);
    await clock.pass(500);
    for (const change of [
      () => here.store.apply(task.id, { type: 'reported', remote: { status: 'in_progress', progress: 40 } }),
      () => here.store.apply(task.id, { type: 'stop', at: 1 }),
      () => here.store.remove(task.id),
    ]) {
      const before = there.received.length;
      await change();
      await clock.pass(500);
      assert.deepEqual(there.received.slice(before), [[task.id]]);
    }
    assert.equal(there.store.get(task.id), undefined);
  });

  it('goes on in the new file when another one takes the place of this one', { skip: noUnlink }, async () => {
    const [here, there] = [await openStore(), await openStore()];
    await here.store.add(aTask());
    await here.store.close();
    stores.shift();
    await rm(join(folder, 'limner.db'));
    await clock.pass(500);
    const again = await openStore();
    const task = aTask();
    await again.store.add(task);
    // Opening a file takes its own time.
    const known = await eventually(
      'the other window goes on in the new file',
      async () => {
        await clock.pass(500);
        return there.store.get(task.id);
      },
      (found) => found !== undefined,
    );
    assert.deepEqual(known, task);
  });
});
