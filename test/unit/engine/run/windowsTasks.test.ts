import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { RemoteTask } from '../../../../src/service/terms/messages.ts';
import type { StagedFile } from '../../../../src/engine/files/stagingStore.ts';
import { newTaskId } from '../../../../src/engine/task/taskId.ts';
import { anError, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { quiet, StillWorld } from '../../../support/engine/stillWorld.ts';
import { picture } from '../../../support/service/loopbackService.ts';

const minute = 60_000;
const url = 'https://results.example/0.png';
const images: RemoteTask = { id: 'task_1', status: 'completed', images: [{ kind: 'url', url }] };

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

  async function staged(id: string, index = 0): Promise<StagedFile> {
    const sink = world.staging.sink(id, index, 1);
    await sink.write(picture(String(index)));
    await sink.close();
    return sink.file ?? assert.fail();
  }

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

  describe('of before', () => {
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
});
