import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileUri } from '../../../../src/common/disk/fileUris.ts';
import { LimnerError } from '../../../../src/common/limnerError.ts';
import type { RemoteTask } from '../../../../src/service/messages.ts';
import { onTwoGrounds } from '../../../../src/tasks/files/onTwoGrounds.ts';
import type { StagedFile } from '../../../../src/tasks/files/stagingStore.ts';
import { newTaskId } from '../../../../src/tasks/taskId.ts';
import type { Task, TaskRequest } from '../../../../src/tasks/task.ts';
import { anError, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { accepted, quiet, StillWorld } from '../../../support/engine/stillWorld.ts';
import { picture } from '../../../support/service/loopbackService.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const url = 'https://results.example/0.png';
const images: RemoteTask = { id: 'task_1', status: 'completed', images: [{ kind: 'url', url }] };
const price = { amount: 1, currency: 'USD' };

function busy(): LimnerError {
  return new LimnerError('queue_full', 'It is busy.', {
    status: 503,
    sent: true,
    billing: 'no',
    retryAfter: 10 * minute,
  });
}

function notThisOne(): never {
  throw new LimnerError('invalid_request', 'Not this one.', { billing: 'no', sent: false });
}

/** Returns a task whose image was made on white, with the id of the one that puts it on black. */
function onWhite(id?: string): Task {
  const result = aResult({ state: 'saved', ...(id !== undefined && { onBlack: { id } }) });
  return aTask({ status: 'completed', results: [result] });
}

/** Makes a folder with a file in it. */
function folderOf(...names: string[]): string {
  const path = join(...names);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, '1.png'), picture());
  return path;
}

