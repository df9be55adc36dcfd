import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ErrorRecord } from '../../../../src/common/limnerError.ts';
import type { Task, TaskResult } from '../../../../src/tasks/task.ts';
import { aRequest, aTask } from '../../../support/engine/taskBuilders.ts';
import { loadEditorWords } from '../failures/vscodeWords.ts';

const { isInInbox, taskDescription } = await loadEditorWords();

const saved = (index: number): TaskResult => ({ index, state: 'saved', uri: `file:///a/${index}.png` });
const discarded = (index: number): TaskResult => ({
  ...saved(index),
  discarded: { path: `/kept/${index}.png`, at: 1 },
});
const failed = (index: number): TaskResult => ({ index, state: 'failed' });

function ended(...results: TaskResult[]): Task {
  return aTask({ status: 'completed', request: aRequest({ n: results.length }), results });
}

const textOf = (...results: TaskResult[]): string =>
  taskDescription(ended(...results)).replace(/ · .*$/u, '');

function reasonOf(error: Partial<ErrorRecord>): string {
  const task = aTask({ status: 'failed', error: { code: 'invalid_request', message: '', ...error } });
  return taskDescription(task).replace(/ · .*$/u, '');
}

describe('the row of a task that ended', () => {
  it('says how many images there are', () => {
    assert.equal(textOf(saved(0), saved(1)), '2 images');
    assert.equal(textOf(saved(0), failed(1)), '1 of 2 images');
  });

  it('does not say that an image is missing which was discarded', () => {
    assert.equal(textOf(discarded(0), saved(1), discarded(2)), '1 image');
    assert.equal(textOf(discarded(0)), 'deleted');
    assert.equal(textOf(discarded(0), saved(1), failed(2)), '2 of 3 images');
  });

  it('does not say that all images wait in the inbox when one was saved and discarded', () => {
    const staged: TaskResult = { index: 1, state: 'staged', stagedPath: '/inbox/1.png' };
    assert.ok(isInInbox(ended(staged)));
    assert.ok(!isInInbox(ended(discarded(0), staged)));
  });

  it('blames the service for nothing that was refused before anything was sent', () => {
    assert.equal(reasonOf({ sent: false, billing: 'no' }), 'input file changed or missing');
    assert.equal(reasonOf({ status: 400 }), 'request rejected');
    assert.equal(reasonOf({ service: { message: 'bad size' } }), 'request rejected');
  });
});
