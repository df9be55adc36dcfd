import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Lease } from '../../../../src/engine/store/lease.ts';
import { TaskStore } from '../../../../src/engine/store/taskStore.ts';
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

  async function openWindow(
    present = async (): Promise<void> => {},
    origin?: string,
    wantsOrphans = (): boolean => true,
  ): Promise<Window> {
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
    store.leases.start({ wantsOrphans, onOrphans: (leases) => orphans.push(...leases) });
    const window = { clock, store, log, orphans };
    windows.push(window);
    return window;
  }

  /** Asks or changes the file itself. */
  function sql(statement: string, ...values: (string | number)[]): Record<string, unknown>[] {
    const program = new DatabaseSync(join(folder, 'limner.db'));
    try {
      return program.prepare(statement).all(...values);
    } finally {
      program.close();
    }
  }

  function beats({ store }: Window): unknown {
    return sql('SELECT beat FROM owners WHERE owner = ?', store.leases.owner)[0]?.['beat'];
  }

  /** Has a task that a process of this number works on, on a machine of this name; returns how many others take over. */
  async function taken(pid: number, host = hostname()): Promise<number> {
    const [owner, other] = [await openWindow(), await openWindow()];
    await owner.store.add(aTask({ status: 'queued', remoteId: 'task_1' }));
    const name = owner.store.leases.owner;
    sql('UPDATE owners SET host = ?, pid = ? WHERE owner = ?', host, pid, name);
    return (await other.store.leases.claimOrphans()).length;
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
    const said = owner.log.lines.filter((line) => line.includes('Heartbeat failed'));
    assert.ok(said.length > 0 && said.every((line) => line.startsWith('debug')), said.join('\n'));
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
    assert.equal(clock.pending, 0);
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
    assert.match(owner.log.lines.join('\n'), /^debug Couldn't release the leases: .+/mu);
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

  it('takes over after nine seconds of silence, and no sooner', async () => {
    const [owner, other] = [await openWindow(), await openWindow()];
    await owner.store.add(aTask({ status: 'queued', remoteId: 'task_1' }));
    await pass(9, owner, other);
    await pass(8, other);
    assert.deepEqual(other.orphans, []);
    await pass(1, other);
    assert.equal(other.orphans.length, 1);
  });

  it('takes over nothing while that is not wanted', async () => {
    const [owner, other] = [await openWindow(), await openWindow(undefined, undefined, () => false)];
    await owner.store.add(aTask({ status: 'queued', remoteId: 'task_1' }));
    await pass(60, other);
    assert.deepEqual(other.orphans, []);
  });

  it('leaves a task to the window that just took it, also where that had none before', async () => {
    const [owner, other, third] = [await openWindow(), await openWindow(), await openWindow()];
    const task = aTask({ status: 'stopped', remoteId: 'task_1' });
    await owner.store.add(task);
    await other.store.apply(task.id, { type: 'resume' }, { take: true });
    assert.deepEqual(await third.store.leases.claimOrphans(), []);
  });

  it('writes nothing while it works on nothing, whatever other windows do', async () => {
    const [owner, other] = [await openWindow(), await openWindow()];
    const task = aTask({ status: 'queued', remoteId: 'task_1' });
    await owner.store.add(task);
    await pass(30, owner, other);
    assert.ok(Number(beats(owner)) >= 10);
    assert.equal(beats(other), undefined);
    await pass(20, other);
    assert.equal(other.store.leases.fenceOf(task.id), 2);
    await other.store.apply(task.id, { type: 'stop', at: 1 });
    other.store.releaseLease(task.id);
    assert.equal(other.store.leases.fenceOf(task.id), undefined);
    await pass(6, other);
    const before = beats(other);
    await pass(30, other);
    assert.equal(beats(other), before);
  });

  it('says that its heartbeat fails for another reason than that the store is held, and goes on', async () => {
    const window = await openWindow();
    await window.store.add(aTask({ status: 'queued', remoteId: 'task_1' }));
    sql('ALTER TABLE owners RENAME TO away');
    await pass(4, window);
    assert.match(window.log.lines.join('\n'), /^warn Heartbeat failed: .*owners/mu);
    sql('ALTER TABLE away RENAME TO owners');
    const before = Number(beats(window));
    await pass(4, window);
    assert.equal(beats(window), before + 1);
  });

  it('leaves its tasks to everyone in the file itself when it ends, and does nothing any more', async () => {
    const [owner, other] = [await openWindow(), await openWindow()];
    const [live, ended] = [aTask({ status: 'queued', remoteId: 'task_1' }), aTask({ status: 'completed' })];
    await owner.store.add(live);
    await owner.store.add(ended);
    await other.store.add(aTask({ status: 'queued', remoteId: 'task_2' }));
    const { owner: name } = owner.store.leases;
    windows.shift();
    await owner.store.close();
    assert.deepEqual(sql('SELECT id FROM tasks WHERE live = 1 AND owner IS NULL'), [
      Object.assign(Object.create(null), { id: live.id }),
    ]);
    assert.deepEqual(sql('SELECT 1 FROM owners WHERE owner = ?', name), []);
    assert.deepEqual([owner.store.leases.owned, owner.clock.pending], [[], 0]);
    await pass(30, owner, other);
    assert.equal(owner.clock.pending, 0);
  });

  describe('of another process', () => {
    it('are left to it while it lives, and taken over at once when it is gone', async () => {
      assert.equal(await taken(process.ppid), 0);
      assert.equal(await taken(2 ** 30), 1);
    });

    it('are left to it on another machine, where the same number says nothing', async () => {
      assert.equal(await taken(2 ** 30, 'another-machine'), 0);
      assert.equal(await taken(process.pid, 'another-machine'), 0);
    });

    it('are left to a process of another person, which is only looked at', async ({ mock }) => {
      let code = 'EPERM';
      const kill = mock.method(process, 'kill', () => {
        throw Object.assign(new Error('No.'), { code });
      });
      assert.equal(await taken(4711), 0);
      code = 'ESRCH';
      assert.equal(await taken(4711), 2);
      assert.deepEqual(
        kill.mock.calls.map(({ arguments: given }) => given),
        [
          [4711, 0],
          [4711, 0],
          [4711, 0],
        ],
      );
    });

    it('are taken over at once where nothing is known of it', async () => {
      const [owner, other] = [await openWindow(), await openWindow()];
      await owner.store.add(aTask({ status: 'queued', remoteId: 'task_1' }));
      sql('DELETE FROM owners');
      assert.equal((await other.store.leases.claimOrphans()).length, 1);
    });
  });
});
