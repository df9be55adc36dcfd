import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { studioTask } from '../../src/vscode/studio/studioTask.ts';
import { statOf } from '../../src/vscode/window/files.ts';
import type { Task, TaskResult } from '../../src/engine/task/task.ts';

const saved = (index: number): TaskResult => ({ index, state: 'saved', uri: 'file:///missing.png' });

describe('the original of an edit in the studio', () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  const images = {
    url: async (uri: vscode.Uri) => ((await statOf(uri)) ? uri.fsPath : undefined),
    windowUri: String,
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'original-'));
    await Promise.all(
      ['photo.png', 'copy.png', 'kept.png', 'later.png'].map(async (name) => writeFile(at(name), name)),
    );
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  function edit(path: string, results: TaskResult[]): Task {
    const uri = vscode.Uri.file(at('photo.png')).toString();
    return {
      id: 'task',
      status: 'completed',
      createdAt: 0,
      origin: 'https://images.example.com',
      request: {
        kind: 'edit',
        prompt: 'make it night',
        model: 'painter',
        family: 'image',
        callStyle: 'async',
        n: 1,
        images: [{ uri, name: 'photo.png', size: 1, mediaType: 'image/png', sha256: '', path: at(path) }],
        baseUrl: 'https://images.example.com',
        target: { folder: 'file:///a', root: 'file:///a', fileName: '{prompt}' },
      },
      results,
    };
  }
  const replacing = (index: number, path: string, time: number): TaskResult => ({
    ...saved(index),
    replacedOriginal: { path: at(path), sha256: '', at: Date.now() - time },
  });

  it('is its file', async () => {
    const { originalUrl } = await studioTask(images, edit('photo.png', [saved(0)]));
    assert.equal(originalUrl, at('photo.png'));
  });

  it('is what an image of the task replaced, for all of them', async () => {
    const results = [saved(0), replacing(1, 'later.png', 1000), replacing(2, 'kept.png', 2000)];
    const { originalUrl } = await studioTask(images, edit('photo.png', results));
    assert.equal(originalUrl, at('kept.png'));
  });

  it('is its file where nothing is kept any more', async () => {
    const { originalUrl } = await studioTask(images, edit('photo.png', [replacing(0, 'swept.png', 1000)]));
    assert.equal(originalUrl, at('photo.png'));
  });

  it('is none where nothing was edited', async () => {
    const { request, ...task } = edit('photo.png', [saved(0)]);
    const { images: _, ...generation } = request;
    const shown = await studioTask(images, { ...task, request: { ...generation, kind: 'generate' } });
    assert.deepEqual([shown.hasOriginal, shown.originalUrl], [false, undefined]);
  });

  it('is the copy that was sent where the file itself was not', async () => {
    const { originalUrl } = await studioTask(images, edit('copy.png', [replacing(0, 'kept.png', 1000)]));
    assert.equal(originalUrl, at('copy.png'));
  });
});
