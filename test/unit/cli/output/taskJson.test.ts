import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { taskJson } from '../../../../src/cli/output/taskJson.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { aRequest, anError, aTask } from '../../../support/engine/taskBuilders.ts';

/** Returns what a script reads. */
function read(task: Task): unknown {
  return JSON.parse(JSON.stringify(taskJson(task)));
}

const path = resolve('/w/images/fox 1.png');
const uri = pathToFileURL(path).href;

describe('a task in JSON', () => {
  it('has no more than there is to say', () => {
    const task = aTask({ id: 'tk_fox', status: 'queued' });
    assert.deepEqual(read(task), {
      taskId: 'tk_fox',
      status: 'queued',
      kind: 'generate',
      model: 'painter-1',
      prompt: 'a red fox',
      n: 1,
      asked: 1,
      received: 0,
      missing: 1,
      createdAt: '2023-11-14T22:13:20.000Z',
      cost: { about: 0, atMost: 1, currency: 'images' },
      files: [],
      results: [],
    });
  });

  it('has all that is known of its images, and the files of those that are saved', () => {
    const fox = {
      size: 1234,
      mediaType: 'image/webp',
      width: 64,
      height: 48,
      sha256: 'abc',
      seemsCut: true,
      revisedPrompt: 'a very red fox',
      finished: { got: { width: 128, height: 96 }, scaled: 'down' },
    } as const;
    const answer = { path: import.meta.filename, size: 9, mediaType: 'image/png', sha256: 'def' };
    const error = anError({ billing: 'maybe' });
    const unsupported = anError({ code: 'unsupported_image' });
    const refused = anError({ code: 'protocol', phase: 'download', sent: true });
    const task = aTask({
      id: 'tk_fox',
      status: 'completed',
      held: true,
      remoteId: 'r1',
      progress: 0,
      request: aRequest({ n: 3, price: { amount: 0.1, currency: 'USD' } }),
      results: [
        { index: 0, state: 'saved', uri, answer, ...fox },
        { index: 1, state: 'staged', uri, error },
        { index: 2, state: 'saved' },
        { index: 3, state: 'failed', stagedPath: '/w/inbox/3.avif', error: unsupported },
        { index: 4, state: 'failed', url: 'https://results.example/4.png', error: refused },
      ],
      remark: 'I like foxes.',
      usage: { totalTokenCount: 7 },
      error,
    });
    assert.deepEqual(read({ ...task, held: true }), {
      taskId: 'tk_fox',
      status: 'completed',
      held: true,
      kind: 'generate',
      model: 'painter-1',
      prompt: 'a red fox',
      n: 3,
      asked: 3,
      received: 2,
      missing: 1,
      createdAt: '2023-11-14T22:13:20.000Z',
      remoteId: 'r1',
      progress: 0,
      cost: { about: 0, atMost: 0, currency: 'USD' },
      files: [path],
      results: [
        { index: 0, saved: true, file: path, received: answer.path, ...fox },
        { index: 1, saved: false, error },
        { index: 2, saved: true },
        { index: 3, saved: false, received: '/w/inbox/3.avif', error: unsupported },
        { index: 4, saved: false, url: 'https://results.example/4.png', error: refused },
      ],
      remark: 'I like foxes.',
      usage: { totalTokenCount: 7 },
      error,
    });
  });

  it('costs what a person would write, without what floating point adds', () => {
    const task = aTask({
      status: 'completed',
      request: aRequest({ n: 3, price: { amount: 0.1, currency: 'EUR' } }),
      results: [{ index: 0, state: 'saved', uri }],
    });
    const cost = (changes: Partial<Task>): unknown => taskJson({ ...task, ...changes })['cost'];
    assert.deepEqual(cost({}), { about: 0.1, atMost: 0.3, currency: 'EUR' });
    const fine = { ...task.request, price: { amount: 0.000_123, currency: 'EUR' } };
    assert.deepEqual(cost({ request: fine }), { about: 0.000_123, atMost: 0.000_369, currency: 'EUR' });
  });
});
