import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { TaskStore } from '../../../../src/engine/store/taskStore.ts';
import type { Claim, ImagePlace } from '../../../../src/engine/task/claim.ts';
import { toRow } from '../../../../src/engine/store/taskRow.ts';
import type { Task, TaskInput, TaskRequest } from '../../../../src/engine/task/task.ts';
import type { TaskEvent } from '../../../../src/engine/task/taskEvent.ts';
import { anError, aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { TestLog } from '../../../support/engine/world.ts';
import { beginning, ManualClock, settle } from '../../../support/manualClock.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';

const progress = { type: 'reported', remote: { status: 'in_progress', progress: 40 } } as const;

function published(uri: string): TaskEvent {
  return { type: 'resultChanged', result: aResult({ state: 'saved', uri }) };
}

function inputOf(name: string): TaskInput {
  return {
    uri: `file:///w/${name}`,
    path: `/home/inputs/${name}`,
    name,
    size: 1,
    mediaType: 'image/png',
    sha256: name,
  };
}

/** Returns what a window is told to have changed, time by time. */
function heardBy(store: TaskStore): string[][] {
  const heard: string[][] = [];
  store.onDidChange((ids) => heard.push([...ids]));
  return heard;
}

function running(changes: Partial<Task> = {}): Task {
  return aTask({ status: 'queued', remoteId: 'task_1', results: [aResult()], ...changes });
}

function wanted(place: ImagePlace): Claim {
  return { place, readAt: beginning };
}

describe('a task that several windows know', () => {
  let folder: string;
  let file: string;
  let clock: ManualClock;
  let log: TestLog;
  let stores: TaskStore[];

  beforeEach(async () => {
    folder = await mkdtemp(join(memoryFolder, 'limner-claims-'));
    file = join(folder, 'limner.db');
    clock = new ManualClock();
    log = new TestLog();
    stores = [];
  });

  afterEach(async () => {
    await Promise.all(stores.map(async (store) => store.close()));
    await rm(folder, { recursive: true });
  });

  async function openStore(): Promise<TaskStore> {
    const store = await TaskStore.open({ file, clock, log, notice: ({ code }) => assert.fail(code) });
    stores.push(store);
    return store;
  }

  /** Has another program change the file. */
  function sql(statement: string, ...values: (string | number)[]): void {
    const program = new DatabaseSync(file);
    program.prepare(statement).run(...values);
    program.close();
  }

  it('belongs to the window that took it last, which keeps it however often it takes it', async () => {
    const [first, second] = [await openStore(), await openStore()];
    const { id } = running();
    await first.add(running({ id }));
    const fences = (): unknown => [first.leases.fenceOf(id), second.leases.fenceOf(id), second.fence(id)];
    assert.deepEqual(fences(), [1, undefined, 1]);
    assert.ok((await first.apply(id, progress, { fence: 1 })).ok);
    const more = { type: 'reported', remote: { status: 'in_progress', progress: 50 } } as const;
    const reported = await second.apply(id, more);
    assert.deepEqual([reported.ok && reported.fence, fences()], [1, [1, undefined, 1]]);
    const stopped = await second.apply(id, { type: 'stop', at: 1 });
    assert.deepEqual([stopped.ok && stopped.fence, fences()], [1, [1, undefined, 1]]);
    for (const event of [{ type: 'resume' }, progress, progress] as const) {
      const taken = await second.apply(id, event, { take: true });
      assert.deepEqual([taken.ok && taken.fence, fences()], [2, [1, 2, 2]]);
    }
    // It gets no further, and to take it back, nothing else needs to change.
    const back = await first.apply(id, progress, { take: true });
    assert.deepEqual([back.ok && back.fence, fences()], [3, [3, 2, 3]]);
  });

  it('belongs to no other window for what is done with it after its end', async () => {
    const [first, second] = [await openStore(), await openStore()];
    const task = running({ status: 'completed', results: [aResult({ state: 'saved' })] });
    await first.add(task);
    const marked = await second.apply(task.id, { type: 'starred', index: 0, starred: true }, { take: true });
    assert.equal(marked.ok && marked.fence, 1);
    assert.deepEqual([second.leases.owned, second.fence(task.id)], [[], 1]);
    assert.equal(first.get(task.id)?.results[0]?.starred, true);
  });

  it('is written where something changes, and only then is anybody told', async () => {
    const [first, second] = [await openStore(), await openStore()];
    const task = running();
    await first.add(task);
    await clock.pass(1000);
    const [here, there] = [heardBy(first), heardBy(second)];
    const same = await first.apply(task.id, { type: 'starred', index: 0, starred: false });
    assert.deepEqual(same.ok && same.task, task);
    sql('UPDATE meta SET value = value');
    await clock.pass(1000);
    assert.deepEqual([here, there], [[], []]);
    const changed = await first.apply(task.id, progress);
    assert.deepEqual([here, there], [[[task.id]], []]);
    await clock.pass(1000);
    assert.deepEqual([here, there], [[[task.id]], [[task.id]]]);
    assert.deepEqual(second.get(task.id), changed.ok && changed.task);
  });

  it('takes what two windows want at once from the first of them', async () => {
    const [first, second] = [await openStore(), await openStore()];
    const { id } = running();
    await first.add(running({ id }));
    const heard = heardBy(second);
    const [one, other] = await Promise.all([
      first.apply(id, { type: 'stop', at: 1 }),
      second.apply(id, { type: 'stop', at: 2 }),
    ]);
    assert.ok(one.ok);
    assert.deepEqual(other, {
      ok: false,
      reason: 'refused',
      refusal: 'A task that is stopped takes no "stop".',
    });
    assert.deepEqual([first.get(id)?.finishedAt, heard], [1, []]);
  });

  it('stays as it is when what is to be done is checked at last, and may not be', async () => {
    const store = await openStore();
    const task = aTask({ held: true });
    await store.add(task);
    const heard = heardBy(store);
    const told: Task[] = [];
    const check = (before: Task): void => {
      told.push(before);
      throw new Error('It is too much.');
    };
    await assert.rejects(store.apply(task.id, { type: 'release', at: 1 }, { take: true }, check), {
      message: 'It is too much.',
    });
    assert.deepEqual([store.get(task.id), told, heard], [task, [task], []]);
  });

  it('is said to be gone where it is not there, or cannot be read', async () => {
    const store = await openStore();
    const task = running();
    await store.add(task);
    sql(`UPDATE tasks SET state = '{' WHERE id = ?`, task.id);
    for (const id of [task.id, 'none']) {
      const applied = await store.apply(id, { type: 'stop', at: 1 });
      const refusal = 'The task was removed from the task list.';
      assert.deepEqual(applied, { ok: false, reason: 'removed', refusal });
      assert.equal(store.get(id), undefined);
    }
    assert.deepEqual(store.list({ limit: 9 }), []);
    assert.deepEqual(log.lines, [`warn Task ${task.id} can't be read and is skipped.`]);
    // What is kept for it is not removed.
    assert.deepEqual([store.mayKnow(task.id), store.mayKnow('none')], [true, false]);
    writeFileSync(`${file}.damaged-20260101000000`, '');
    assert.equal(store.mayKnow('none'), true);
  });

  it('is known to the window that works on it while the list cannot be read, as it last was', async () => {
    const [first, second] = [await openStore(), await openStore()];
    const [added, changed, released, taken] = [running(), running(), running(), running()];
    for (const task of [added, changed, released]) {
      await first.add(task);
    }
    const after = await first.apply(changed.id, progress);
    first.releaseLease(released.id);
    await second.add(taken);
    await second.close();
    assert.equal(first.get(taken.id)?.status, 'queued');
    assert.equal((await first.leases.claimOrphans()).length, 1);
    assert.equal(first.get(taken.id)?.status, 'queued');
    const third = await openStore();
    assert.equal(third.get(added.id)?.status, 'queued');
    assert.ok((await third.apply(changed.id, { type: 'stop', at: 1 })).ok);
    sql('ALTER TABLE tasks RENAME TO away');
    assert.deepEqual(first.get(added.id), added);
    assert.deepEqual(first.get(changed.id), after.ok && after.task);
    assert.deepEqual(first.get(taken.id), taken);
    for (const [store, id] of [
      [first, released.id],
      [first, 'none'],
      [third, added.id],
      [third, changed.id],
    ] as const) {
      assert.throws(() => store.get(id), /no such table/u);
    }
    const heard = heardBy(first);
    await clock.pass(500);
    assert.match(log.lines.join('\n'), /^warn Couldn't read changes from other windows: \S/mu);
    sql('ALTER TABLE away RENAME TO tasks');
    assert.equal(first.get(changed.id)?.status, 'stopped');
    await clock.pass(500);
    assert.ok(heard.flat().includes(changed.id));
  });

  it('is one for a call that an agent repeats, in whichever window, and the newest of several', async () => {
    const [first, second] = [await openStore(), await openStore()];
    const called = (call: string, changes: Partial<Task> = {}): Task =>
      running({ request: aRequest({ agent: { call } }), createdAt: beginning, ...changes });
    let checks = 0;
    const check = (): void => void checks++;
    const free: Partial<Task> = { status: 'failed', error: anError({ billing: 'no' }), results: [] };
    const [failed, again, other] = [called('one', free), called('one'), called('two')];
    const [one, two] = [{ call: 'one' }, { call: 'two' }];
    assert.equal(await first.add(failed, check, one), undefined);
    assert.equal(await first.add(again, check, one), undefined);
    const heard = heardBy(second);
    assert.deepEqual(await second.add(called('one'), check, one), again);
    assert.deepEqual([second.count(), second.leases.owned, heard, checks], [2, [], [], 2]);
    assert.equal(await second.add(other, check, two), undefined);
    assert.equal(await second.add(running(), check), undefined);
    assert.equal(await second.add(running(), check), undefined);
    assert.deepEqual([second.count(), checks], [5, 5]);
    // What a user goes on with is not what an agent asks for now.
    assert.ok((await first.apply(failed.id, { type: 'resume' })).ok);
    assert.deepEqual(first.standing(one, beginning), again);
    assert.equal(first.standing({ call: 'on' }, beginning), undefined);
    await assert.rejects(
      second.add(called('three'), () => assert.fail('It is too much.'), { call: 'three' }),
      { message: 'It is too much.' },
    );
    assert.equal(second.count(), 5);
  });

  it('is found by its claim, also where a window of the version before has written it', async () => {
    const write = (request: Partial<TaskRequest>): Task => {
      const task = running({ request: aRequest(request), createdAt: beginning });
      sql(
        `INSERT INTO tasks (id, status, live, unsaved, prompt, request, state, revision, owner, fence)
         VALUES (?, ?, ?, ?, ?, ?, ?, 1, NULL, 1)`,
        ...toRow(task),
      );
      return task;
    };
    const reference = {
      document: 'file:///w/a%20b.html',
      address: 'https://x.example/{id}?a',
      words: 'A fox',
    };
    const target = { folder: 'file:///w/images', root: 'file:///w', fileName: 'fox.png' };
    const elsewhere = { ...target, folder: 'file:///w/pictures' };
    await (await openStore()).close();
    for (const column of ['call', 'claim']) {
      sql(`DROP INDEX tasks_by_${column}`);
      sql(`ALTER TABLE tasks DROP COLUMN ${column}`);
    }
    sql('DROP TRIGGER files_changed');
    sql('DROP TRIGGER files_removed');
    sql('DROP TABLE files');
    sql('PRAGMA user_version = 5');
    const [call, place, file] = [
      write({ agent: { call: 'one' } }),
      write({ reference }),
      write({ target, agent: { call: 'two' } }),
    ];
    write({ reference: { ...reference, words: 'An owl' } });
    write({ target: elsewhere });
    sql(
      `INSERT INTO tasks SELECT 'damaged', status, 0, 0, '', '{"kind":', '', 1, NULL, 1, 0, '' FROM tasks LIMIT 1`,
    );
    const store = await openStore();
    const found = (...claims: Claim[]): unknown[] =>
      claims.map((claim) => store.standing(claim, beginning)?.id);
    const document = 'file:///w/a b.html';
    const claims = [
      { call: 'one' },
      wanted({ target, reference: { ...reference, document } }),
      wanted({ target: { ...target, folder: 'file:/w/images' } }),
    ];
    assert.deepEqual(found(...claims), [call.id, place.id, file.id]);
    const later = [write({ agent: { call: 'one' } }), write({ reference }), write({ target })];
    assert.deepEqual(
      found(...claims),
      later.map(({ id }) => id),
    );
    assert.deepEqual(found(wanted({ target: aRequest().target })), [undefined], 'a template of names');
    const onWhite = write({
      target: { ...target, fileName: 'fox-on-white.png' },
      onBlack: { finish: {}, fileName: 'fox.png' },
    });
    assert.deepEqual(found(wanted({ target })), [onWhite.id], 'the first half of it');
  });

  it('is found by the file that holds its image, not by one that it only meant to write', async () => {
    const store = await openStore();
    const uri = 'file:///w/fox.png';
    const saved = running({ status: 'completed', results: [aResult({ state: 'saved', uri })] });
    const meant = running({ status: 'saving', results: [aResult({ state: 'staged', publishing: uri })] });
    await store.add(saved);
    await store.add(meant);
    assert.deepEqual(store.savedAs(uri), { task: saved, result: saved.results[0] });
  });

  it('names the files that it was given, each image and the mask', async () => {
    const store = await openStore();
    assert.deepEqual(store.inputPaths(), []);
    const images = [inputOf('a.png'), inputOf('b.png')];
    await store.add(aTask());
    await store.add(aTask({ request: aRequest({ kind: 'edit', images }) }));
    await store.add(
      aTask({ request: aRequest({ kind: 'edit', images: [inputOf('c.png')], mask: inputOf('m.png') }) }),
    );
    assert.deepEqual(
      store.inputPaths().toSorted(),
      ['a.png', 'b.png', 'c.png', 'm.png'].map((name) => `/home/inputs/${name}`),
    );
  });

  it('survives a power cut as it was, unless what is missing then is found again by itself', async ({
    mock,
  }) => {
    const exec = mock.method(DatabaseSync.prototype, 'exec');
    const store = await openStore();
    /** Returns how SQLite is to write by now. */
    const durability = (): string =>
      exec.mock.calls
        .map(({ arguments: [text] }) => /^PRAGMA synchronous = (\w+)$/u.exec(text)?.[1])
        .findLast((one) => one !== undefined) ?? assert.fail();
    const staged = aResult({ state: 'staged', stagedPath: '/home/incoming/x' });
    const error = anError();
    const remote = { status: 'queued' } as const;
    const images = [aResult()];
    for (const [expected, event, changes] of [
      ['full', { type: 'submit', keyFingerprint: 'f' }, { status: 'waiting' }],
      ['full', { type: 'accepted', at: 1, remoteId: 'task_1', remote }, { status: 'submitting' }],
      ['normal', progress, {}],
      ['normal', { type: 'unreachable', at: 1, retryAt: 2, error }, {}],
      ['normal', { type: 'answering', at: 1 }, { status: 'submitting' }],
      ['normal', { type: 'arrived', result: staged }, { status: 'in_progress', results: [] }],
      ['normal', { type: 'arrived', result: staged }, { status: 'submitting', results: [] }],
      ['full', { type: 'arrived', result: staged }, { status: 'unknown', results: [] }],
      ['full', { type: 'arrived', result: staged }, { status: 'stopped', results: [] }],
      ['full', { type: 'answered', at: 1, results: [staged] }, { status: 'in_progress', results: [] }],
      ['normal', { type: 'fetched', result: staged }, { status: 'saving', results: images }],
      ['normal', published('file:///w/fox.png'), { status: 'saving', results: images }],
      ['full', published('vscode-vfs://github/o/r/fox.png'), { status: 'saving', results: images }],
      ['full', { type: 'resultChanged', result: staged }, { status: 'saving', results: images }],
      ['normal', { type: 'settled', at: 1 }, { status: 'saving', results: images }],
      ['full', { type: 'stop', at: 1 }, {}],
    ] satisfies [string, TaskEvent, Partial<Task>][]) {
      const { id } = running();
      await store.add(running({ id, ...changes }));
      assert.equal(durability(), 'full', 'what is added');
      assert.ok((await store.apply(id, event)).ok, event.type);
      assert.equal(durability(), expected, `${event.type} of a task that is ${changes.status}`);
    }
  });

  it('is heard of although its change bears a number that this window nearly gave to another', async ({
    mock,
  }) => {
    const [here, there] = [await openStore(), await openStore()];
    await clock.pass(1000);
    const [own, foreign] = [running(), running()];
    const busy = Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });
    // The transaction is rolled back, and begun again.
    const exec = mock.method(DatabaseSync.prototype, 'exec');
    exec.mock.mockImplementationOnce(() => {
      throw busy;
    }, 1);
    const heard = heardBy(here);
    const adding = here.add(own);
    await settle();
    await there.add(foreign);
    await clock.pass(1000);
    await adding;
    assert.deepEqual(heard.flat().toSorted(), [own.id, foreign.id]);
  });

  it('that was removed long ago is forgotten, but not before each window has heard of it', async () => {
    const [first, second] = [await openStore(), await openStore()];
    sql("UPDATE meta SET value = 50000 WHERE name = 'revision'");
    sql("INSERT INTO removed VALUES ('long ago', 35000), ('a while ago', 41000)");
    const task = running({ status: 'completed' });
    await first.add(task);
    await clock.pass(1000);
    const heard = heardBy(second);
    assert.equal(await first.remove(task.id), true);
    await clock.pass(1000);
    assert.deepEqual(heard, [[task.id]]);
    const program = new DatabaseSync(file);
    const known = program.prepare('SELECT id FROM removed ORDER BY revision').all();
    program.close();
    assert.deepEqual(
      known.map(({ id }) => id),
      ['a while ago', task.id],
    );
  });

  it('is told to all who listen, though one of them fails, which the log says', async () => {
    const store = await openStore();
    const failing = store.onDidChange(() => {
      throw new Error('It broke.');
    });
    const heard = heardBy(store);
    const task = running();
    await store.add(task);
    failing.dispose();
    await store.apply(task.id, progress);
    assert.deepEqual(heard, [[task.id], [task.id]]);
    assert.deepEqual(log.lines, ['error A listener to task changes failed: Error: It broke.']);
  });

  it('is not asked for, nor worked on, once the list is closed', async () => {
    const store = await openStore();
    await store.add(running());
    const heard = heardBy(store);
    assert.equal(store.isOpen, true);
    await store.close();
    assert.deepEqual([store.isOpen, store.leases.owned, clock.pending, heard], [false, [], 0, []]);
    stores = [];
  });
});
