import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { schemaVersion } from '../../../../src/engine/store/schema.ts';
import { TaskStore } from '../../../../src/engine/store/taskStore.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { aRequest, aTask } from '../../../support/engine/taskBuilders.ts';
import { TestLog } from '../../../support/engine/world.ts';
import { beginning, ManualClock } from '../../../support/manualClock.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';

/** One image of a dollar, which is under way. */
function aDollar(prompt: string): Task {
  const request = aRequest({ prompt, n: 1, price: { amount: 1, currency: 'USD' } });
  return aTask({ status: 'queued', remoteId: `of ${prompt}`, createdAt: beginning, request });
}

function setVersion(path: string, version: number): void {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
}

const prompts = (store: TaskStore): string[] =>
  store
    .list({ limit: 99 })
    .map(({ request }) => request.prompt)
    .toSorted();

const tasksCounted = (store: TaskStore): number =>
  store.spent.between(0).reduce((sum, { tasks }) => sum + tasks, 0);

describe('a task list that an older version has set aside', () => {
  let folder: string;
  let file: string;
  let stores: Set<TaskStore>;

  beforeEach(async () => {
    folder = await mkdtemp(join(memoryFolder, 'limner-aside-'));
    file = join(folder, 'limner.db');
    stores = new Set();
  });

  afterEach(async () => {
    await Promise.all([...stores].map(async (store) => store.close()));
    await rm(folder, { recursive: true });
  });

  async function open(): Promise<TaskStore> {
    const store = await TaskStore.open({
      file,
      clock: new ManualClock(),
      log: new TestLog(),
      notice: () => {},
      isOnNetwork: () => Promise.resolve(false),
    });
    stores.add(store);
    return store;
  }

  /** Writes a list of these tasks; each time, one that was removed cost a dollar besides. */
  async function write(...prompts: string[]): Promise<void> {
    const store = await open();
    const removed = aDollar('removed');
    for (const task of [...prompts.map(aDollar), { ...removed, status: 'failed' as const }]) {
      await store.add(task);
    }
    assert.ok(await store.remove(removed.id));
    stores.delete(store);
    await store.close();
  }

  const aside = (): string[] =>
    readdirSync(folder)
      .filter((name) => /\.(?:newer|damaged)-[\d-]+$/u.test(name))
      .map((name) => join(folder, name));

  /** Leaves two lists aside that this version can read, and one in use. */
  async function leaveTwoAside(): Promise<string[]> {
    for (const prompt of ['one', 'two']) {
      await write(prompt);
      setVersion(file, schemaVersion + 1);
      await (await open()).close();
      stores.clear();
    }
    await write('three');
    const paths = aside();
    assert.equal(paths.length, 2);
    return paths;
  }

  it('stays, and says of which version it is, until a version comes that can read it', async () => {
    await write('one');
    setVersion(file, schemaVersion + 1);
    const store = await open();
    assert.deepEqual(prompts(store), []);
    assert.deepEqual(store.asideStill(), { path: aside()[0], version: schemaVersion + 1 });
  });

  it('is taken back once, tasks and sums, by however many windows', async () => {
    for (const path of await leaveTwoAside()) {
      setVersion(path, schemaVersion);
    }
    const [store] = await Promise.all([open(), open(), open()]);
    assert.deepEqual(prompts(store), ['one', 'three', 'two']);
    assert.equal(tasksCounted(store), 6);
    assert.deepEqual([aside(), store.asideStill()], [[], undefined]);
    const taken = store.list({ limit: 9 }).find(({ request }) => request.prompt === 'one');
    assert.equal(taken?.remoteId, 'of one');
  });

  it('is not counted twice where its file could not be deleted', async () => {
    const [path = ''] = await leaveTwoAside();
    setVersion(path, schemaVersion);
    const bytes = readFileSync(path);
    await (await open()).close();
    stores.clear();
    writeFileSync(path, bytes);
    const database = new DatabaseSync(file);
    database.prepare('INSERT INTO meta VALUES (?, 1)').run(`taken back: ${path.slice(folder.length + 1)}`);
    database.close();
    const store = await open();
    assert.deepEqual(prompts(store), ['one', 'three']);
    assert.equal(tasksCounted(store), 4);
    assert.equal(aside().includes(path), false);
  });

  it('is out of the way where nothing was ever written into it', async () => {
    writeFileSync(`${file}.newer-20260101000000`, '');
    const store = await open();
    assert.deepEqual([store.asideStill(), aside().length], [undefined, 1]);
  });

  it('gives back what can be read of it when it is damaged, and is kept', async () => {
    const [path = ''] = await leaveTwoAside();
    setVersion(path, schemaVersion);
    const bytes = readFileSync(path);
    // Its last pages.
    writeFileSync(path, bytes.subarray(0, bytes.length - 3 * 4096));
    const store = await open();
    assert.ok(prompts(store).includes('three'));
    assert.equal(aside().filter((name) => name.includes('.damaged-')).length, 1);
    assert.equal(aside().includes(path), false);
  });
});
