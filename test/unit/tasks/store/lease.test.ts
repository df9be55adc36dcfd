import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Lease } from '../../../../src/tasks/store/lease.ts';
import { TaskStore } from '../../../../src/tasks/store/taskStore.ts';
import { aTask } from '../../../support/engine/taskBuilders.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { TestLog } from '../../../support/engine/world.ts';

/** One window: a store with a time of its own, which can be made to stand still. */
interface Window {
  clock: ManualClock;
  store: TaskStore;
  log: TestLog;
  orphans: Lease[];
}

describe('Leases', () => {
  let folder: string;
  let windows: Window[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'limner-lease-'));
    windows = [];
  });

  afterEach(async () => {
    await Promise.all(windows.map(({ store }) => store.close()));
    await rm(folder, { recursive: true });
  });

  async function openWindow(present = async (): Promise<void> => {}, origin?: string): Promise<Window> {
    const clock = new ManualClock();
    const log = new TestLog();
    const store = await TaskStore.open({
      file: join(folder, 'limner.db'),
      clock,
      log,
      notice: () => {},
      present,
      ...(origin !== undefined && { origin }),
    });
    const orphans: Lease[] = [];
    store.leases.start({ wantsOrphans: () => true, onOrphans: (leases) => orphans.push(...leases) });
    const window = { clock, store, log, orphans };
    windows.push(window);
    return window;
  }

  /** Time passes in all of these windows alike. */
  async function pass(seconds: number, ...awake: Window[]): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      for (const { clock } of awake) {
        await clock.pass(1000);
      }
    }
  }

  it('leaves the tasks of a living window alone', async () => {
    const [owner, other] = [await openWindow(), await openWindow()];
    const task = aTask({ status: 'queued', remoteId: 'task_1' });
    await owner.store.add(task);
    await pass(120, owner, other);
    assert.deepEqual(other.orphans, []);
    assert.equal(owner.store.leases.fenceOf(task.id), 1);
  });

  it('takes over from a window that has fallen silent, within 15 s', async () => {
    const [owner, other] = [await openWindow(), await openWindow()];
    const task = aTask({ status: 'queued', remoteId: 'task_1' });
    await owner.store.add(task);
    await pass(10, owner, other);
    await pass(15, other);
    assert.deepEqual(other.orphans, [{ id: task.id, fence: 2 }]);
  });

  it('lets the old owner write no more when it wakes', async () => {
    const [owner, other] = [await openWindow(), await openWindow()];
    const task = aTask({ status: 'queued', remoteId: 'task_1' });
    await owner.store.add(task);
    await pass(20, other);
    await pass(60, owner, other);
    assert.deepEqual(owner.orphans, []);
    const late = await owner.store.apply(
      task.id,
      { type: 'keyRefused', error: { code: 'unauthorized', message: '' } },
      { fence: 1 },
    );
    assert.equal(!late.ok && late.reason, 'lease_lost');
  });

  it('takes over from a window that lives on but can do nothing, until it is back', async () => {
    let gone = Promise.withResolvers<void>();
    const [owner, other] = [await openWindow(() => gone.promise), await openWindow()];
    const task = aTask({ status: 'queued', remoteId: 'task_1' });
    await owner.store.add(task);
    await pass(15, owner, other);
    assert.deepEqual(other.orphans, [{ id: task.id, fence: 2 }]);
    const back = gone;
    gone = Promise.withResolvers();
    await other.store.add(aTask({ status: 'queued', remoteId: 'task_2' }));
    back.resolve();
    await pass(30, owner, other);
    assert.deepEqual(owner.orphans, []);
  });

  it('takes nobody for dead because this machine slept', async () => {
    const [owner, other] = [await openWindow(), await openWindow()];
    await owner.store.add(aTask({ status: 'queued', remoteId: 'task_1' }));
    await pass(9, owner, other);
    other.clock.jump(8 * 60 * 60_000);
    owner.clock.jump(-60 * 60_000);
    await pass(30, other, owner);
    assert.deepEqual(other.orphans, []);
  });

  it('takes nobody for dead because another program held the store for a while', async () => {
    const [owner, other] = [await openWindow(), await openWindow()];
    await owner.store.add(aTask({ status: 'queued', remoteId: 'task_1' }));
    await pass(9, owner, other);
    const program = new DatabaseSync(join(folder, 'limner.db'));
    program.exec('BEGIN IMMEDIATE');
    await pass(18, owner, other);
    program.exec('ROLLBACK');
    program.close();
    await pass(4, other);
    await pass(15, other, owner);
    assert.deepEqual(other.orphans, []);
  });

  it('says nothing of a heartbeat that waits for another program when the window ends', async () => {
    const { clock, store, log } = await openWindow();
    await store.add(aTask({ status: 'queued', remoteId: 'task_1' }));
    const program = new DatabaseSync(join(folder, 'limner.db'));
    program.exec('BEGIN IMMEDIATE');
    await clock.pass(4000);
    windows.shift();
    const closing = store.close();
    program.exec('ROLLBACK');
    program.close();
    await closing;
    await clock.pass(4000);
    assert.deepEqual(
      log.lines.filter((line) => /^(?:warn|error)/u.test(line)),
      [],
    );
  });

  it('takes over at once from a window that was closed', async () => {
    const [owner, other] = [await openWindow(), await openWindow()];
    const task = aTask({ status: 'queued', remoteId: 'task_1' });
    await owner.store.add(task);
    windows.shift();
    await owner.store.close();
    assert.deepEqual(await other.store.leases.claimOrphans(), [{ id: task.id, fence: 2 }]);
  });

  it('takes over at once from a window that could not write that it was closed', async () => {
    const [owner, other] = [await openWindow(), await openWindow()];
    const task = aTask({ status: 'queued', remoteId: 'task_1' });
    await owner.store.add(task);
    const program = new DatabaseSync(join(folder, 'limner.db'));
    program.exec('BEGIN IMMEDIATE');
    windows.shift();
    const closing = owner.store.close();
    await owner.clock.pass(2000);
    await closing;
    program.exec('ROLLBACK');
    program.close();
    assert.deepEqual(await other.store.leases.claimOrphans(), [{ id: task.id, fence: 2 }]);
  });

  it('gives each orphan to one window only', async () => {
    const [owner, ...others] = [await openWindow(), await openWindow(), await openWindow()];
    const tasks = Array.from({ length: 20 }, () => aTask({ status: 'queued', remoteId: 'task_1' }));
    for (const task of tasks) {
      await owner.store.add(task);
    }
    await pass(20, ...others);
    const taken = others.flatMap(({ orphans }) => orphans.map(({ id }) => id));
    assert.deepEqual(
      taken.toSorted(),
      tasks.map(({ id }) => id),
    );
  });

  it('leaves tasks alone that have ended or wait for a person', async () => {
    const [owner, other] = [await openWindow(), await openWindow()];
    await owner.store.add(aTask({ status: 'completed' }));
    await owner.store.add(aTask({ held: true }));
    await pass(30, other);
    assert.deepEqual(other.orphans, []);
  });

  it('leaves the tasks of other services to windows that have their keys', async () => {
    const first = await openWindow();
    const [own, foreign] = [aTask(), aTask({ origin: 'https://other.example' })];
    await first.store.add(own);
    await first.store.add(foreign);
    await first.store.close();
    windows = [];
    const guest = await openWindow(undefined, own.origin);
    assert.deepEqual(
      (await guest.store.leases.claimOrphans()).map(({ id }) => id),
      [own.id],
    );
    const owner = await openWindow();
    assert.deepEqual(
      (await owner.store.leases.claimOrphans()).map(({ id }) => id),
      [foreign.id],
    );
  });
});
