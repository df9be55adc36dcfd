import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DiscardedImages } from '../../src/vscode/actions/discardedImages.ts';
import { ImageFileQueue, referenceTo } from '../../src/vscode/actions/imageFileQueue.ts';
import { OriginalReplacer } from '../../src/vscode/actions/originalReplacer.ts';
import { imageOf } from '../../src/vscode/actions/taskArgument.ts';
import { RowCommands } from '../../src/vscode/rowCommands.ts';
import { imageItem } from '../../src/vscode/taskList/taskItem.ts';
import type { Engine } from '../../src/engine/run/engine.ts';
import type { Task } from '../../src/engine/task/task.ts';
import { aRequest, aTask } from '../support/engine/taskBuilders.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { type EngineOfWindow, openWindow } from './windows.ts';

/** Messages that were shown. */
let shown: string[];

/** Answers a question with its button. */
async function answer(message: string, ...items: unknown[]): Promise<unknown> {
  shown.push(message);
  return Promise.resolve(message.endsWith('anyway?') ? items.at(-1) : undefined);
}

/** A file system where every file holds "photo" and can't be written. */
class Stubborn implements vscode.FileSystemProvider {
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  stat(): vscode.FileStat {
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: 5 };
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  readFile(): Uint8Array {
    return Buffer.from('photo');
  }

  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  writeFile(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): void {
    throw vscode.FileSystemError.NoPermissions();
  }
}

function onRow(command: ReturnType<RowCommands['on']>): (task: Task) => Promise<void> {
  return async (task) => command({ kind: 'task', task });
}

