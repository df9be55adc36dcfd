import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DiscardedImages } from '../../src/vscode/actions/discardedImages.ts';
import { ImageFileQueue, type ImageReference } from '../../src/vscode/actions/imageFileQueue.ts';
import type { SavedImage } from '../../src/vscode/actions/taskArgument.ts';
import type { Engine } from '../../src/engine/run/engine.ts';
import type { Task } from '../../src/engine/task/task.ts';
import { aTask } from '../support/engine/taskBuilders.ts';
import { openWindow } from './windows.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** One window as far as it discards images. */
interface Window {
  engine: Engine;
  discarded: DiscardedImages;
  image: (task: Task, index?: number) => SavedImage;
}

describe('discarding images', () => {
  const toDispose: (() => unknown)[] = [];
  let path: string;

  beforeEach(() => {
    const folder = temporaryFolder('discarded');
    path = folder.path;
    toDispose.push(folder.remove);
  });

  afterEach(async () => {
    for (const dispose of toDispose.splice(0).toReversed()) {
      await dispose();
    }
  });

  async function open(): Promise<Window> {
    const { host, engine, log, dispose } = await openWindow(join(path, 'home'));
    toDispose.push(dispose);
    return {
      engine,
      discarded: new DiscardedImages(host, new ImageFileQueue(host), { redrawFiles: () => {} }, log),
      image({ id }, index = 0) {
        const task = engine.store.get(id) ?? assert.fail();
        const result = task.results[index] ?? assert.fail();
        const uri = result.uri ?? assert.fail();
        return { task, result: { ...result, uri }, uri: vscode.Uri.parse(uri, true) };
      },
    };
  }

  /** Adds a task with these images, by the names of their files; those that are texts hold their name. */
  async function add({ store }: Engine, ...names: (string | vscode.Uri)[]): Promise<Task> {
    const files = names.map((name) => (typeof name === 'string' ? vscode.Uri.file(join(path, name)) : name));
    for (const name of names) {
      if (typeof name === 'string') {
        await writeFile(join(path, name), name);
      }
    }
    const task = aTask({
      status: 'completed',
      results: files.map((file, index) => ({ index, state: 'saved', uri: file.toString() })),
    });
    await store.add(task);
    return task;
  }

  async function files(): Promise<string[]> {
    return (await readdir(path)).filter((name) => name !== 'home').toSorted();
  }

  async function assertRestored({ discarded }: Window, task: Task, contents: string): Promise<void> {
    assert.deepEqual(await files(), []);
    await discarded.recover(refer(task, 0));
    assert.deepEqual(await files(), ['a.png']);
    assert.equal(await readFile(join(path, 'a.png'), 'utf8'), contents);
  }

  it('discards an image once when it is asked for twice at once', async () => {
    const window = await open();
    const task = await add(window.engine, 'a.png');
    const image = window.image(task);
    const outcomes = await Promise.all([
      window.discarded.discard([image]),
      window.discarded.discard([image]),
    ]);
    assert.deepEqual(
      outcomes.map(({ length }) => length),
      [1, 0],
    );
    await assertRestored(window, task, 'a.png');
  });

  it('can restore what two windows discarded at once', async () => {
    const windows = await Promise.all([open(), open()]);
    const [first] = windows;
    const task = await add(first.engine, 'a.png');
    const image = first.image(task);
    await Promise.all(windows.map(async ({ discarded }) => discarded.discard([image])));
    await assertRestored(first, task, 'a.png');
  });

  it('can restore what another program deleted meanwhile', async () => {
    const window = await open();
    afterKeeping(window.engine, async () => rm(join(path, 'a.png')));
    const task = await add(window.engine, 'a.png');
    assert.equal((await window.discarded.discard([window.image(task)])).length, 1);
    await assertRestored(window, task, 'a.png');
  });

  it('keeps what another program saved meanwhile', async () => {
    const window = await open();
    afterKeeping(window.engine, async () => writeFile(join(path, 'a.png'), 'drawn on'));
    const task = await add(window.engine, 'a.png');
    await window.discarded.discard([window.image(task)]);
    await assertRestored(window, task, 'drawn on');
  });

  it('restores under free names what had the same one, all at once', async () => {
    const window = await open();
    const uri = vscode.Uri.file(join(path, 'a.png'));
    const contents = Array.from({ length: 12 }, (_, index) => `image ${index}`);
    const task = await add(window.engine, ...contents.map(() => uri));
    for (const [index, text] of contents.entries()) {
      await writeFile(uri.fsPath, text);
      await window.discarded.discard([window.image(task, index)]);
    }
    await Promise.all(contents.map(async (_, index) => window.discarded.recover(refer(task, index))));
    const restored = await Promise.all(
      (await files()).map(async (name) => readFile(join(path, name), 'utf8')),
    );
    assert.deepEqual(restored.toSorted(), contents.toSorted());
  });

  it('goes on after an image that cannot be discarded or restored', async () => {
    const window = await open();
    const { discarded, engine } = window;
    const task = await add(engine, 'a.png', vscode.Uri.parse('nowhere:/b.png'), 'c.png');
    const images = [0, 1, 2].map((index) => window.image(task, index));
    assert.deepEqual(
      (await discarded.discard(images)).map(({ result }) => result.index),
      [0, 2],
    );
    await assert.rejects(discarded.discard(images.slice(1, 2)));
    assert.deepEqual(await files(), []);
    await rm(engine.store.get(task.id)?.results[0]?.discarded?.path ?? assert.fail());
    await assert.rejects(discarded.recover(refer(task, 0, 2)), {
      message: 'a.png can no longer be restored.',
    });
    assert.deepEqual(await files(), ['c.png']);
  });

  it('says so when the task of an image is gone', async () => {
    const { discarded, engine, image } = await open();
    const task = await add(engine, 'a.png');
    const saved = image(task);
    await engine.store.remove(task.id);
    const gone = { code: 'invalid_request', message: 'The image is no longer in the task list.' };
    await assert.rejects(discarded.discard([saved]), gone);
    const message = 'The task is no longer in the task list.';
    await assert.rejects(discarded.deleteImages([task.id]), { ...gone, message });
    await assert.rejects(discarded.recover(refer(task, 0)), gone);
    assert.deepEqual(await files(), ['a.png']);
  });

  it('leaves the images of a task with several, where rows of single ones are selected, too', async () => {
    const { discarded, engine, image } = await open();
    const [one, two] = [await add(engine, 'a.png'), await add(engine, 'b.png', 'c.png')];
    const three = await add(engine, 'd.png', 'e.png');
    await discarded.deleteImages([
      { kind: 'task', task: one },
      { kind: 'task', task: two },
      { kind: 'image', task: three, result: image(three, 1).result },
    ]);
    assert.deepEqual(await files(), ['b.png', 'c.png', 'd.png']);
  });
});

function refer({ id }: Task, ...indexes: number[]): ImageReference[] {
  return indexes.map((index) => ({ task: id, index }));
}

/** Does something after the next copy was kept. */
function afterKeeping({ keptFiles }: Engine, act: () => Promise<unknown>): void {
  const keep = keptFiles.keep.bind(keptFiles);
  keptFiles.keep = async (...file) => {
    keptFiles.keep = keep;
    const kept = await keep(...file);
    await act();
    return kept;
  };
}
