import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileUri } from '../../../../src/common/fileUris.ts';
import { type Clock, systemClock } from '../../../../src/common/clock.ts';
import { isLive, isRunning, standingOf, taskStatuses } from '../../../../src/common/taskStatus.ts';
import type { Notice } from '../../../../src/engine/task/ports.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { toRow } from '../../../../src/engine/store/taskRow.ts';
import { firstIdAt, newTaskId } from '../../../../src/engine/task/taskId.ts';
import {
  type Page,
  type TaskFilter,
  type TaskScope,
  TaskStore,
} from '../../../../src/engine/store/taskStore.ts';
import { anError, aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';
import { openFiles } from '../../../support/openFiles.ts';
import { firstSchema } from './firstSchema.ts';
import { TestLog } from '../../../support/engine/world.ts';

const day = 24 * 3_600_000;

describe('TaskStore', () => {
  let folder: string;
  let file: string;
  let notices: Notice[];
  let open: Set<TaskStore>;

  beforeEach(async () => {
    folder = await mkdtemp(join(memoryFolder, 'limner-store-'));
    file = join(folder, 'limner.db');
    notices = [];
    open = new Set();
  });

  afterEach(async () => {
    await Promise.all([...open].map((store) => store.close()));
    await rm(folder, { recursive: true });
  });

  async function openStore(clock: Clock = systemClock): Promise<TaskStore> {
    const store = await TaskStore.open({
      file,
      clock,
      log: new TestLog(),
      notice: (notice) => notices.push(notice),
    });
    open.add(store);
    return store;
  }

  async function close(store: TaskStore): Promise<void> {
    open.delete(store);
    await store.close();
  }

  it('finds the tasks whose images have a place in a document, and the one that saved a file', async () => {
    const store = await openStore();
    const reference = { document: 'file:///w/page.md', address: 'https://placehold.co/9', words: 'A "fox"' };
    const results = [aResult({ state: 'saved', uri: 'file:///w/fox.png' })];
    const first = aTask({ id: newTaskId(1000), results });
    const second = aTask({
      id: newTaskId(2000),
      request: aRequest({ reference }),
      results,
    });
    const third = aTask({ id: newTaskId(3000), request: aRequest({ prompt: '"reference":' }) });
    for (const task of [first, second, third]) {
      await store.add(task);
    }
    assert.deepEqual(store.withReference(), [second]);
    assert.deepEqual(store.savedAs('file:///w/fox.png'), { task: second, result: second.results[0] });
    assert.equal(store.savedAs('file:///w/fo'), undefined);
  });

  it('finds the image of a file whichever characters of its path are encoded', async () => {
    const store = await openStore();
    const names = [
      "it's.png",
      'fox (1).png',
      'rock & roll.png',
      'a+b,c=d@2x.png',
      'naïve 100%.png',
      '[x]#!.png',
    ];
    const disk = process.platform === 'win32' ? '/c:' : '';
    for (const [index, name] of names.entries()) {
      const uri = fileUri(`${disk.slice(1)}/w/${name}`);
      await store.add(aTask({ id: newTaskId(1000 + index), results: [aResult({ state: 'saved', uri })] }));
      // All that is not a letter or digit is encoded, as VS Code does it.
      const encoded = [...Buffer.from(`${disk}/w/${name}`)]
        .map((byte) => {
          const character = String.fromCharCode(byte);
          return /[\w./-]/u.test(character) ? character : `%${byte.toString(16).toUpperCase()}`;
        })
        .join('');
      for (const written of [uri, `file://${encoded}`]) {
        assert.equal(store.savedAs(written)?.result.uri, uri, written);
      }
    }
    const restored = `file://${disk}/w/owl%20%281%29.png`;
    await store.add(aTask({ id: newTaskId(2000), results: [aResult({ state: 'saved', uri: restored })] }));
    assert.equal(store.savedAs(restored)?.result.uri, fileUri(`${disk.slice(1)}/w/owl (1).png`));
    assert.equal(store.savedAs('file://other-host/w/fox.png'), undefined);
  });

  it('finds the tasks that were made together', async () => {
    const store = await openStore();
    const [first, other, last] = ['one', 'other', 'one'].map((id, index) =>
      aTask({
        id: newTaskId(1000 + index),
        request: aRequest({ batch: { id, title: 'Missing images', index } }),
      }),
    );
    assert.ok(first && other && last);
    const named = aTask({ id: newTaskId(4000), request: aRequest({ prompt: 'one' }) });
    for (const task of [first, other, last, named]) {
      await store.add(task);
    }
    assert.deepEqual(store.batch('one'), [last, first]);
    assert.deepEqual(store.batch('none'), []);
  });

  it('keeps everything about a task', async () => {
    const store = await openStore();
    const task: Task = aTask({
      request: aRequest({ size: '64x32', extra: { seed: 7 }, prompt: 'ein „Fuchs“ 狐' }),
      submittedAt: 1,
      finishedAt: 2,
      keyFingerprint: 'f',
      remoteId: 'task_1',
      remoteStatus: 'completed',
      progress: 100,
      error: anError({ service: { message: 'so it says' }, billing: 'maybe' }),
      results: [aResult({ state: 'saved', uri: 'file:///w/a.png', width: 3, height: 2, sha256: 'ab' })],
      remark: 'Here you are',
      usage: { totalTokenCount: 12 },
    });
    await store.add(task);
    await close(store);
    assert.deepEqual((await openStore()).get(task.id), task);
  });

  it('lists the newest first, in pages', async () => {
    const store = await openStore();
    const tasks = Array.from({ length: 5 }, () => aTask());
    for (const task of tasks) {
      await store.add(task);
    }
    const ids = tasks.map(({ id }) => id).toReversed();
    const first = store.list({ limit: 2 });
    assert.deepEqual(
      first.map(({ id }) => id),
      ids.slice(0, 2),
    );
    const before = first[1]?.id ?? '';
    assert.deepEqual(
      store.list({ limit: 10, before }).map(({ id }) => id),
      ids.slice(2),
    );
    assert.deepEqual(store.list({ limit: 10, statuses: ['completed'] }), []);
    assert.equal(store.count(), 5);
  });

  it('counts as running what goes on by itself', async () => {
    const store = await openStore();
    const running = aTask({ status: 'queued' });
    for (const task of [
      running,
      aTask({ held: true }),
      aTask({ status: 'needs_key' }),
      aTask({ status: 'stopped' }),
    ]) {
      await store.add(task);
    }
    assert.deepEqual(store.running(), [running]);
  });

  it('says of every task what its standing says', async () => {
    const store = await openStore();
    const tasks = [...taskStatuses.map((status) => aTask({ status })), aTask({ held: true })].toReversed();
    for (const task of tasks.toReversed()) {
      await store.add(task);
    }
    assert.deepEqual(store.running(), tasks.filter(isRunning));
    assert.deepEqual(
      store.unfinished(),
      tasks.filter((task) => standingOf(task) !== 'ended'),
    );
    for (const task of tasks) {
      assert.equal(await store.remove(task.id), !isLive(task), task.status);
    }
  });

  it('finds a prompt by any part of it, taking % and _ as they are', async () => {
    const store = await openStore();
    const prompts = ['a sunset', '100% wool', 'snake_case', '日落的海滩'];
    for (const prompt of prompts) {
      await store.add(aTask({ request: aRequest({ prompt }) }));
    }
    const found = (text: string): string[] =>
      store.list({ text, limit: 10 }).map(({ request }) => request.prompt);
    assert.deepEqual(found('SUN'), ['a sunset']);
    assert.deepEqual(found('0%'), ['100% wool']);
    assert.deepEqual(found('e_c'), ['snake_case']);
    assert.deepEqual(found('海'), ['日落的海滩']);
    assert.deepEqual(found('%'), ['100% wool']);
    const chapter = `${'日落的海滩 '.repeat(5000)}%_`;
    await store.add(aTask({ request: aRequest({ prompt: `a ${chapter} b` }) }));
    assert.deepEqual(found(chapter), [`a ${chapter} b`]);
    assert.deepEqual(found(`${chapter}%`), []);
    const book = 'a red fox '.repeat(6000);
    await store.add(aTask({ request: aRequest({ prompt: book }) }));
    for (const text of [book.slice(0, 49_998).toUpperCase(), book.slice(0, 49_999), book]) {
      assert.deepEqual(found(text), [book]);
    }
  });

  it('finds tasks by everything that is asked for at once, counts them, and goes to any place among them', async () => {
    const store = await openStore();
    const starred = [aResult({ index: 0 }), aResult({ index: 1, state: 'saved', starred: true })];
    const tasks = Array.from({ length: 48 }, (_, index) =>
      aTask({
        status: index % 2 === 0 ? 'completed' : 'failed',
        request: aRequest({
          prompt: `${index < 24 ? 'fox' : 'owl'} ${index}`,
          model: `painter-${index % 3}`,
          kind: index % 4 < 2 ? 'edit' : 'generate',
        }),
        results: index % 8 === 0 ? starred : [aResult({ revisedPrompt: '"starred":true' })],
      }),
    );
    for (const task of tasks) {
      await store.add(task);
    }
    const numbers = (filter: TaskFilter, page: Page = { limit: 100 }): number[] =>
      numbersOf(store.list({ ...filter, ...page }));
    const expect = (filter: TaskFilter, matches: (index: number) => boolean): void => {
      const found = [...tasks.keys()].filter(matches).toReversed();
      assert.deepEqual(numbers(filter), found);
      assert.equal(store.count(filter), found.length);
      assert.deepEqual(numbers(filter, { limit: 2, offset: 1 }), found.slice(1, 3));
      assert.deepEqual(
        numbers(filter, { limit: 3, before: tasks[found[1] ?? 0]?.id ?? '' }),
        found.slice(2, 5),
      );
      for (const [limit, offset] of [
        [100, 0],
        [2, 0],
        [2, 1],
        [2, 99],
      ] as const) {
        const { tasks, total } = store.search({ ...filter, limit, offset });
        assert.deepEqual(numbersOf(tasks), found.slice(offset, offset + limit));
        assert.equal(total, found.length);
      }
      assert.deepEqual(
        store.search({ ...filter, limit: 2 }),
        store.search({ ...filter, limit: 2, offset: 0 }),
      );
    };
    expect({}, () => true);
    expect({ text: '' }, () => true);
    expect({ text: 'FOX' }, (index) => index < 24);
    expect({ model: 'painter-1' }, (index) => index % 3 === 1);
    expect({ kind: 'edit' }, (index) => index % 4 < 2);
    expect({ starred: true }, (index) => index % 8 === 0);
    expect({ statuses: ['failed', 'stopped'] }, (index) => index % 2 === 1);
    expect({ statuses: [] }, () => false);
    expect(
      { text: 'owl', model: 'painter-0', kind: 'edit', statuses: ['completed'], starred: true },
      (index) => index >= 24 && index % 24 === 0,
    );
    assert.deepEqual(store.models(), ['painter-0', 'painter-1', 'painter-2']);
  });

  it('takes over a task list of the first version, to be searched like a new one', async () => {
    const old = new DatabaseSync(file);
    old.exec(firstSchema);
    const insert = old.prepare('INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?, 1, NULL, 1)');
    const plain = aTask({ status: 'completed', request: aRequest({ kind: 'edit', model: 'old-painter' }) });
    const other = aTask({ status: 'failed', results: [aResult({ state: 'saved' })] });
    insert.run(...toRow(plain));
    insert.run(...toRow(other));
    insert.run('damaged', 'completed', 0, 0, 'a red fox', '{"kind":', 'nonsense');
    insert.run('strange', 'completed', 0, 0, 'a red fox', '{"kind":{},"model":7}', '[]');
    old.close();
    const store = await openStore();
    assert.deepEqual(notices, []);
    assert.deepEqual(store.get(plain.id), plain);
    assert.deepEqual(store.list({ limit: 9, kind: 'edit' }), [plain]);
    assert.deepEqual(store.list({ limit: 9, model: 'painter-1' }), [other]);
    assert.equal(store.count({ starred: true }), 0);
    await store.apply(other.id, { type: 'starred', index: 0, starred: true });
    assert.equal(store.count({ starred: true }), 1);
    await close(store);
    const again = await openStore();
    assert.deepEqual(
      again.list({ limit: 9, starred: true }).map(({ id }) => id),
      [other.id],
    );
  });

  it('keeps a task with a picture that is marked, until it is marked no more', async () => {
    const store = await openStore();
    const [old, marked, recent] = [1, 2, 3].map(() =>
      aTask({ status: 'completed', results: [aResult({ state: 'saved' })] }),
    );
    assert.ok(old && marked && recent);
    for (const task of [old, marked, recent]) {
      await store.add(task);
    }
    const ids = (): string[] => store.list({ limit: 9 }).map(({ id }) => id);
    await store.apply(marked.id, { type: 'starred', index: 0, starred: true });
    await store.trimHistory({ limit: 1, age: Infinity, now: Date.now() });
    assert.deepEqual(ids(), [recent.id, marked.id]);
    await store.trimHistory({ limit: 0, age: -day, now: Date.now() });
    assert.deepEqual(ids(), [marked.id]);
    await store.clearFinished(Date.now());
    assert.deepEqual(ids(), [marked.id]);
    await store.apply(marked.id, { type: 'starred', index: 0, starred: false });
    await store.trimHistory({ limit: 0, age: Infinity, now: Date.now() });
    assert.deepEqual(ids(), []);
  });

  it('lists and clears the tasks of a workspace: by their folders, and some wherever they are saved', async () => {
    const store = await openStore();
    const folders = ['file:///w', 'file:///W/images', 'file:///w-2', 'file:///other%20one/a', 'file:///w'];
    const added: Task[] = [];
    for (const folder of folders) {
      const target = { folder, root: folder, fileName: '{prompt}' };
      const task = aTask({ status: 'completed', request: aRequest({ target }) });
      await store.add(task);
      added.push(task);
    }
    const [first, , , elsewhere] = added.map(({ id }) => id);
    const scope: TaskScope = {
      isWithin: (folder) => folders.includes(folder) && /^file:\/\/\/w(?:\/|$)/iu.test(folder),
      ids: new Set([elsewhere ?? '', 'removed']),
    };
    const found = (
      page: { limit: number; before?: string } = { limit: 9 },
      of: TaskScope = scope,
    ): string[] => store.listWithin(of, page).map(({ request }) => request.target.folder);
    const all = ['file:///w', 'file:///other%20one/a', 'file:///W/images', 'file:///w'];
    assert.deepEqual(found(), all);
    assert.deepEqual(found({ limit: 2 }), all.slice(0, 2));
    assert.deepEqual(found({ limit: 9, before: elsewhere ?? '' }), all.slice(2));
    assert.deepEqual(found({ limit: 9, before: first ?? '' }), []);
    assert.deepEqual(found({ limit: 9 }, { ...scope, ids: new Set() }), [all[0], all[2], all[3]]);
    await store.clearFinished(Date.now(), scope);
    assert.deepEqual(found(), []);
    assert.equal(store.count(), 1);
  });

  it('tells its own listeners at once, and those of other connections soon', async () => {
    const clock = new ManualClock();
    const [here, there] = [await openStore(clock), await openStore(clock)];
    const [heardHere, heardThere] = [heardBy(here), heardBy(there)];
    const task = aTask();
    await here.add(task);
    assert.deepEqual(heardHere, [[task.id]]);
    await clock.pass(1000);
    assert.deepEqual(heardThere, [[task.id]]);
    assert.deepEqual(heardHere, [[task.id]]);
    assert.deepEqual(there.get(task.id), task);
  });

  it('hears of removals elsewhere', async () => {
    const clock = new ManualClock();
    const [here, there] = [await openStore(clock), await openStore(clock)];
    const task = aTask({ status: 'completed' });
    await here.add(task);
    await clock.pass(1000);
    const [heardHere, heardThere] = [heardBy(here), heardBy(there)];
    assert.equal(await here.remove(task.id), true);
    await clock.pass(1000);
    assert.deepEqual([heardHere, heardThere], [[[task.id]], [[task.id]]]);
    assert.equal(await here.remove(task.id), false);
    await clock.pass(1000);
    assert.equal(heardHere.length, 1, 'nothing was removed');
  });

  it('does not report its own changes a second time when others write in between', async () => {
    const clock = new ManualClock();
    const [here, there] = [await openStore(clock), await openStore(clock)];
    const heard = heardBy(here);
    const [own, foreign] = [aTask(), aTask()];
    await here.add(own);
    await there.add(foreign);
    await clock.pass(1000);
    assert.deepEqual(heard, [[own.id], [foreign.id]]);
  });

  it('hears of a task that another process adds', async () => {
    const clock = new ManualClock();
    const heard = heardBy(await openStore(clock));
    const task = aTask();
    const child = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `const { TaskStore } = await import(${JSON.stringify(new URL('../../../../src/engine/store/taskStore.ts', import.meta.url).href)});
       const { systemClock } = await import(${JSON.stringify(new URL('../../../../src/common/clock.ts', import.meta.url).href)});
       const store = await TaskStore.open({ file: ${JSON.stringify(file)}, clock: systemClock, log: console, notice() {} });
       await store.add(${JSON.stringify(task)});
       await store.close();`,
    ]);
    await once(child, 'exit');
    assert.equal(child.exitCode, 0);
    await clock.pass(1000);
    assert.deepEqual(heard, [[task.id]]);
  });

  it('waits for a lock that another program holds without blocking', async () => {
    const store = await openStore();
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const task = aTask();
    let rounds = 0;
    const adding = store.add(task);
    while (rounds < 20) {
      await new Promise((resolve) => setImmediate(resolve));
      rounds++;
    }
    assert.equal(store.get(task.id), undefined);
    other.exec('ROLLBACK');
    other.close();
    await adding;
    assert.deepEqual(store.get(task.id), task);
  });

  for (const [moment, pauses] of [
    ['before it has closed', [100, 3000]],
    ['after that', [2000, 2000]],
  ] as const) {
    it(`writes what waits for a lock that is free ${moment}, and leaves no file open`, async () => {
      const clock = new ManualClock();
      const store = await openStore(clock);
      const task = aTask({ status: 'queued' });
      await store.add(task);
      const other = new DatabaseSync(file);
      other.exec('BEGIN IMMEDIATE');
      const stopping = store.apply(task.id, { type: 'stop', at: 1 });
      const closing = close(store);
      const [held, rest] = pauses;
      await clock.pass(held);
      other.exec('ROLLBACK');
      await clock.pass(rest);
      await closing;
      assert.ok((await stopping).ok);
      const owners = other.prepare('SELECT count(*) AS count FROM owners').get()?.['count'];
      // Another window takes over its tasks at once.
      assert.equal(owners, moment === 'after that' ? 1 : 0);
      other.close();
      assert.deepEqual(openFiles(folder), []);
      assert.equal((await openStore()).get(task.id)?.status, 'stopped');
    });
  }

  it('refuses an event of a window whose lease is gone', async () => {
    const [first, second] = [await openStore(), await openStore()];
    const task = aTask({ status: 'queued', remoteId: 'task_1' });
    await first.add(task);
    const taken = await second.apply(task.id, { type: 'stop', at: 1 });
    assert.ok(taken.ok);
    const resumed = await second.apply(task.id, { type: 'resume' }, { take: true });
    assert.equal(resumed.ok && resumed.fence, 2);
    const late = await first.apply(
      task.id,
      { type: 'reported', remote: { status: 'in_progress' } },
      { fence: 1 },
    );
    assert.equal(!late.ok && late.reason, 'lease_lost');
    assert.equal(second.get(task.id)?.status, 'queued');
  });

  it('clears what has ended, but neither running tasks nor pictures that are no file yet', async () => {
    const store = await openStore();
    const running = aTask({ status: 'queued' });
    const held = aTask({ held: true });
    const unsaved = aTask({
      status: 'failed',
      results: [aResult({ state: 'failed', stagedPath: '/home/incoming/x' })],
    });
    const done = aTask({ status: 'completed' });
    for (const task of [running, held, unsaved, done]) {
      await store.add(task);
    }
    assert.equal(await store.remove(running.id), false);
    await store.clearFinished(Date.now());
    assert.deepEqual(
      store.list({ limit: 10 }).map(({ id }) => id),
      [unsaved.id, held.id, running.id],
    );
  });

  it('clears nothing that a person may still fetch from the service, until it is gone there', async () => {
    const store = await openStore();
    const now = Date.now();
    const remoteId = 'task_1';
    const unfetched = [aResult({ state: 'failed', error: anError({ code: 'result_refused' }) })];
    const finishedAt = now - 5 * 3_600_000;
    const gone = [
      aTask({
        status: 'stopped',
        remoteId,
        submittedAt: now - 25 * 3_600_000,
        finishedAt: now - 7 * 3_600_000,
      }),
      aTask({ status: 'stopped', finishedAt }),
      aTask({ status: 'completed', remoteId, results: [aResult({ state: 'saved' })], finishedAt }),
      aTask({
        status: 'failed',
        remoteId,
        error: anError({ code: 'image_generation_failed', billing: 'refunded' }),
        finishedAt,
      }),
      aTask({
        status: 'expired',
        remoteId,
        completedAt: now - 7 * 3_600_000,
        results: unfetched,
        finishedAt,
      }),
    ];
    const there = [
      aTask({ status: 'stopped', remoteId, finishedAt }),
      aTask({
        status: 'stopped',
        remoteId,
        submittedAt: now - 23 * 3_600_000,
        finishedAt: now - 22 * 3_600_000,
      }),
      aTask({ status: 'failed', remoteId, error: anError({ code: 'timeout' }), finishedAt }),
      aTask({ status: 'failed', results: unfetched, finishedAt }),
      aTask({
        status: 'completed',
        results: [aResult({ state: 'saved' }), { ...aResult({ state: 'failed' }), index: 1 }],
        finishedAt,
      }),
      aTask({ status: 'expired', completedAt: finishedAt, results: unfetched, finishedAt }),
      aTask({ status: 'expired', remoteId, completedAt: finishedAt, finishedAt }),
    ];
    for (const task of [...gone, ...there]) {
      await store.add(task);
    }
    await store.clearFinished(now);
    assert.deepEqual(
      store.list({ limit: 99 }).map(({ id }) => id),
      there.map(({ id }) => id).toReversed(),
    );
    await store.clearFinished(now + 2 * 3_600_000);
    assert.deepEqual(store.list({ limit: 99 }), []);
  });

  const kept = { path: '/kept.png', sha256: 'a' };
  for (const [what, image] of [
    ['whose original can be restored', (at: number) => ({ replacedOriginal: { ...kept, at } })],
    ['whose image is discarded', (at: number) => ({ discarded: { path: '/kept.png', at } })],
  ] as const) {
    it(`clears and trims no task ${what}, for a month`, async () => {
      const store = await openStore();
      const now = Date.now();
      const day = 24 * 3_600_000;
      const finishedAt = now - 2 * day;
      const results = [aResult({ state: 'saved', ...image(finishedAt) })];
      const task = aTask({ status: 'completed', finishedAt, results });
      await store.add(task);
      await store.clearFinished(now);
      await store.trimHistory({ limit: 0, age: 0, now });
      assert.deepEqual(store.get(task.id), task);
      await store.clearFinished(finishedAt + 30 * day);
      assert.equal(store.get(task.id), undefined);
    });
  }

  it('trims the history to its newest', async () => {
    const store = await openStore();
    const tasks = Array.from({ length: 6 }, () => aTask({ status: 'completed' }));
    for (const task of tasks) {
      await store.add(task);
    }
    await store.trimHistory({ limit: 4, age: Infinity, now: Date.now() });
    assert.deepEqual(
      store.list({ limit: 10 }).map(({ id }) => id),
      tasks
        .slice(2)
        .map(({ id }) => id)
        .toReversed(),
    );
  });

  for (const [limit, days, left] of [
    [1, 5, [0]],
    [3, 3, [0, 2]],
    [4, 1, [0]],
  ] as const) {
    it(`trims the history to what is both new and young enough: ${limit}, ${days} days`, async () => {
      const store = await openStore();
      const now = Date.now();
      for (const age of [7, 4, 2, 0]) {
        const at = now - age * day;
        await store.add(aTask({ id: idAt(at), createdAt: at, status: 'completed' }));
      }
      await store.trimHistory({ limit, age: days * day, now });
      assert.deepEqual(
        store.list({ limit: 10 }).map(({ createdAt }) => (now - createdAt) / day),
        left,
      );
    });
  }

  it('lists everything, and trims nothing, where no number is too large', async () => {
    const store = await openStore();
    for (const limit of [1e18, 1e300, Infinity]) {
      await store.add(aTask({ status: 'completed' }));
      const count = store.count();
      assert.equal(store.list({ limit }).length, count);
      assert.deepEqual(store.list({ limit: 1, offset: limit }), []);
      await store.trimHistory({ limit, age: Infinity, now: Date.now() });
      assert.equal(store.count(), count);
    }
  });

  it('trims the history to what is young enough', async () => {
    const store = await openStore();
    const now = Date.now();
    const [old, unsaved, young, recent] = [now - 31 * day, now - 31 * day + 1, now - 29 * day, now].map(
      (at) => aTask({ id: idAt(at), createdAt: at, status: 'completed' }),
    );
    assert.ok(old && unsaved && young && recent);
    for (const task of [
      old,
      { ...unsaved, results: [aResult({ state: 'failed', stagedPath: '/home/incoming/x' })] },
      young,
      recent,
    ]) {
      await store.add(task);
    }
    await store.trimHistory({ limit: 100, age: 30 * day, now });
    assert.deepEqual(
      store.list({ limit: 10 }).map(({ id }) => id),
      [recent.id, young.id, unsaved.id],
    );
  });

  it('trims nothing because the clock is years ahead, also once something has failed by it', async () => {
    const store = await openStore();
    const now = Date.now();
    const wrong = now + 9 * 365 * day;
    const [old, young, recent, failed] = [now - 31 * day, now - 29 * day, now - 1, wrong].map((at) =>
      aTask({
        id: idAt(at),
        createdAt: at,
        status: at === wrong ? 'failed' : 'completed',
      }),
    );
    assert.ok(old && young && recent && failed);
    for (const task of [old, young, recent, failed]) {
      await store.add(task);
    }
    await store.trimHistory({ limit: 100, age: 30 * day, now: wrong });
    assert.deepEqual(
      store.list({ limit: 10 }).map(({ id }) => id),
      [failed.id, recent.id, young.id],
    );
  });

  it('trims nothing that a person may still fetch from the service', async () => {
    const store = await openStore();
    const now = Date.now();
    const [gone, stopped, expired, refused, saved, recent] = (
      [
        ['stopped', 25],
        ['stopped', 23],
        ['expired', 5],
        ['failed', 4],
        ['completed', 3],
        ['completed', 2],
      ] as const
    ).map(([status, hours]) => {
      const createdAt = now - hours * 3_600_000;
      return aTask({ id: idAt(createdAt), createdAt, status, remoteId: 'task_1' });
    });
    assert.ok(gone && stopped && expired && refused && saved && recent);
    for (const task of [gone, stopped, expired, refused, saved, recent]) {
      await store.add(task);
    }
    await store.trimHistory({ limit: 1, age: Infinity, now });
    assert.deepEqual(
      store.list({ limit: 10 }).map(({ id }) => id),
      [recent.id, refused.id, expired.id, stopped.id],
    );
  });

  it('trims the history to what is young enough, also where that is no whole millisecond', async () => {
    const store = await openStore();
    const now = Date.now();
    for (const at of [now - day, now - 0.5 * day]) {
      await store.add(aTask({ id: idAt(at), createdAt: at, status: 'completed' }));
    }
    await store.trimHistory({ limit: 100, age: 0.2 * day + 0.5, now });
    assert.deepEqual(
      store.list({ limit: 10 }).map(({ createdAt }) => createdAt),
      [now - 0.5 * day],
    );
  });

  it('names a key without telling anything about it, alike in every window', async () => {
    const [here, there] = [await openStore(), await openStore()];
    const name = here.fingerprint('sk-secret');
    assert.equal(there.fingerprint('sk-secret'), name);
    assert.notEqual(here.fingerprint('sk-other'), name);
    assert.match(name, /^[0-9a-f]{32}$/);
  });

  for (const [what, bytes] of [
    ['no database at all', Buffer.from('this is no database'.repeat(100))],
    ['a torn database', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4096, 7)])],
  ] as const) {
    it(`sets ${what} aside and says so`, async () => {
      await writeFile(file, bytes);
      const store = await openStore();
      await store.add(aTask());
      assert.deepEqual(
        notices.map(({ code }) => code),
        ['database_corrupt'],
      );
      assert.deepEqual(await readFile(notices[0]?.file ?? ''), bytes);
    });
  }

  it('sets a database aside that turned out to be damaged while it was used, and keeps what can be read', async () => {
    const store = await openStore();
    for (let index = 0; index < 200; index++) {
      await store.add(aTask({ request: aRequest({ prompt: 'x'.repeat(2000) }) }));
    }
    await close(store);
    const damaged = await readFile(file);
    damaged.fill(7, damaged.length / 2, damaged.length / 2 + 80_000);
    await writeFile(file, damaged);
    const careless = await openStore();
    assert.throws(() => careless.list({ limit: 1000 }), /malformed/);
    await close(careless).catch(() => {});
    const fresh = await openStore();
    const kept = fresh.count();
    assert.ok(kept > 150 && kept < 200, `${kept} of 200`);
    assert.deepEqual(
      notices.map(({ code, tasks }) => [code, tasks]),
      [['database_corrupt', kept]],
    );
    // On Windows it had to stay where it was until the first store was closed.
    const aside = (await readdir(folder)).find((name) => name.startsWith('limner.db.damaged-'));
    assert.deepEqual(await readFile(join(folder, aside ?? '')), damaged);
  });

  it('sets a newer database aside, whole, and says so', async () => {
    const task = aTask();
    const older = await openStore();
    await older.add(task);
    await close(older);
    const newer = new DatabaseSync(file);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    const store = await openStore();
    assert.equal(store.count(), 0);
    assert.deepEqual(
      notices.map(({ code }) => code),
      ['database_newer'],
    );
    const aside = new DatabaseSync(notices[0]?.file ?? '');
    assert.equal(aside.prepare('SELECT id FROM tasks').get()?.['id'], task.id);
    aside.close();
  });

  it('lets several windows open a new store at the same moment', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore()));
    const task = aTask();
    await stores[0]?.add(task);
    assert.ok(stores.every((store) => store.get(task.id) !== undefined));
    assert.deepEqual(notices, []);
  });

  it('says why it cannot be opened', async () => {
    const blocked = join(folder, 'blocked');
    await writeFile(blocked, 'a file where a folder should be');
    file = join(blocked, 'limner.db');
    await assert.rejects(openStore(), { code: 'save_failed', billing: 'no' });
  });

  it('leaves out a row that cannot be read, and shows the others', async () => {
    const store = await openStore();
    const [good, bad] = [aTask(), aTask()];
    await store.add(good);
    await store.add(bad);
    const other = new DatabaseSync(file);
    other.prepare("UPDATE tasks SET state = '{' WHERE id = ?").run(bad.id);
    other.close();
    assert.deepEqual(
      store.list({ limit: 10 }).map(({ id }) => id),
      [good.id],
    );
  });
});

/** Returns what a window is told to have changed, time by time. */
function heardBy(store: TaskStore): string[][] {
  const heard: string[][] = [];
  store.onDidChange((ids) => heard.push([...ids]));
  return heard;
}

/** Returns the id of a task of this time, also where others of later times were made before. */
function idAt(time: number): string {
  return `${firstIdAt(time)}00000000`;
}

/** Returns the numbers that are the second words of prompts. */
function numbersOf(tasks: readonly Task[]): number[] {
  return tasks.map(({ request }) => Number(request.prompt.split(' ')[1]));
}
