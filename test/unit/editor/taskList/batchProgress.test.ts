import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { progressOf } from '../../../../src/editor/taskList/batchProgress.ts';
import type { Task } from '../../../../src/tasks/task.ts';
import { aRequest, aTask } from '../../../support/engine/taskBuilders.ts';

const request = (fileName: string): Pick<Task, 'request'> => ({
  request: aRequest({ target: { folder: 'file:///w', root: 'file:///w', fileName } }),
});
const prompt = (text: string): Pick<Task, 'request'> => ({ request: aRequest({ prompt: text }) });
const saved: Partial<Task> = {
  status: 'completed',
  results: [{ index: 0, state: 'saved', uri: 'file:///w/one.png' }],
};

void describe('the progress of tasks that were made together', () => {
  void it('counts an image once, however often it was asked for', () => {
    const tasks = [
      aTask({ id: '1', status: 'failed', ...request('one.png') }),
      aTask({ id: '2', ...saved, ...request('one.png') }),
      aTask({ id: '3', status: 'failed', ...request('two.png') }),
      aTask({ id: '4', status: 'unknown', ...request('two.png') }),
      aTask({ id: '5', status: 'failed', ...request('three.png') }),
      aTask({ id: '6', status: 'queued', ...request('three.png') }),
    ];
    const { images, saved: count, open, failed } = progressOf(tasks);
    assert.deepEqual({ images, count }, { images: 3, count: 1 });
    assert.deepEqual(
      open.map(({ id }) => id),
      ['6'],
    );
    assert.deepEqual(
      failed.map(({ id }) => id),
      ['4'],
    );
  });

  void it('counts images of other prompts in the same folder', () => {
    const tasks = [
      aTask({ id: '1', ...saved, ...prompt('bread') }),
      aTask({ id: '2', status: 'failed', ...prompt('oven') }),
    ];
    const { images, saved: count, failed } = progressOf(tasks);
    assert.deepEqual({ images, count, failed: failed.length }, { images: 2, count: 1, failed: 1 });
  });
});
