import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { RowFiles } from '../../src/vscode/taskList/rowFiles.ts';
import type { ImageRow } from '../../src/vscode/taskList/taskNode.ts';
import type { Task } from '../../src/engine/task/task.ts';

const savedFiles = { isOf: async () => Promise.resolve(true) };

describe('the files of rows', () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'row-files-'))));
  after(async () => rm(folder, { recursive: true, force: true }));

  it('are looked at while another is not answered for', async () => {
    const [slow, there] = [join(folder, 'slow.png'), join(folder, 'there.png')];
    await Promise.all([slow, there].map(async (path) => writeFile(path, 'image')));
    const drawn = Promise.withResolvers<void>();
    const files = new RowFiles(() => drawn.resolve());
    const unanswered = new Promise<undefined>(() => {});
    files.open({ savedFiles, thumbnails: { of: async () => unanswered } });
    files.lookAt(imageRow(vscode.Uri.file(slow)));
    const gone = imageRow(vscode.Uri.file(join(folder, 'gone.png')));
    files.lookAt(gone);
    await drawn.promise;
    assert.ok(files.areGone(gone));
    files.dispose();
  });

  for (const [status, starred, saved, expected] of [
    ['completed', undefined, 3, 0],
    ['completed', 1, 3, 1],
    ['completed', 1, 2, undefined],
    ['failed', undefined, 3, undefined],
  ] as const) {
    const shown = expected === undefined ? 'its icon' : `image ${expected + 1}`;
    const star = starred === undefined ? 'no star' : 'a star';
    it(`show ${shown} for a ${status} task with ${saved} of 3 images and ${star}`, () => {
      const { task } = imageRow(vscode.Uri.file('/a.png'));
      const noFiles = new RowFiles(() => {});
      const results = Array.from({ length: saved }, (_, index) => ({
        index,
        state: 'saved' as const,
        uri: `file:///${index}.png`,
        ...(index === starred && { starred: true as const }),
      }));
      const request = { ...task.request, n: 3 };
      assert.equal(
        noFiles.picturedBy({ kind: 'task', task: { ...task, status, request, results } })?.index,
        expected,
      );
    });
  }

  it('show the first image that is not missing', async () => {
    const drawn = Promise.withResolvers<void>();
    const files = new RowFiles(() => drawn.resolve());
    const { task } = imageRow(vscode.Uri.file('/a.png'));
    const there = vscode.Uri.file(join(folder, 'there.png'));
    await vscode.workspace.fs.writeFile(there, Buffer.from('an image'));
    files.open({ savedFiles, thumbnails: { of: async (path) => Promise.resolve(`${path}.webp`) } });
    const results: Task['results'] = [
      { index: 0, state: 'saved', uri: vscode.Uri.file(join(folder, 'gone.png')).toString(), starred: true },
      { index: 1, state: 'saved', uri: there.toString() },
    ];
    const request = { ...task.request, n: 2 };
    const row = { kind: 'task', task: { ...task, request, results } } as const;
    files.lookAt(row);
    await drawn.promise;
    assert.equal(files.thumbnailOf(row)?.fsPath, `${there.fsPath}.webp`);
    files.dispose();
  });

  it('of file systems that are not open are left alone', async () => {
    const asked: string[] = [];
    const provider = vscode.workspace.registerFileSystemProvider('limner-sleeping', sleeping(asked));
    try {
      const drawn = Promise.withResolvers<void>();
      const files = new RowFiles(() => drawn.resolve());
      const far = imageRow(vscode.Uri.parse('limner-sleeping://host/a.png'));
      const gone = imageRow(vscode.Uri.file(join(folder, 'gone.png')));
      files.lookAt(far);
      files.lookAt(gone);
      await drawn.promise;
      assert.deepEqual([files.areGone(far), files.areGone(gone), asked], [false, true, []]);
      files.dispose();
    } finally {
      provider.dispose();
    }
  });
});

function imageRow(uri: vscode.Uri): ImageRow {
  return {
    kind: 'image',
    task: {
      id: 'task',
      status: 'completed',
      createdAt: 0,
      origin: 'https://images.example.com',
      request: {
        kind: 'generate',
        prompt: 'a fox',
        model: 'painter',
        family: 'image',
        callStyle: 'async',
        n: 1,
        baseUrl: 'https://images.example.com',
        target: { folder: 'file:///a', root: 'file:///a', fileName: '{prompt}' },
      },
      results: [],
    },
    result: { index: 0, state: 'saved', uri: uri.toString() },
  };
}

/** A file system that notes what it is asked for. */
function sleeping(asked: string[]): vscode.FileSystemProvider {
  const refuse = (uri: vscode.Uri): never => {
    asked.push(uri.toString());
    throw vscode.FileSystemError.FileNotFound(uri);
  };
  return {
    onDidChangeFile: new vscode.EventEmitter<vscode.FileChangeEvent[]>().event,
    watch: () => new vscode.Disposable(() => {}),
    stat: refuse,
    readDirectory: refuse,
    createDirectory: refuse,
    readFile: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
}
