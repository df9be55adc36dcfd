import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { systemClock } from '../../../../src/common/clock.ts';
import { fileUri } from '../../../../src/common/fileUris.ts';
import { hashOf } from '../../../../src/engine/files/stagingStore.ts';
import { SavedFiles } from '../../../../src/engine/store/savedFiles.ts';
import { TaskStore } from '../../../../src/engine/store/taskStore.ts';
import type { Task, TaskRequest, TaskResult } from '../../../../src/engine/task/task.ts';
import { newTaskId } from '../../../../src/engine/task/taskId.ts';
import { aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { TestLog } from '../../../support/engine/world.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';

const resultOf = ({ results: [result] }: Task): TaskResult => result ?? assert.fail();

describe('the files of images', () => {
  let folder: string;
  let store: TaskStore;
  let files: SavedFiles;
  let count = 0;

  const uri = (name: string): string => fileUri(join(folder, name));
  const moved = (from: string, to: string): { from: string; to: string } => ({
    from: uri(from),
    to: uri(to),
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(memoryFolder, 'limner-files-'));
    await mkdir(join(folder, 'images'));
    store = await TaskStore.open({
      file: join(folder, 'limner.db'),
      clock: systemClock,
      log: new TestLog(),
      notice: () => {},
    });
    files = new SavedFiles(store);
  });

  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  /** Adds a task that saved an image, which holds its own name. */
  async function saved(name: string, result: Partial<TaskResult> = {}, request = aRequest()): Promise<Task> {
    await writeFile(join(folder, name), name);
    const image = {
      state: 'saved',
      uri: uri(name),
      size: name.length,
      sha256: hashOf(name),
      ...result,
    } as const;
    const task = aTask({
      id: newTaskId(1000 + count++),
      status: 'completed',
      request,
      results: [aResult(image)],
    });
    await store.add(task);
    return task;
  }

  const editOf = (name: string): TaskRequest =>
    aRequest({
      kind: 'edit',
      images: [
        { uri: uri(name), path: join(folder, name), name, size: 1, mediaType: 'image/png', sha256: 'x' },
      ],
    });

  const placeOf = ({ id }: Task): string | undefined => store.get(id)?.results[0]?.uri;

  it('are followed with their folders, one rename after the other, and back', async () => {
    const [fox, owl] = [await saved('images/a fox.png'), await saved('images/owl.png')];
    const beside = await saved('images-2.png');
    const away = await saved('images/gone.png', { discarded: { path: '/kept', at: 1 } });
    const edit = await saved('edit.png', {}, editOf('images/owl.png'));
    await files.move([
      moved('images', 'é (1)'),
      moved('é (1)/a fox.png', 'é (1)/owl.png'),
      moved('gone.png', 'other.png'),
    ]);
    assert.deepEqual(
      [fox, owl, beside, away].map(placeOf),
      ['é (1)/owl.png', 'é (1)/owl.png', 'images-2.png', 'é (1)/gone.png'].map(uri),
    );
    const [input] = store.get(edit.id)?.request.images ?? [];
    assert.deepEqual([input?.uri, input?.path], [uri('é (1)/owl.png'), join(folder, 'é (1)/owl.png')]);
    assert.equal(store.savedAs(uri('images/a fox.png')), undefined);
    await files.move([moved('é (1)', 'images'), moved('images/gone.png', 'taken.png')]);
    assert.equal(placeOf(away), uri('images/gone.png'));
  });

  it('belong to the image with their contents, else to the newest, where several have one name', async () => {
    const [old, young] = [await saved('a.png'), await saved('b.png')];
    const isOf = async (task: Task): Promise<boolean> => {
      const {
        results: [result],
      } = store.get(task.id) ?? assert.fail();
      return files.isOf(task, result ?? assert.fail());
    };
    await rename(join(folder, 'a.png'), join(folder, 'b.png'));
    await files.move([moved('a.png', 'b.png')]);
    assert.deepEqual([await isOf(old), await isOf(young)], [true, false]);
    assert.equal(store.savedAs(uri('b.png'), hashOf('a.png'))?.task.id, old.id);
    await rename(join(folder, 'b.png'), join(folder, 'c.png'));
    await files.move([moved('b.png', 'c.png')]);
    assert.deepEqual([old, young].map(placeOf), ['c.png', 'b.png'].map(uri));
    await saved('c.png');
    assert.equal(await isOf(old), false);
    await writeFile(join(folder, 'c.png'), 'cropped');
    assert.equal(await isOf(old), false);
  });

  it('are not those of another image that was renamed to their name outside of VS Code', async () => {
    const [first, second] = [await saved('a.png'), await saved('the second.png')];
    await rename(join(folder, 'the second.png'), join(folder, 'a.png'));
    assert.equal(await files.isOf(first, resultOf(first)), false);
    assert.equal(
      await files.find(second, resultOf(second), async () => Promise.resolve([uri('a.png')])),
      uri('a.png'),
    );
    // What a user changes by hand is still that image.
    await writeFile(join(folder, 'b.png'), 'b.png');
    const third = await saved('b.png');
    await writeFile(join(folder, 'b.png'), 'cropped by hand');
    assert.equal(await files.isOf(third, resultOf(third)), true);
  });

  it('are still those of an image that its edit or a copy of another one replaced', async () => {
    const original = await saved('a.png');
    const replacedOriginal = { path: '/kept', sha256: hashOf('edit.png'), at: 1 };
    const edit = await saved('edit.png', { replacedOriginal }, editOf('a.png'));
    await writeFile(join(folder, 'a.png'), 'edit.png');
    assert.equal(await files.isOf(original, resultOf(original)), true);
    await rm(join(folder, 'edit.png'));
    assert.equal(
      await files.find(edit, resultOf(edit), async () => Promise.resolve([uri('a.png')])),
      undefined,
    );
    assert.equal(await files.isOf(original, resultOf(original)), true);
    await rename(join(folder, 'a.png'), join(folder, 'ship.png'));
    await files.move([moved('a.png', 'ship.png')]);
    assert.equal(placeOf(original), uri('ship.png'));

    const [copy] = [await saved('b.png'), await saved('the other.png')];
    await writeFile(join(folder, 'b.png'), 'the other.png');
    assert.equal(await files.isOf(copy, resultOf(copy)), true);
  });

  it('are found by their contents, and a copy is known by them', async () => {
    const task = await saved('a.png');
    const [result] = task.results;
    const other = await saved('b.png', { sha256: hashOf('a.png') });
    for (const name of ['b.png', 'c.png', 'images/d.png', 'images/a.png']) {
      await writeFile(join(folder, name), name === 'c.png' ? 'other' : 'a.png');
    }
    const find = async (): Promise<string | undefined> =>
      files.find(task, result ?? assert.fail(), async (size) =>
        size === 5 ? ['b.png', 'c.png', 'images/d.png', 'images/a.png'].map(uri) : [],
      );
    assert.equal(store.savedAs(uri('images/d.png'), hashOf('a.png'))?.result.sha256, hashOf('a.png'));
    assert.equal(store.savedAs(uri('images/d.png')), undefined);
    // The file of another image isn't taken, although it has the same contents.
    assert.equal(await find(), uri('images/a.png'));
    assert.deepEqual([task, other].map(placeOf), ['images/a.png', 'b.png'].map(uri));
    assert.equal(await find(), undefined);
  });
});