describe('what a window does with its tasks', () => {
  let world: StillWorld;

  beforeEach(async () => {
    world = await StillWorld.create();
  });

  afterEach(async () => world.dispose());

  /** Has another program change the task list. */
  function sql(statement: string): void {
    const program = new DatabaseSync(join(dirname(world.incoming), 'limner.db'));
    program.exec(statement);
    program.close();
  }

  /** Until `writable`, no row can be written or read. */
  const unwritable = (): void => sql('ALTER TABLE tasks RENAME TO away');
  const writable = (): void => sql('ALTER TABLE away RENAME TO tasks');

  /** Has a task whose images are there as soon as it is asked about, while its row cannot be written. */
  async function finishUnwritten(): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<RemoteTask>();
    world.query = async () => promise;
    const id = await world.goOn();
    unwritable();
    resolve(images);
    await quiet();
    return id;
  }

  async function refused(
    request: TaskRequest,
    options: Parameters<typeof world.runner.start>[1],
    code: string,
    message: RegExp,
  ): Promise<void> {
    await assert.rejects(world.runner.start(request, options), (error: unknown) => {
      assert.ok(error instanceof LimnerError);
      assert.deepEqual([error.code, error.billing, error.sent ?? false], [code, 'no', false]);
      assert.match(error.message, message);
      return true;
    });
    await world.pass(minute);
    assert.deepEqual([world.store.count(), world.sent], [0, []]);
  }

  async function staged(id: string, index = 0): Promise<StagedFile> {
    const sink = world.staging.sink(id, index, 1);
    await sink.write(picture(String(index)));
    await sink.close();
    return sink.file ?? assert.fail();
  }

  describe('that it starts', () => {
    it('are refused before anything is sent or listed when they cannot be what is wanted', async () => {
      for (const n of [0, 101, 1.5]) {
        await refused(world.request({ n }), {}, 'invalid_request', /^n: /u);
      }
      const white = onTwoGrounds(world.request());
      const { target } = white;
      const two = /^Two backgrounds make one image at a time, in a folder on disk\.$/u;
      await refused({ ...white, n: 2 }, {}, 'invalid_request', two);
      const remote = { ...target, root: 'vscode-vfs://g/o', folder: 'vscode-vfs://g/o/images' };
      await refused({ ...white, target: remote }, {}, 'invalid_request', two);
      const outside = { ...target, folder: fileUri(dirname(world.workspace)) };
      await refused(world.request({ target: outside }), {}, 'save_failed', /outside/u);
      await world.start(white);
      await world.start({ target: remote, n: 2 });
      assert.equal(world.sent.length, 2);
    });

    it('are refused when they cost too much, unless a person decides to, or for what else is checked', async () => {
      world.settings.budget = { day: 1 };
      const request = world.request({ n: 2, price });
      await refused(request, {}, 'over_budget', /^The budget for a day is 1 USD\./u);
      await refused(
        request,
        { isBeyondBudget: true, check: notThisOne },
        'invalid_request',
        /^Not this one\.$/u,
      );
      unwritable();
      const failed = world.runner.start(world.request());
      await assert.rejects(failed, {
        code: 'save_failed',
        message: /^Couldn't add the task to the task list\. /,
      });
      writable();
      await world.runner.start(request, { isBeyondBudget: true });
      await quiet();
      assert.equal(world.sent.length, 1);
    });

    it('are sent once for a call that an agent repeats', async () => {
      const request = world.request({ agent: { call: 'one' }, startedBy: 'agent' });
      const first = await world.runner.start(request);
      await quiet();
      const again = await world.runner.start(request);
      await quiet();
      assert.deepEqual([again.id, world.store.count(), world.sent.length], [first.id, 1, 1]);
      await world.runner.start({ ...request, agent: { call: 'two' } });
      await quiet();
      assert.equal(world.sent.length, 2);
    });

    it('are refused once it closes', async () => {
      const id = await world.goOn({ status: 'stopped' });
      await world.runner.dispose();
      const closed = { code: 'stopped', message: 'Limner has shut down.' };
      await assert.rejects(world.runner.start(world.request()), closed);
      await assert.rejects(world.runner.resume(id), closed);
      assert.deepEqual([world.store.count(), world.task(id).status], [1, 'stopped']);
    });

    it('are sent as they were ordered where they wait for a person, but not beyond the budget', async () => {
      world.settings.budget = { day: 1 };
      const id = await world.goOn({ status: 'waiting', request: world.request({ n: 2, price }) });
      assert.equal(world.task(id).held, true);
      await assert.rejects(world.runner.sendNow(id), { code: 'over_budget' });
      await world.pass(minute);
      assert.deepEqual([world.task(id).held, world.sent], [true, []]);
      const orderedAt = world.clock.now();
      await world.runner.sendNow(id, { isBeyondBudget: true });
      await quiet();
      assert.deepEqual([world.task(id).held, world.task(id).orderedAt], [undefined, orderedAt]);
      assert.equal(world.sent.length, 1);
      await assert.rejects(world.runner.sendNow(id), {
        code: 'stopped',
        message: 'A task that is queued takes no "release".',
      });
    });
  });

  describe('that a person changes', () => {
    it('are tried at once when they wait for another try, and only then', async () => {
      const replies = [busy()];
      world.submit = async () => {
        const error = replies.shift();
        return error ? Promise.reject(error) : accepted();
      };
      const id = await world.start();
      await world.pass(minute);
      assert.deepEqual([world.task(id).status, world.sent.length], ['waiting', 1]);
      await world.runner.tryNow(id);
      await quiet();
      assert.deepEqual([world.task(id).status, world.sent.length], ['queued', 2]);
      assert.deepEqual(
        world.log.lines.filter((line) => line.includes('tried now')),
        [],
      );
      await world.runner.tryNow(id);
      const refusal = 'The task does not wait for another try.';
      assert.equal(world.log.lines.at(-1), `debug Task ${id} is not tried now: ${refusal}`);
    });

    it('are fetched at once when they wait for their host', async () => {
      world.download = async () =>
        Promise.reject(new LimnerError('network', 'No.', { retryAfter: 10 * minute }));
      const id = await world.goOn({ status: 'saving', results: [aResult()] });
      await world.pass(minute);
      for (const count of [2, 3]) {
        await world.runner.tryNow(id);
        await quiet();
        assert.equal(world.fetched.length, count);
      }
      await world.pass(9 * minute);
      assert.equal(world.fetched.length, 3);
    });

    it('are fetched at once also where a person says so just before the wait begins', async () => {
      world.download = async () =>
        Promise.reject(new LimnerError('network', 'No.', { retryAfter: 10 * minute }));
      const listening = world.store.onDidChange(([id = '']) => {
        if (world.task(id).retryAt !== undefined) {
          listening.dispose();
          void world.runner.tryNow(id);
        }
      });
      await world.goOn({ status: 'saving', results: [aResult()] });
      assert.equal(world.fetched.length, 2);
    });

    it('are stopped, or cancelled as long as they are not sent', async () => {
      world.submit = async () => Promise.reject(busy());
      const id = await world.start();
      assert.equal(await world.runner.cancel(id), true);
      assert.deepEqual([world.task(id).status, world.task(id).error?.billing], ['stopped', 'no']);
      assert.equal(await world.runner.cancel(id), false);
      world.submit = async () => accepted();
      const sent = await world.start();
      assert.equal(await world.runner.cancel(sent), false);
      assert.equal(world.task(sent).status, 'queued');
      await world.runner.stop(sent);
      assert.equal(world.task(sent).status, 'stopped');
      assert.deepEqual(
        world.log.lines.filter((line) => line.includes('not stopped')),
        [],
      );
      await world.runner.stop(sent);
      const refusal = 'A task that is stopped takes no "stop".';
      assert.equal(world.log.lines.at(-1), `debug Task ${sent} is not stopped: ${refusal}`);
    });

    it('are saved elsewhere where a person says so, all of their images or one', async () => {
      const id = newTaskId(world.clock.now());
      const error = anError({ code: 'save_failed' });
      const files = [await staged(id), await staged(id, 1)];
      const results = files.map((file, index) => aResult({ index, state: 'failed', error, ...file }));
      await world.goOn({ id, status: 'failed', error, results });
      const root = fileUri(world.workspace);
      const target = { folder: `${root}/elsewhere`, root, fileName: 'fox' };
      await world.runner.saveAgain(id, target);
      await quiet();
      assert.deepEqual(
        world.task(id).results.map(({ uri }) => uri),
        [`${root}/elsewhere/fox.png`, `${root}/elsewhere/fox-2.png`],
      );
      await assert.rejects(world.runner.saveAgain('none'), {
        code: 'stopped',
        message: "The task isn't in the task list.",
      });
      await assert.rejects(world.runner.saveAgain(id), { code: 'stopped', message: /is already saved/u });
      await assert.rejects(world.runner.star(id, 2, true), {
        code: 'stopped',
        message: 'The task has no such image.',
      });
    });
  });

  describe('that somebody waits for', () => {
    it('are told about when they end, and not before', async () => {
      const id = await world.goOn();
      let told = '';
      const outcome = world.runner.outcome(id).then(({ status }) => (told = status));
      await world.start();
      await world.pass(minute);
      assert.deepEqual([world.task(id).status, told], ['in_progress', '']);
      world.query = async () => images;
      await world.pass(minute);
      await outcome;
      assert.equal(told, 'completed');
      assert.equal((await world.runner.outcome(id)).status, 'completed');
      const missing = { code: 'stopped', message: "The task isn't in the task list." };
      await assert.rejects(world.runner.outcome('none'), missing);
      const held = await world.goOn({ status: 'waiting' });
      const gone = assert.rejects(world.runner.outcome(held), missing);
      assert.equal(await world.store.remove(held), true);
      await gone;
    });

    it('end with the one that puts their image on black, if it was sent', async () => {
      const [next, held] = [aTask({ status: 'failed' }), aTask({ held: true })];
      await world.store.add(next);
      await world.store.add(held);
      for (const [task, last] of [
        [onWhite(next.id), next.id],
        [onWhite(held.id), undefined],
        [onWhite('none'), undefined],
        [onWhite(), undefined],
      ] as const) {
        await world.store.add(task);
        assert.equal((await world.runner.outcome(task.id)).id, last ?? task.id);
      }
    });
  });

  describe('whose row cannot be written', () => {
    for (const outage of [200, 10 * minute]) {
      it(`go on soon once that is over, and nothing is paid again: after ${outage / 1000} s`, async ({
        mock,
      }) => {
        const tries = mock.method(world.store, 'apply');
        const id = await finishUnwritten();
        await world.pass(outage);
        assert.ok(tries.mock.callCount() < 5 + outage / 4000, `${tries.mock.callCount()} tries`);
        assert.match(world.log.lines.join('\n'), /^warn Couldn't write task \S+; retrying\. \S/mu);
        writable();
        await world.pass(Math.min(Math.max(outage, 250), 5000));
        assert.deepEqual([world.task(id).status, world.fetched.length], ['completed', 1]);
        assert.equal(world.sent.length, 0);
      });
    }

    it('are left to the next window when this one closes', async () => {
      const id = await finishUnwritten();
      await world.pass(minute);
      let isClosed = false;
      const closing = world.runner.dispose().then(() => (isClosed = true));
      await world.pass(5000);
      assert.ok(isClosed);
      await closing;
      writable();
      assert.deepEqual([world.task(id).status, world.clock.pending], ['queued', 0]);
    });
  });

  describe('whose request is open', () => {
    it('are taken back from a window that gave them up meanwhile, and go on here', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      world.submit = async () => {
        await promise;
        return accepted();
      };
      const id = await world.start();
      const error = anError({ code: 'outcome_unknown' });
      const other = await world.otherWindow();
      assert.ok((await other.apply(id, { type: 'lost', at: 1, error }, { take: true })).ok);
      await other.apply(id, { type: 'resume' }, { take: true });
      await other.close();
      assert.equal(world.task(id).status, 'unknown');
      world.query = async () => images;
      resolve();
      await world.pass(minute);
      const { status, results } = world.task(id);
      assert.deepEqual([status, results[0]?.state, world.sent.length], ['completed', 'saved', 1]);
    });

    it('are taken back from a window that took them over, with every image that comes', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      world.submit = async (_request, _style, { openSink }) => {
        for (const index of [0, 1]) {
          const sink = openSink(index);
          await sink.write(picture(String(index)));
          await sink.close();
          await promise;
        }
        return {
          kind: 'answered',
          answer: { images: [0, 1].map((sink) => ({ kind: 'inline' as const, sink })) },
        };
      };
      const id = await world.start({ callStyle: 'sync', n: 2 });
      await world.overtake(id);
      resolve();
      await world.pass(minute);
      assert.deepEqual(
        world.task(id).results.map(({ state }) => state),
        ['saved', 'saved'],
      );
      assert.equal(world.store.fence(id), 3);
    });

    it('are heard to their end when the window closes, which waits for nothing else', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      world.submit = async () => {
        await promise;
        return accepted();
      };
      const id = await world.start();
      let isClosed = false;
      const closing = world.runner.dispose().then(() => (isClosed = true));
      await world.pass(1000);
      assert.equal(isClosed, false);
      resolve();
      await quiet();
      assert.deepEqual([isClosed, world.task(id).status, world.asked], [true, 'queued', []]);
      await closing;
      assert.equal(world.clock.pending, 0);
    });

    it('are refused with a key, which the log says in the words that there are', async () => {
      world.submit = async () => Promise.reject(new LimnerError('unauthorized', 'No.', { billing: 'no' }));
      const id = await world.start();
      assert.equal(world.task(id).status, 'failed');
      assert.ok(world.log.lines.includes(`warn Task ${id}: unauthorized`));
    });
  });

  it('are asked about once though a person goes on with them that wait for a key', async ({ mock }) => {
    const key = mock.method(world.keys, 'get', async () => undefined);
    const id = await world.goOn();
    assert.equal(world.task(id).status, 'needs_key');
    for (let count = 0; count < 3; count++) {
      await world.runner.resume(id);
      await quiet();
      assert.equal(world.task(id).status, 'needs_key');
    }
    key.mock.restore();
    world.query = async () => images;
    world.keys.set('sk-any', world.origin);
    await world.pass(minute);
    assert.equal(world.task(id).status, 'completed');
    assert.deepEqual([world.asked.length, world.fetched.length], [1, 1]);
  });

  it('are left alone where another window has them, once this one hears of it', async () => {
    world.query = async () => ({ id: 'task_1', status: 'in_progress', retryAfter: minute });
    const id = await world.goOn({ results: [aResult()] });
    await world.runner.star(id, 0, true);
    await world.pass(minute);
    assert.equal(world.asked.length, 2, 'a star is no other window');
    await world.overtake(id);
    world.query = async () => images;
    await world.pass(minute);
    assert.deepEqual([world.task(id).status, world.asked.length], ['in_progress', 3]);
    assert.match(
      world.log.lines.join('\n'),
      /^debug Task \S+, "finished": Another window is working on this task\.$/mu,
    );
    await world.pass(10 * minute);
    assert.equal(world.asked.length, 3);
    assert.deepEqual(world.store.leases.owned, []);
  });

  it('wait where they were when the window closes, for it to fetch again or another one', async () => {
    world.download = async () => Promise.reject(new LimnerError('result_expired', 'No.', { status: 404 }));
    const id = await world.goOn({ status: 'saving', results: [aResult()] });
    assert.equal(world.fetched.length, 1);
    await world.runner.dispose();
    assert.deepEqual([world.task(id).status, world.fetched.length, world.clock.pending], ['saving', 1, 0]);
  });

  it('fetch no fresh addresses where the service gave no id to ask for, and end after six hours', async () => {
    world.submit = async () => ({ kind: 'answered', answer: { images: [{ kind: 'url', url }] } });
    world.download = async () => Promise.reject(new LimnerError('result_expired', 'No.', { status: 404 }));
    const id = await world.start({ callStyle: 'sync' });
    await world.pass(day);
    assert.deepEqual([world.task(id).status, world.asked], ['expired', []]);
    assert.ok(world.fetched.length > 20);
  });

  it('are tried again, ever more seldom, when a step fails that never should, and the log says so', async ({
    mock,
  }) => {
    const tries: number[] = [];
    const stagedFiles = world.staging.stagedFiles.bind(world.staging);
    mock.method(world.staging, 'stagedFiles', async (id: string) => {
      tries.push(world.clock.now());
      return tries.length < 3 ? Promise.reject(new Error('It broke.')) : stagedFiles(id);
    });
    const id = await world.goOn({ status: 'saving', results: [aResult()] });
    await world.pass(minute);
    assert.equal(world.task(id).status, 'completed');
    const [first = 0, second = 0, third = 0] = tries;
    assert.ok(second - first >= 1000 && third - second > second - first && third - first <= minute);
    const errors = world.log.lines.splice(0).filter((line) => line.startsWith('error'));
    assert.deepEqual(errors, Array(2).fill(`error Task ${id}: Error: It broke.`));
  });

  it('are no more than the settings say once they have ended, and none is held here any more', async ({
    mock,
  }) => {
    world.settings.historyLimit = 1;
    world.query = async () => images;
    const ids = [await world.goOn(), await world.goOn(), await world.goOn()];
    await world.pass(minute);
    assert.deepEqual(
      world.store.list({ limit: 9 }).map(({ id }) => id),
      ids.slice(2),
    );
    assert.deepEqual(world.store.leases.owned, []);
    mock.method(world.store, 'trimHistory', async () => Promise.reject(new Error('It broke.')));
    await world.goOn();
    await world.pass(minute);
    assert.ok(world.log.lines.includes("warn Couldn't trim the task list: Error: It broke."));
  });

  describe('of before', () => {
    it('are decided about once it has taken them over', async () => {
      const other = await world.otherWindow();
      const [waiting, sent] = [aTask(), aTask({ status: 'submitting' })];
      await other.add(waiting);
      await other.add(sent);
      await other.close();
      await world.runner.resumeUnfinished();
      assert.deepEqual([world.task(waiting.id).held, world.task(sent.id).status], [true, 'unknown']);
      assert.deepEqual(world.sent, []);
    });

    it('go on from wherever they were', async () => {
      world.query = async () => images;
      for (const status of ['queued', 'in_progress', 'needs_key', 'saving'] as const) {
        const id = await world.goOn({ status, results: [aResult()] });
        await world.pass(minute);
        assert.equal(world.task(id).status, 'completed', status);
      }
      assert.equal(world.fetched.length, 4);
    });

    it('are its own once a person goes on with them', async () => {
      const id = await world.goOn({ status: 'stopped' });
      assert.deepEqual(world.store.leases.owned, []);
      await world.runner.resume(id);
      await quiet();
      assert.deepEqual(world.store.leases.owned, [{ id, fence: 2 }]);
    });

    it('are as many as the settings say from its beginning', async () => {
      world.settings.historyLimit = 2;
      const tasks = [1, 2, 3].map(() =>
        aTask({ status: 'completed', results: [aResult({ state: 'saved' })] }),
      );
      for (const task of tasks) {
        await world.store.add(task);
      }
      await world.runner.resumeUnfinished();
      assert.equal(world.store.count(), 2);
    });

    it('keep what they need on disk, and nothing else stays', async () => {
      const known = {
        running: aTask({ held: true }),
        unsaved: aTask({ status: 'failed' }),
        saved: aTask({ status: 'failed' }),
        damaged: aTask(),
      };
      const error = anError({ code: 'save_failed' });
      known.unsaved.results = [aResult({ state: 'failed', error, ...(await staged(known.unsaved.id)) })];
      for (const task of Object.values(known)) {
        await world.store.add(task);
      }
      sql(`UPDATE tasks SET state = '{' WHERE id = '${known.damaged.id}'`);
      const answers = join(world.inbox, 'answers');
      const arrived = (['running', 'unsaved', 'saved', 'damaged'] as const).map((name) =>
        folderOf(world.incoming, known[name].id),
      );
      const unknown = folderOf(world.incoming, 'unknown');
      const originals = [
        folderOf(answers, known.saved.id),
        folderOf(answers, known.damaged.id),
        folderOf(answers, 'unknown'),
      ];
      const replaced = join(dirname(world.incoming), 'replaced');
      const [old, young] = [folderOf(replaced, 'old'), folderOf(replaced, 'young')];
      utimesSync(old, new Date(0), new Date(0));
      await world.runner.resumeUnfinished();
      assert.deepEqual(arrived.map(existsSync), [true, true, false, true]);
      assert.deepEqual([unknown, ...originals].map(existsSync), [false, true, true, false]);
      assert.deepEqual([old, young].map(existsSync), [false, true]);
      // Its originals go with a task.
      assert.equal(await world.store.remove(known.saved.id), true);
      await quiet();
      assert.deepEqual(originals.map(existsSync), [false, true, false]);
    });

    it('move from the inbox to their folders once those are there, and only what waits for that', async () => {
      const id = newTaskId(world.clock.now());
      const kept = aResult({
        state: 'failed',
        error: anError({ code: 'save_failed' }),
        ...(await staged(id, 2)),
      });
      const failing = aTask({
        status: 'completed',
        request: world.request(),
        results: [aResult({ state: 'saved' }), { ...kept, index: 2 }],
      });
      await world.store.add({ ...failing, id });
      const waiting = newTaskId(world.clock.now());
      const results = [
        aResult({ state: 'saved', uri: 'file:///fox.png' }),
        aResult({ index: 1, state: 'staged', ...(await staged(waiting, 1)) }),
      ];
      await world.store.add(
        aTask({ id: waiting, status: 'completed', request: world.request({ n: 2 }), results }),
      );
      renameSync(world.workspace, `${world.workspace}-away`);
      const heard: string[] = [];
      const listening = world.store.onDidChange((ids) => heard.push(...ids));
      await world.runner.emptyInbox();
      await quiet();
      assert.deepEqual(heard, []);
      renameSync(`${world.workspace}-away`, world.workspace);
      await world.runner.emptyInbox((one) => one === id);
      await quiet();
      assert.deepEqual(heard, []);
      // As it does, too, when it begins.
      await world.runner.resumeUnfinished();
      await quiet();
      listening.dispose();
      assert.deepEqual(
        world.task(waiting).results.map(({ state }) => state),
        ['saved', 'saved'],
      );
      assert.deepEqual([new Set(heard), world.fetched], [new Set([waiting]), []]);
    });
  });

  it('end before it has closed, also where a download takes its time to end', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.download = async () => {
      await promise;
      throw new LimnerError('stopped', 'It was stopped.');
    };
    await world.goOn({ status: 'saving', results: [aResult()] });
    let isClosed = false;
    const closing = world.runner.dispose().then(() => (isClosed = true));
    await world.pass(10_000);
    assert.equal(isClosed, false);
    resolve();
    await quiet();
    assert.equal(isClosed, true);
    await closing;
  });
});
