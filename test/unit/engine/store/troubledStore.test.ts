import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import { Database } from '../../../../src/engine/store/database.ts';
import { databaseTrouble } from '../../../../src/engine/store/databaseErrors.ts';
import type { Notice } from '../../../../src/engine/task/ports.ts';
import { toRow } from '../../../../src/engine/store/taskRow.ts';
import { TaskStore } from '../../../../src/engine/store/taskStore.ts';
import { aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { picture } from '../../../support/service/loopbackService.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { asOrdinaryUser } from './ordinaryUser.ts';
import { fastClock, TestLog, World } from '../../../support/engine/world.ts';

const submission = 'POST /v1/images/generations';
const remote = aResult({ state: 'remote' });
const query = 'GET /v1/images/generations/task_1';

/** How long a file of this process may get. */
function limitFiles(size: string): void {
  const { status } = spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${size}`]);
  assert.equal(status, 0);
}

describe('a task list that cannot be used', () => {
  let world: World;
  let file: string;
  let notices: Notice[];
  let stores: Set<TaskStore>;

  beforeEach(async () => {
    world = await World.create();
    file = join(world.home, 'limner.db');
    notices = [];
    stores = new Set();
    world.service.delivers(picture());
  });

  afterEach(async () => {
    await Promise.all([...stores].map((store) => store.close()));
    await world.dispose();
  });

  async function openStore(options: Partial<Parameters<typeof TaskStore.open>[0]> = {}): Promise<TaskStore> {
    const store = await TaskStore.open({
      file,
      clock: fastClock(),
      log: new TestLog(),
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

  const openEngine = (): Promise<Engine> => world.open({ notice: (notice) => void notices.push(notice) });

  /** A list of so many ended tasks, closed again, as one file. */
  async function fill(count: number): Promise<void> {
    await close(await openStore());
    const database = new DatabaseSync(file);
    const insert = database.prepare(
      `INSERT INTO tasks (id, status, live, unsaved, prompt, request, state, revision, fence)
       VALUES (?, ?, ?, ?, ?, ?, ?, 1, 1)`,
    );
    database.exec('BEGIN');
    for (let index = 0; index < count; index++) {
      const request = aRequest({ prompt: `${index} `.repeat(500) });
      insert.run(...toRow(aTask({ status: 'completed', request, results: [remote] })));
    }
    database.exec('COMMIT');
    database.close();
  }

  /** Writes over a part of the file, as a disk does that fails. */
  async function damage(from: number, to: number): Promise<void> {
    const handle = await open(file, 'r+');
    await handle.write(Buffer.alloc(to - from, 7), 0, to - from, from);
    await handle.close();
  }

  /** Another program that writes until it is closed. */
  function hold(): DatabaseSync {
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    return other;
  }

  /** Two windows work on the list, and hear of each other. */
  async function assertWorks(id: string): Promise<void> {
    const store = await openStore();
    assert.equal(store.get(id)?.status, 'completed');
    const other = await openStore();
    const received = new Promise<readonly string[]>((resolve) => other.onDidChange(resolve));
    assert.ok((await store.apply(id, { type: 'saveAgain', indexes: [0] }, { take: true })).ok);
    assert.deepEqual(await received, [id]);
    assert.deepEqual(await other.leases.claimOrphans(), []);
  }

  async function assertSavedOnce(engine: Engine, id: string): Promise<void> {
    const task = await world.until(engine, id, 'completed');
    assert.equal(task.results[0]?.state, 'saved');
    assert.deepEqual(await readdir(join(world.workspace, 'images')), ['a-red-fox.png']);
    assert.equal(world.service.count(submission), 1);
  }

  describe('because another program holds it', () => {
    it('says so when that goes on, and opens once it is over', async () => {
      await fill(1);
      const other = new DatabaseSync(file);
      other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE meta SET value = value');
      const clock = new ManualClock();
      const refused = assert.rejects(openStore({ clock }), {
        code: 'save_failed',
        message: `Couldn't open the task list ${file}. Another program is using the file.`,
      });
      await clock.pass(15_000);
      await refused;
      other.close();
      assert.equal((await openStore()).count(), 1);
      assert.deepEqual(notices, []);
    });

    it('sends nothing that it cannot write down', async () => {
      const engine = await openEngine();
      const other = hold();
      await assert.rejects(engine.runner.start(world.request()), {
        code: 'save_failed',
        billing: 'no',
        message: "Couldn't add the task to the task list. Another program is using the file.",
      });
      assert.deepEqual(world.service.seen, []);
      other.close();
      await assertSavedOnce(engine, (await engine.runner.start(world.request())).id);
    });

    it('goes on with a running task once it can', async () => {
      const engine = await openEngine();
      let other: DatabaseSync | undefined;
      const completed = world.service.reply(query, 1);
      world.service.on(query, (request, response) => {
        other ??= hold();
        return completed(request, response);
      });
      const { id } = await engine.runner.start(world.request());
      await world.service.got(query, 1);
      await world.log.has(/Couldn't write task \S+; retrying/);
      other?.close();
      await assertSavedOnce(engine, id);
    });
  });

  describe('because the disk is full', () => {
    it('changes nothing and says so', async () => {
      const database = new Database(join(world.workspace, 'small.db'), fastClock(), true);
      database.exec('CREATE TABLE things (thing)');
      database.exec('PRAGMA max_page_count = 10');
      const add = (): Promise<number> =>
        database.transaction('full', 0, () => {
          database.run('INSERT INTO things VALUES (zeroblob(1000))');
          return database.run('INSERT INTO things VALUES (zeroblob(100000))');
        });
      const full = await add().catch((error: unknown) => error);
      assert.equal(databaseTrouble(full), 'The disk is full.');
      assert.equal(database.number('SELECT count(*) FROM things'), 0);
      database.exec('PRAGMA max_page_count = 1000');
      await add();
      assert.equal(database.number('SELECT count(*) FROM things'), 2);
      database.close();
    });

    const limits = spawnSync('prlimit', ['--version']).status === 0;

    it('loses nothing of a running task', { skip: !limits && 'needs prlimit' }, async () => {
      const engine = await openEngine();
      const completed = world.service.reply(query, 1);
      let limited = false;
      world.service.on(query, (request, response) => {
        if (!limited) {
          limited = true;
          limitFiles('4096:unlimited');
        }
        return completed(request, response);
      });
      try {
        const { id } = await engine.runner.start(world.request());
        await world.log.has(/Couldn't write task \S+; retrying/);
        await assert.rejects(engine.runner.start(world.request()), { code: 'save_failed', billing: 'no' });
        limitFiles('unlimited');
        await assertSavedOnce(engine, id);
      } finally {
        limitFiles('unlimited');
      }
    });
  });

  for (const [what, fileMode, folderMode] of [
    ['the file', 0o444, 0o777],
    ['its folder', 0o666, 0o555],
  ] as const) {
    it(`says so when ${what} cannot be written`, { skip: process.platform === 'win32' }, async () => {
      await fill(1);
      await chmod(join(world.home, '..'), 0o755);
      await chmod(file, fileMode);
      await chmod(world.home, folderMode);
      await asOrdinaryUser(() =>
        assert.rejects(openStore(), {
          code: 'save_failed',
          message: `Couldn't open the task list ${file}. The file or its folder isn't writable.`,
        }),
      );
      await chmod(file, 0o666);
      await chmod(world.home, 0o777);
      assert.equal((await openStore()).count(), 1);
      assert.deepEqual(notices, []);
    });
  }

  describe('because it is damaged', () => {
    it('keeps what can be read, and the old file as it was', async () => {
      await fill(60);
      const { size } = await stat(file);
      await truncate(file, Math.floor(size / 2));
      const damaged = await readFile(file);
      const store = await openStore();
      assert.equal(notices[0]?.code, 'database_corrupt');
      assert.equal(notices[0].tasks, store.count());
      assert.ok(store.count() > 10, `${store.count()} of 60`);
      assert.deepEqual(await readFile(notices[0].file), damaged);
      const task = aTask();
      await store.add(task);
      assert.deepEqual(store.get(task.id), task);
    });

    const most = 2n ** 63n - 1n;
    const numbers: Readonly<Record<string, string>> = {
      'of a change': 'UPDATE tasks SET revision = ?1',
      'of a lease': "UPDATE tasks SET fence = ?1, owner = 'gone'",
      'of an owner': "INSERT INTO owners VALUES ('gone', 'elsewhere', ?1, ?1)",
      'of the last change': "UPDATE meta SET value = ?1 WHERE name = 'revision'",
    };

    /** Writes numbers into a list, and gives the id of a task in it. */
    function write(...statements: readonly string[]): string {
      const database = new DatabaseSync(file);
      for (const statement of statements) {
        database.prepare(statement).run(most);
      }
      const [first] = database.prepare('SELECT id FROM tasks ORDER BY id').all();
      database.close();
      return String(first?.['id']);
    }

    it('goes on from numbers that this program cannot read', async () => {
      await fill(60);
      const id = write(...Object.values(numbers));
      await truncate(file, Math.floor((await stat(file)).size / 2));
      await assertWorks(id);
    });

    for (const [what, statement] of Object.entries(numbers)) {
      it(`goes on from a number that this program cannot read in a file that is sound: ${what}`, async () => {
        await fill(3);
        await assertWorks(write(statement));
      });
    }

    for (const column of ['revision', 'fence']) {
      it(`goes on from a number that this program cannot read once it meets it: ${column}`, async () => {
        await fill(3);
        const store = await openStore();
        const mended = new Promise<void>((resolve) => {
          // A store that has just been opened may have seen the tasks before it only now.
          store.onDidChange(() => notices.length > 0 && resolve());
        });
        const id = write(`UPDATE tasks SET ${column} = ?1 WHERE id = (SELECT min(id) FROM tasks)`);
        if (column === 'fence') {
          assert.throws(() => store.fence(id), { code: 'ERR_OUT_OF_RANGE' });
        }
        await mended;
        assert.equal(notices[0]?.tasks, 3);
        await assertWorks(id);
      });
    }

    it('takes a log that is no log for none', async () => {
      await fill(3);
      await writeFile(`${file}-wal`, Buffer.alloc(100_000, 7));
      const store = await openStore();
      assert.equal(store.count(), 3);
      await store.add(aTask());
      assert.equal(store.count(), 4);
      assert.deepEqual(notices, []);
    });

    it('puts the new list into its place after it was cut off in between', async () => {
      await fill(3);
      const content = await readFile(file);
      await rm(file);
      await writeFile(`${file}.mended`, content);
      assert.equal((await openStore()).count(), 3);
    });

    it('reads no log of the old list in the new one after it was cut off in between', async () => {
      const damaged = await openStore();
      await damaged.add(aTask());
      const [old, log] = [await readFile(file), await readFile(`${file}-wal`)];
      await close(damaged);
      await rm(file);
      await fill(3);
      await rename(file, `${file}.mended`);
      await writeFile(`${file}.damaged-20260101000000`, old);
      await writeFile(`${file}.damaged-20260101000000-shm`, '');
      await writeFile(`${file}.damaged-20251231000000`, old);
      await writeFile(`${file}-wal`, log);
      assert.equal((await openStore()).count(), 3);
      assert.deepEqual(await readFile(`${file}.damaged-20260101000000-wal`), log);
    });

    for (const [how, keepsRows] of [
      ['in its middle', true],
      ['down to its first page', false],
    ] as const) {
      it(`goes on with a running task when it is damaged ${how} meanwhile`, async () => {
        await fill(200);
        const engine = await openEngine();
        const completed = world.service.reply(query, 1);
        let done = false;
        world.service.on(query, async (request, response) => {
          if (!done) {
            done = true;
            const other = new DatabaseSync(file);
            other.exec('PRAGMA wal_checkpoint(TRUNCATE); UPDATE meta SET value = value');
            other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
            other.close();
            const { size } = await stat(file);
            await (keepsRows ? damage(size / 2, size / 2 + 40_960) : damage(4096, size));
          }
          return completed(request, response);
        });
        const { id } = await engine.runner.start(world.request());
        await assertSavedOnce(engine, id);
        if (keepsRows) {
          assert.throws(() => engine.store.list({ limit: 1000 }), /malformed/);
          await world.until(engine, (await engine.runner.start(world.request())).id, 'completed');
          assert.ok(engine.store.count() > 150);
        }
        assert.deepEqual(
          notices.map(({ code, tasks = 0 }) => [code, tasks > 100]),
          [['database_corrupt', keepsRows]],
        );
        assert.ok((await stat(notices[0]?.file ?? '')).size > 100_000);
        assert.equal(engine.store.list({ limit: 1000 }).length, engine.store.count());
      });
    }

    it('goes on in every window', async () => {
      await fill(100);
      const clock = new ManualClock();
      const [finder, other] = [await openStore({ clock }), await openStore({ clock })];
      const task = aTask({ status: 'queued', remoteId: 'task_1' });
      await other.add(task);
      await damage(40_960, Math.floor((await stat(file)).size / 2));
      const told = Promise.withResolvers<void>();
      const followed = Promise.withResolvers<void>();
      finder.onDidChange(() => told.resolve());
      other.onDidChange(() => followed.resolve());
      assert.throws(() => finder.list({ limit: 1000 }), /malformed/);
      await told.promise;
      await clock.pass(500);
      await followed.promise;
      const stopped = await other.apply(task.id, { type: 'stop', at: 1 }, { fence: 1 });
      assert.ok(stopped.ok);
      assert.equal(finder.get(task.id)?.status, 'stopped');
      assert.equal(notices.length, 1);
    });
  });

  it('keeps pictures of tasks that are in a list from a newer version', async () => {
    const engine = await openEngine();
    await engine.store.add(aTask());
    await world.close(engine);
    const newer = new DatabaseSync(file);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    const arrived = join(world.home, 'incoming', 'a-task-of-the-newer-one');
    await mkdir(arrived, { recursive: true });
    const older = await openEngine();
    await older.runner.resumeUnfinished();
    assert.deepEqual(await readdir(join(world.home, 'incoming')), ['a-task-of-the-newer-one']);
    assert.equal(notices[0]?.code, 'database_newer');
    await rm(notices[0].file);
    await older.runner.resumeUnfinished();
    assert.deepEqual(await readdir(join(world.home, 'incoming')), []);
  });

  it('keeps no write-ahead log on a network file system, and still serves several windows', async () => {
    const options = { isOnNetwork: () => Promise.resolve(true) };
    const [here, there] = [await openStore(options), await openStore(options)];
    const received = new Promise<readonly string[]>((resolve) => there.onDidChange(resolve));
    const task = aTask();
    await here.add(task);
    assert.deepEqual(await received, [task.id]);
    assert.ok((await there.apply(task.id, { type: 'stop', at: 1 })).ok);
    assert.equal(here.get(task.id)?.status, 'stopped');
    assert.deepEqual(
      (await readdir(world.home)).filter((name) => name.startsWith('limner.db')),
      ['limner.db'],
    );
  });
});
