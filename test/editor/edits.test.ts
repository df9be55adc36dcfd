import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { originalOf } from '../../src/vscode/studio/draftInputs.ts';
import { editAt, RecentEdits, replacingImageAt } from '../../src/vscode/taskList/edits.ts';
import { imageItem, taskItem } from '../../src/vscode/taskList/taskItem.ts';
import { setOwnFolders } from '../../src/vscode/window/files.ts';
import type { Task, TaskResult } from '../../src/engine/task/task.ts';

/** The task list, newest first. */
let tasks: Task[] = [];
const store = {
  get: (id: string) => tasks.find((task) => task.id === id),
  list: ({ limit }: { limit: number }) => tasks.slice(0, limit),
};

function edit(id: string, original = 'file:///w/photo.png'): Task {
  const target = { folder: 'file:///w', root: 'file:///w', fileName: '{prompt}' };
  const input = { uri: original, name: 'photo.png', size: 1, mediaType: 'image/png', sha256: '', path: '' };
  return {
    id,
    status: 'completed',
    createdAt: 0,
    origin: 'https://images.example.com',
    request: {
      kind: 'edit',
      prompt: id,
      model: 'painter',
      family: 'image',
      callStyle: 'async',
      n: 1,
      images: [input],
      baseUrl: 'https://images.example.com',
      target,
    },
    results: [{ index: 0, state: 'saved', uri: `file:///w/${id}.png` }],
  };
}

function replacing(id: string, ago: number, changes: Partial<TaskResult> = {}): Task {
  const replacedOriginal = { path: '/kept/photo.png', sha256: '', at: Date.now() - ago };
  const uri = fileOf(id).toString();
  return { ...edit(id), results: [{ index: 0, state: 'saved', uri, replacedOriginal, ...changes }] };
}

const fileOf = (id: string): vscode.Uri => vscode.Uri.file(`/w/${id}.png`);

describe('edits that the editors of their files know', () => {
  it('are the newest, and the same ones that commands find', () => {
    tasks = Array.from({ length: 101 }, (_, index) => edit(`edit-${index}`));
    const edits = new RecentEdits(store);
    const oldest = tasks.at(-1)?.id ?? '';
    edits.update([oldest]);
    const isKnown = (id: string): boolean => edits.images.some(({ uri }) => uri.endsWith(`/${id}.png`));
    assert.ok(!isKnown(oldest));
    assert.equal(editAt(store, fileOf(oldest)), undefined);
    tasks.unshift(edit('new'));
    edits.update(['new']);
    assert.ok(isKnown('new') && isKnown('edit-98') && !isKnown('edit-99'));
    assert.equal(editAt(store, fileOf('new'))?.task.id, 'new');
    tasks = tasks.filter(({ id }) => id !== 'new');
    edits.update(['new']);
    assert.ok(!isKnown('new') && isKnown('edit-99'));
  });

  it('are as they are now', () => {
    tasks = [edit('a')];
    const edits = new RecentEdits(store);
    tasks = [{ ...edit('a'), results: [] }];
    edits.update(['a']);
    assert.deepEqual(edits.images, []);
  });
});

describe('an original that was replaced', () => {
  const original = vscode.Uri.parse('file:///w/photo.png');
  it('can be restored from its editor as from that of its edit: what took its place last', () => {
    tasks = [edit('newest'), replacing('first', 2000), replacing('last', 1000), edit('c', 'file:///w/c.jpg')];
    assert.equal(replacingImageAt(store, original)?.task.id, 'last');
    assert.equal(replacingImageAt(store, fileOf('first'))?.task.id, 'first');
    assert.equal(replacingImageAt(store, fileOf('newest')), undefined);
    assert.equal(replacingImageAt(store, vscode.Uri.parse('file:///w/c.jpg')), undefined);
    assert.deepEqual(
      new RecentEdits(store).replacing.map(({ task }) => task.id),
      ['last', 'first'],
    );
  });

  it('can be restored when its edit was deleted, and as long as it is kept', () => {
    tasks = [replacing('a', 1000, { discarded: { path: '/kept/a.png', at: Date.now() } })];
    assert.equal(replacingImageAt(store, original)?.task.id, 'a');
    tasks = [replacing('a', 31 * 24 * 3_600_000)];
    assert.equal(replacingImageAt(store, original), undefined);
  });
});

describe('an edit of a pasted image', () => {
  before(() => setOwnFolders([vscode.Uri.file('/storage')]));
  after(() => setOwnFolders([]));

  const uri = vscode.Uri.file('/storage/inputs/1/image.png').toString();

  it('has no original in the studio either, beside which a result would be saved', () => {
    const size = { width: 1, height: 1, size: 1 };
    const kept = { id: '1', name: '', path: '', mediaType: 'image/png', sha256: '', notes: [], ...size };
    assert.equal(originalOf({ ...kept, uri }), undefined);
    assert.equal(originalOf({ ...kept, uri: 'file:///w/photo.png' })?.path, '/w/photo.png');
  });

  it('has no original to compare it with, and to replace', () => {
    const pasted = edit('pasted', uri);
    tasks = [pasted, edit('photo')];
    assert.deepEqual(
      new RecentEdits(store).images.map(({ uri }) => uri),
      ['file:///w/photo.png'],
    );
    assert.equal(editAt(store, fileOf('pasted')), undefined);
    const files = { areGone: () => false, picturedBy: () => undefined, thumbnailOf: () => undefined };
    const result = { index: 0, state: 'saved', uri: 'file:///w/a.png' } as const;
    const wordsOf = (task: Task): string[] => [
      String(taskItem({ kind: 'task', task }, files, { otherOf: () => undefined }).contextValue),
      String(imageItem({ kind: 'image', task, result }, files).contextValue),
    ];
    for (const words of wordsOf(pasted)) {
      assert.doesNotMatch(words, /\b(?:oneEdit|edited)\b/);
    }
    for (const words of wordsOf(edit('photo'))) {
      assert.match(words, /\b(?:oneEdit|edited)\b/);
    }
  });
});
