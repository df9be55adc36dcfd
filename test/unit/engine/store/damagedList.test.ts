import assert from 'node:assert/strict';
import fs, { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { LimnerError } from '../../../../src/common/limnerError.ts';
import type { Notice } from '../../../../src/engine/task/ports.ts';
import { currentFile } from '../../../../src/engine/store/currentFile.ts';
import { suspect } from '../../../../src/engine/store/openDatabase.ts';
import { toRow } from '../../../../src/engine/store/taskRow.ts';
import { type StoreOptions, TaskStore } from '../../../../src/engine/store/taskStore.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { quiet } from '../../../support/engine/stillWorld.ts';
import { TestLog } from '../../../support/engine/world.ts';
import { beginning, ManualClock } from '../../../support/manualClock.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';
import { openFiles } from '../../../support/openFiles.ts';
import { firstSchema } from './firstSchema.ts';

const page = 4096;
const progress = { type: 'reported', remote: { status: 'in_progress', progress: 40 } } as const;

/** A page long each, so that a page of the file that is damaged takes few of them. */
function long(prompt: string, changes: Partial<Task> = {}): Task {
  return aTask({
    status: 'completed',
    request: aRequest({ prompt: `${prompt} ${'x'.repeat(1500)}`, price: { amount: 1, currency: 'USD' } }),
    completedAt: 1,
    results: [aResult({ state: 'saved' })],
    ...changes,
  });
}

/** The prompts of a list, oldest first, by their first words. */
function prompts(store: TaskStore): string[] {
  return store
    .list({ limit: 99 })
    .map(({ request }) => request.prompt.split(' ')[0] ?? '')
    .toReversed();
}

describe('a task list that is damaged', () => {
  let folder: string;
  let file: string;
  let clock: ManualClock;
  let log: TestLog;
  let notices: Notice[];
  let stores: Set<TaskStore>;

  beforeEach(async () => {
    folder = await mkdtemp(join(memoryFolder, 'limner-damaged-'));
    file = join(folder, 'limner.db');
    clock = new ManualClock();
    log = new TestLog();
    notices = [];
    stores = new Set();
  });

  afterEach(async () => {
    mock.restoreAll();
    syncBuiltinESMExports();
    await Promise.all([...stores].map(close));
    assert.deepEqual(openFiles(folder), []);
    await rm(folder, { recursive: true });
  });

  async function openStore(options: Partial<StoreOptions> = {}): Promise<TaskStore> {
    const store = await TaskStore.open({
      file,
      clock,
      log,
      notice: (notice) => notices.push(notice),
      ...options,
    });
    stores.add(store);
    return store;
  }

  async function close(store: TaskStore): Promise<void> {
    stores.delete(store);
    await store.close();
  }

  /** Has every window look for what others have done. */
  async function pass(): Promise<void> {
    await clock.pass(1000);
    // To open a file takes its own time.
    await quiet();
  }

  /** Has another program ask or change the list, or one that was set aside. */
  function sql(statement: string, path = currentFile(file)): Record<string, unknown>[] {
    const program = new DatabaseSync(path);
    try {
      return program.prepare(statement).all();
    } finally {
      program.close();
    }
  }

  /** Writes over the page that a task is in, as a disk does that fails; no window has it in memory. */
  function damage(prompt: string): void {
    sql('PRAGMA wal_checkpoint(TRUNCATE)');
    sql('UPDATE meta SET value = value');
    sql('PRAGMA wal_checkpoint(TRUNCATE)');
    const bytes = readFileSync(file);
    const at = bytes.indexOf(`"prompt":"${prompt} x`);
    assert.ok(at > page);
    bytes.fill(7, at - (at % page), at - (at % page) + page);
    writeFileSync(file, bytes);
  }

  /** What lies in the folder besides the list and those that were set aside. */
  function leftovers(): string[] {
    return readdirSync(folder).filter((name) => !/^limner\.db(?:\.damaged-\d+)?(?:-wal|-shm)?$/u.test(name));
  }

  /** Leaves a list of tasks, of which the second is damaged, and one that was removed before. */
  async function leaveDamaged(): Promise<TaskStore> {
    const store = await openStore();
    const tasks = ['one', 'two', 'three', 'four'].map((name) => long(name));
    for (const task of [...tasks, long('removed')]) {
      await store.add(task);
    }
    const [last] = store.list({ limit: 1 });
    assert.ok(await store.remove(last?.id ?? ''));
    await close(store);
    damage('two');
    return store;
  }

  it('is kept, and what can be read of it goes on, with what was spent and the names of keys', async () => {
    const first = await openStore();
    const name = first.fingerprint('sk-secret');
    await close(first);
    await leaveDamaged();
    const bytes = readFileSync(file);
    // Nobody has met the damage yet.
    await close(await openStore());
    assert.deepEqual([notices, existsSync(`${file}.suspect`)], [[], false]);
    suspect(file);
    clock.jump(1000);
    const store = await openStore();
    assert.deepEqual(prompts(store), ['one', 'three', 'four']);
    const aside = `${file}.damaged-${new Date(beginning + 1000).toISOString().replaceAll(/\D/gu, '').slice(0, 14)}`;
    assert.deepEqual(notices, [{ code: 'database_corrupt', file: aside, tasks: 3 }]);
    assert.deepEqual(log.lines, [
      `warn The task list was damaged and is kept as ${aside}. Tasks recovered from it: 3.`,
    ]);
    assert.deepEqual(readFileSync(aside), bytes);
    assert.equal(store.fingerprint('sk-secret'), name);
    // One of four is lost; of the one that was removed, what it cost is not.
    const spent = store.spent.between(0).reduce((sum, { tasks }) => sum + tasks, 0);
    assert.equal(spent, 4);
    await close(store);
    assert.deepEqual(leftovers(), []);
    assert.equal((await openStore()).count(), 3);
    assert.equal(notices.length, 1);
  });

  it('is repaired once when several windows open it at a moment', async () => {
    await leaveDamaged();
    suspect(file);
    const opened = await Promise.all([openStore(), openStore(), openStore()]);
    assert.deepEqual(
      notices.map(({ code }) => code),
      ['database_corrupt'],
    );
    for (const store of opened) {
      assert.deepEqual(prompts(store), ['one', 'three', 'four']);
    }
    await Promise.all(opened.map(close));
    assert.deepEqual(leftovers(), []);
  });

  it('is set aside when it is of a newer version, and the log says where', async () => {
    await close(await openStore());
    sql('PRAGMA user_version = 99');
    const store = await openStore();
    assert.equal(store.count(), 0);
    const [notice] = notices;
    assert.deepEqual([notices.length, notice?.code], [1, 'database_newer']);
    assert.deepEqual(log.lines, [
      `warn The task list was created by a newer version of Limner. It is kept as ${notice?.file}.`,
    ]);
    assert.match(notice?.file ?? '', /\.newer-\d{14}$/u);
  });

  it('is left where it is when it is of a newer version that has it open, on Windows', async () => {
    await close(await openStore());
    sql('PRAGMA user_version = 99');
    const newer = new DatabaseSync(file);
    newer.prepare('SELECT count(*) FROM tasks').get();
    moveNothingOpen();
    await assert.rejects(openStore(), {
      message: `Couldn't open the task list ${file}. A newer version of Limner is using it. Update this one.`,
    });
    newer.close();
    assert.deepEqual([notices, readdirSync(folder)], [[], ['limner.db']]);
  });

  it('takes over no row that is none, and has its windows work on those that have not ended', async () => {
    const other = await openStore();
    const [queued, none, ended] = [
      long('queued', { status: 'queued', remoteId: 'r' }),
      long('none'),
      long('ended'),
    ];
    for (const task of [queued, none, ended]) {
      await other.add(task);
    }
    sql("UPDATE tasks SET live = 1 - live WHERE prompt NOT LIKE 'none%'");
    sql("UPDATE tasks SET state = '{' WHERE prompt LIKE 'none%'");
    const owners = sql('SELECT * FROM owners');
    sql("UPDATE tasks SET fence = 9223372036854775807 WHERE prompt LIKE 'none%'");
    suspect(file);
    const store = await openStore();
    assert.equal(notices[0]?.tasks, 2);
    assert.deepEqual(
      sql('SELECT prompt, live FROM tasks ORDER BY id').map(({ prompt, live }) => [
        String(prompt).split(' ')[0],
        live,
      ]),
      [
        ['queued', 1],
        ['ended', 0],
      ],
    );
    assert.deepEqual(sql('SELECT * FROM owners'), owners);
    // The window that works on it lives.
    assert.deepEqual(await store.leases.claimOrphans(), []);
    assert.equal(store.fence(queued.id), 1);
  });

  for (const [what, statement] of [
    ['a change', "UPDATE tasks SET revision = 9223372036854775807 WHERE prompt LIKE 'one%'"],
    ['the last change', "UPDATE meta SET value = 9223372036854775807 WHERE name = 'revision'"],
    ['a removal', "INSERT INTO removed VALUES ('gone', 9223372036854775807)"],
    ['a process', "INSERT INTO owners VALUES ('gone', 'elsewhere', 9223372036854775807, 1)"],
    ['a heartbeat', "INSERT INTO owners VALUES ('gone', 'elsewhere', 1, -9223372036854775807)"],
    ['what was spent', "INSERT INTO spent VALUES (1, '[]', 9223372036854775807)"],
  ] as const) {
    it(`goes on where a number cannot be read, and windows hear of what happens next: ${what}`, async () => {
      const before = await openStore();
      await before.add(long('one'));
      await before.add(long('two'));
      await before.apply(before.list({ limit: 1 })[0]?.id ?? '', {
        type: 'starred',
        index: 0,
        starred: true,
      });
      await close(before);
      sql(statement);
      suspect(file);
      const [here, there] = [await openStore(), await openStore()];
      assert.deepEqual([prompts(here), notices.length], [['one', 'two'], 1]);
      const heard: string[] = [];
      there.onDidChange((ids) => heard.push(...ids));
      const task = long('three');
      await here.add(task);
      await pass();
      assert.deepEqual(heard, [task.id]);
      const numbers = sql("SELECT value AS last FROM meta WHERE name = 'revision'");
      // More than any window can have seen of the list that was damaged.
      assert.ok(Number(numbers[0]?.['last']) > 1000 && Number(numbers[0]?.['last']) < 2 ** 52);
    });
  }

  for (const [what, statement] of [
    ['its own count', "UPDATE meta SET value = 70000 WHERE name = 'revision'"],
    ['its tasks', 'UPDATE tasks SET revision = 70000 WHERE id = (SELECT min(id) FROM tasks)'],
  ] as const) {
    it(`gives no number to a change again that a window may have seen: by ${what}`, async () => {
      await leaveDamaged();
      sql(statement);
      suspect(file);
      await openStore();
      const [{ value } = {}] = sql("SELECT value FROM meta WHERE name = 'revision'");
      assert.ok(Number(value) > 70_100, String(value));
    });
  }

  it('names keys anew where its salt is damaged, too', async () => {
    await leaveDamaged();
    sql("UPDATE meta SET value = 'no salt' WHERE name = 'salt'");
    suspect(file);
    const store = await openStore();
    assert.match(store.fingerprint('sk-secret'), /^[0-9a-f]{32}$/u);
    assert.notEqual(store.fingerprint('sk-secret'), store.fingerprint('sk-other'));
  });

  it('of the first version is taken over as far as it can be read', async () => {
    const old = new DatabaseSync(file);
    old.exec(firstSchema);
    const insert = old.prepare('INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?, 1, NULL, 1)');
    for (const name of ['one', 'two', 'three', 'four']) {
      insert.run(...toRow(long(name)));
    }
    old.close();
    damage('two');
    const store = await openStore();
    assert.deepEqual([prompts(store), notices.length], [['one', 'three', 'four'], 1]);
    assert.ok(store.spent.between(0).length > 0);
  });

  it('of an earlier version is taken over, but for a row with a value of another type', async () => {
    // Newer versions of Node.js defend the schema.
    const options = { open: true, defensive: false };
    const database = new DatabaseSync(file, options);
    database.exec(firstSchema.replace(') STRICT;', ');'));
    for (const [prompt, changes] of [
      ['whole', ''],
      ['broken', "UPDATE tasks SET state = CAST(state AS BLOB) WHERE prompt LIKE 'broken%'"],
    ] as const) {
      const [...row] = toRow(long(prompt));
      database.prepare('INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?, 1, NULL, 1)').run(...row);
      database.exec(changes);
    }
    database.exec(`
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = sql || ' STRICT' WHERE name = 'tasks';
    `);
    database.close();
    assert.deepEqual(prompts(await openStore()), ['whole']);
    assert.equal(notices.length, 1);
  });

  it('goes on where its repair was cut off after it was set aside, without its log', async () => {
    await close(await openStore());
    const sound = readFileSync(file);
    writeFileSync(`${file}.damaged-20260101000000`, 'damaged');
    writeFileSync(`${file}-wal`, 'of the damaged one');
    writeFileSync(`${file}.mended`, sound);
    rmSync(file);
    const store = await openStore();
    await store.add(long('one'));
    assert.deepEqual([prompts(store), notices, leftovers()], [['one'], [], []]);
    assert.equal(readFileSync(`${file}.damaged-20260101000000-wal`, 'utf8'), 'of the damaged one');
    await close(store);
    // One that is there is in its place already.
    writeFileSync(`${file}.mended`, sound);
    assert.deepEqual(prompts(await openStore()), ['one']);
  });

  it('is opened once another program lets it be, in a folder that is made, and with no log on a network', async () => {
    file = join(folder, 'new', 'folder', 'limner.db');
    await close(await openStore());
    const other = new DatabaseSync(file);
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE meta SET value = value');
    let isOpen = false;
    const opening = openStore().then(() => (isOpen = true));
    await quiet();
    await clock.pass(300);
    assert.equal(isOpen, false);
    other.close();
    await clock.pass(200);
    await opening;
    assert.equal(existsSync(`${file}-wal`), true);
    await Promise.all([...stores].map(close));
    const shared = await openStore({ isOnNetwork: async () => true });
    await shared.add(long('one'));
    assert.equal(existsSync(`${file}-wal`), false);
    await close(shared);
    file = join(file, 'limner.db');
    await assert.rejects(openStore(), (error: unknown) => {
      assert.ok(error instanceof LimnerError);
      const { code, phase, billing, sent } = error;
      assert.deepEqual([code, phase, billing, sent], ['save_failed', 'save', 'no', false]);
      assert.ok(error.message.startsWith(`Couldn't open the task list ${file}. `));
      return true;
    });
  });

  /** Has every file stay where it is that somebody has open. */
  function moveNothingOpen(): void {
    mock.property(process, 'platform', 'win32');
    const { renameSync } = fs;
    mock.method(fs, 'renameSync', (...paths: Parameters<typeof renameSync>) => {
      const held = openFiles(folder).find((path) => paths.includes(path));
      if (held !== undefined) {
        throw Object.assign(new Error(`EBUSY: ${held}`), { code: 'EBUSY', syscall: 'rename' });
      }
      renameSync(...paths);
    });
    syncBuiltinESMExports();
  }

  for (const isOnWindows of [false, true]) {
    describe(`while windows work on it${isOnWindows ? ', which keep Windows from moving it' : ''}`, () => {
      let here: TaskStore;
      let there: TaskStore;
      let own: Task;

      beforeEach(async () => {
        if (isOnWindows) {
          moveNothingOpen();
        }
        [here, there] = [await openStore(), await openStore()];
        const tasks = ['one', 'two', 'own', 'three'].map((name) =>
          long(name, name === 'own' ? { status: 'queued', remoteId: 'r', results: [aResult()] } : {}),
        );
        for (const task of tasks) {
          const isOwn = task.status === 'queued';
          await (isOwn ? here : there).add(task);
          own = isOwn ? task : own;
          there.releaseLease(task.id);
        }
      });

      /** Has the file damaged under a window, in the page of a task. */
      async function met(name: string): Promise<string[]> {
        damage(name);
        const heard: string[] = [];
        here.onDidChange((ids) => heard.push(...ids));
        return heard;
      }

      it('is repaired by who meets the damage, with what only that window knows, and the others follow', async () => {
        const heard = await met('own');
        assert.deepEqual(here.get(own.id), own);
        const added = long('four');
        await here.add(added);
        assert.deepEqual(heard, [own.id, added.id]);
        const applied = await here.apply(own.id, progress, { fence: 1 });
        assert.ok(applied.ok && applied.fence === 1, JSON.stringify(applied));
        assert.deepEqual(prompts(here), ['one', 'two', 'own', 'three', 'four']);
        assert.deepEqual([here.get(own.id)?.progress, here.fence(own.id)], [40, 1]);
        const followed: string[] = [];
        there.onDidChange((ids) => followed.push(...ids));
        await pass();
        assert.deepEqual(there.get(own.id), here.get(own.id));
        assert.deepEqual(await there.leases.claimOrphans(), [], 'its window lives');
        assert.deepEqual(
          notices.map(({ code }) => code),
          ['database_corrupt'],
        );
        const next = await there.apply(own.id, { type: 'stop', at: 1 });
        assert.ok(next.ok);
        await pass();
        assert.deepEqual([here.get(own.id)?.status, followed.includes(own.id)], ['stopped', true]);
      });

      it('is repaired once however many things meet the damage', async () => {
        await met('two');
        const added = [long('four'), long('five')];
        assert.throws(() => here.list({ limit: 99 }), /malformed/u);
        assert.throws(() => here.list({ limit: 99 }), /malformed/u);
        await Promise.all([...added.map(async (task) => here.add(task)), here.apply(own.id, progress)]);
        await pass();
        assert.deepEqual(prompts(here), ['one', 'own', 'three', 'four', 'five']);
        assert.deepEqual(prompts(there), prompts(here));
        assert.deepEqual([notices.length, here.get(own.id)?.progress], [1, 40]);
      });

      it('is repaired before it is changed where the change meets the damage', async () => {
        await met('two');
        await here.clearFinished(clock.now() + 100 * 24 * 3_600_000);
        assert.deepEqual(prompts(here), ['own']);
        assert.equal(notices.length, 1);
      });

      it('is repaired before the window closes that met the damage', async () => {
        await met('two');
        assert.throws(() => here.list({ limit: 99 }), /malformed/u);
        await close(here);
        assert.deepEqual(
          notices.map(({ code }) => code),
          ['database_corrupt'],
        );
        await close(there);
        assert.deepEqual(prompts(await openStore()), ['one', 'own', 'three']);
      });

      it('gives no task back to a window that another one has taken it from', async () => {
        await here.apply(own.id, progress);
        const taken = await there.apply(own.id, progress, { take: true });
        assert.equal(taken.ok && taken.fence, 2);
        const more = { type: 'reported', remote: { status: 'in_progress', progress: 60 } } as const;
        assert.ok((await there.apply(own.id, more, { fence: 2 })).ok);
        await met('two');
        assert.throws(() => here.list({ limit: 99 }), /malformed/u);
        await here.add(long('four'));
        assert.deepEqual([here.get(own.id)?.progress, here.fence(own.id)], [60, 2]);
        await pass();
        assert.deepEqual([here.get(own.id)?.progress, here.fence(own.id)], [60, 2]);
      });
    });
  }
});
