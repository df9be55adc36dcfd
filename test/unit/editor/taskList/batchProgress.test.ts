import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { progressOf } from '../../../../src/editor/taskList/batchProgress.ts';
import type { Task } from '../../../../src/tasks/task.ts';
import { anError, aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';

const image = (index: number): Pick<Task, 'request'> => ({
  request: aRequest({ batch: { id: 'b', title: 'Missing images', index } }),
});
const saved: Partial<Task> = {
  status: 'completed',
  results: [{ index: 0, state: 'saved', uri: 'file:///w/one.png' }],
};

const unsaved = aResult({
  state: 'failed',
  stagedPath: '/inbox/one.png',
  error: anError({ code: 'save_failed' }),
});

void describe('the progress of tasks that were made together', () => {
  void it('counts an image once, however often it was asked for', () => {
    const tasks = [
      aTask({ id: '1', status: 'failed', ...image(0) }),
      aTask({ id: '2', ...saved, ...image(0) }),
      aTask({ id: '3', status: 'failed', ...image(1) }),
      aTask({ id: '4', status: 'unknown', ...image(1) }),
      aTask({ id: '5', status: 'failed', ...image(2) }),
      aTask({ id: '6', status: 'queued', ...image(2) }),
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

  void it('has the task of an image that is here and only to be saved, whatever was tried since', () => {
    const tasks = [
      aTask({ id: '1', status: 'failed', ...image(0), results: [unsaved] }),
      aTask({ id: '2', status: 'failed', ...image(0) }),
    ];
    assert.deepEqual(
      progressOf(tasks).failed.map(({ id }) => id),
      ['1'],
    );
  });
});
