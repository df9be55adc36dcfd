import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { originalOf } from '../../src/editor/studioPanel/draftInputs.ts';
import { editAt, RecentEdits } from '../../src/editor/taskList/edits.ts';
import { imageItem, taskItem } from '../../src/editor/taskList/taskItem.ts';
import { setOwnFolders } from '../../src/editor/window/ownFiles.ts';
import type { Task } from '../../src/tasks/task.ts';

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
    const files = { areGone: () => false, thumbnailOf: () => undefined };
    const result = { index: 0, state: 'saved', uri: 'file:///w/a.png' } as const;
    const wordsOf = (task: Task): string[] => [
      String(taskItem({ kind: 'task', task }, files).contextValue),
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