describe('an original', () => {
  const { showErrorMessage, showInformationMessage, showWarningMessage } = vscode.window;
  let folder: ReturnType<typeof temporaryFolder>;
  let window: EngineOfWindow;
  let engine: Engine;
  let originals: OriginalReplacer;
  let discarded: DiscardedImages;
  let replace: (task: Task) => Promise<void>;
  let restore: (task: Task) => Promise<void>;
  let deleteImage: (task: Task) => Promise<void>;

  before(() => {
    Object.assign(vscode.window, {
      showErrorMessage: answer,
      showInformationMessage: answer,
      showWarningMessage: answer,
    });
  });

  after(() => {
    Object.assign(vscode.window, { showErrorMessage, showInformationMessage, showWarningMessage });
  });

  beforeEach(async () => {
    shown = [];
    folder = temporaryFolder('originals');
    window = await openWindow(join(folder.path, 'home'));
    const { host, log } = window;
    ({ engine } = window);
    const queue = new ImageFileQueue(host);
    originals = new OriginalReplacer(host, queue, log);
    const rows = new RowCommands(host, { selection: [] }, log);
    discarded = new DiscardedImages(host, queue, { redrawFiles: () => {} }, log);
    replace = onRow(rows.onImage(async (image) => (await originals.replace(image))?.tell()));
    restore = onRow(
      rows.onReplacingImage(async (image) => (await originals.restore(referenceTo(image)))?.tell()),
    );
    deleteImage = onRow(rows.onAll(async (chosen) => void (await discarded.deleteImages(chosen))));
  });

  afterEach(async () => {
    await window.dispose();
    folder.remove();
  });

  /** Adds a task that edits an image, by default `photo.png`, which holds "photo"; its edits hold "edit 0", "edit 1" … */
  async function addEdit(
    count = 1,
    original = vscode.Uri.file(join(folder.path, 'photo.png')),
  ): Promise<Task> {
    await mkdir(folder.path, { recursive: true });
    await (original.scheme === 'file' && writeFile(original.fsPath, 'photo'));
    const edits = Array.from({ length: count }, (_, index) => join(folder.path, `edit-${index}.png`));
    for (const [index, path] of edits.entries()) {
      await writeFile(path, `edit ${index}`);
    }
    const sha256 = createHash('sha256').update('photo').digest('hex');
    const input = { uri: original.toString(), name: 'photo.png', size: 5, mediaType: 'image/png', sha256 };
    const task = aTask({
      status: 'completed',
      request: aRequest({ kind: 'edit', images: [{ ...input, path: original.fsPath }] }),
      results: edits.map((path, index) => ({ index, state: 'saved', uri: vscode.Uri.file(path).toString() })),
    });
    await engine.store.add(task);
    return task;
  }

  async function photo(): Promise<string> {
    return readFile(join(folder.path, 'photo.png'), 'utf8');
  }

  const replacedBy = ({ id }: Task): unknown => engine.store.get(id)?.results[0]?.replacedOriginal;

  it('comes back although the edit that replaced it was deleted', async () => {
    const task = await addEdit();
    await replace(task);
    await deleteImage(task);
    assert.equal(await photo(), 'edit 0');
    await restore(task);
    assert.equal(await photo(), 'photo');
    assert.equal(replacedBy(task), undefined);
  });

  it('that was restored already stays as it is when an act of the studio restores it', async () => {
    const task = await addEdit();
    await replace(task);
    await restore(task);
    await writeFile(join(folder.path, 'photo.png'), 'drawn on');
    assert.equal((await originals.restore({ task: task.id, index: 0 }))?.name, 'photo.png');
    assert.equal(await photo(), 'drawn on');
  });

  it('comes back from the row of its image when that was deleted elsewhere', async () => {
    const task = await addEdit(2);
    await replace(task);
    await rm(join(folder.path, 'edit-0.png'));
    const latest = engine.store.get(task.id) ?? assert.fail();
    const [result] = latest.results;
    const { uri = '' } = result ?? {};
    assert.ok(result);
    const row = { kind: 'image', task: latest, result: { ...result, uri } } as const;
    const item = imageItem(row, {
      areGone: () => true,
      picturedBy: () => undefined,
      thumbnailOf: () => undefined,
    });
    assert.match(String(item.contextValue), /\brestore\b/);
    await restore(task);
    assert.equal(await photo(), 'photo');
  });

  it('comes back also when its edit replaced it twice, the second time in ignorance of the first', async () => {
    const task = await addEdit();
    const image = (await imageOf(window.host, task.id)) ?? assert.fail();
    await originals.replace(image);
    await originals.replace(image);
    await restore(task);
    assert.equal(await photo(), 'photo');
  });

  it('comes back after what was drawn on its edit, which was replaced, too', async () => {
    const task = await addEdit();
    await replace(task);
    await writeFile(join(folder.path, 'photo.png'), 'drawn on');
    await replace(task);
    const contents: string[] = [];
    for (let times = 0; times < 3; times++) {
      contents.push(await photo());
      await restore(task);
    }
    assert.deepEqual(contents, ['edit 0', 'drawn on', 'photo']);
    assert.equal(replacedBy(task), undefined);
  });

  it('holds again what it held before it was restored, when that is undone', async () => {
    const task = await addEdit(2);
    await replace(task);
    const { result, ...image } = (await imageOf(window.host, task.id)) ?? assert.fail();
    const uri = vscode.Uri.file(join(folder.path, 'edit-1.png'));
    await originals.replace({ ...image, result: { ...result, index: 1 }, uri });
    assert.equal(await photo(), 'edit 1');
    const restored = await originals.restore({ task: task.id, index: 0 });
    assert.equal(await photo(), 'photo');
    assert.ok(await restored?.undo?.());
    assert.equal(await photo(), 'edit 1');
  });

  it('that cannot be written is not recorded as replaced', async () => {
    const files = vscode.workspace.registerFileSystemProvider('stubborn', new Stubborn());
    const task = await addEdit(1, vscode.Uri.parse('stubborn:/photo.png'));
    await replace(task);
    files.dispose();
    assert.equal(replacedBy(task), undefined);
    assert.match(shown.join(), /isn't writable/);
  });

  it('is in the list no longer, with its task', async () => {
    const task = await addEdit();
    await engine.store.remove(task.id);
    await replace(task);
    assert.deepEqual(shown, ['The task is no longer in the task list.']);
  });
});
