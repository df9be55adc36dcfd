import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { availableActions } from '../../../src/engine/operations/availableActions.ts';
import type { Task, TaskResult } from '../../../src/engine/task/task.ts';
import { aResult, anError, aTask } from '../../support/engine/taskBuilders.ts';

/** Of what goes on with a task without paying again, what is offered. */
function waysOn(changes: Partial<Task>): string[] {
  return availableActions(aTask(changes)).filter((action) =>
    ['resume', 'saveAgain', 'fetchAgain'].includes(action),
  );
}

/** Whether an original is offered to be restored so many days after it was replaced. */
function canRestoreAfter(days: number, changes: Partial<TaskResult> = {}, ...others: TaskResult[]): boolean {
  const replacedOriginal = { path: '/kept.png', sha256: 'a', at: Date.now() - days * 24 * 3_600_000 };
  const results = [aResult({ state: 'saved', replacedOriginal, ...changes }), ...others];
  return availableActions(aTask({ status: 'completed', results })).includes('restore');
}

/** Whether a discarded image is offered to be restored so many days later. */
function canRecoverAfter(days: number): boolean {
  const discarded = { path: '/kept.png', at: Date.now() - days * 24 * 3_600_000 };
  const results = [aResult({ state: 'saved', discarded }), aResult({ index: 1, state: 'saved' })];
  return availableActions(aTask({ status: 'completed', results })).includes('recover');
}

/** How a task can be given up. */
function ends(changes: Partial<Task>): string[] {
  return availableActions(aTask(changes)).filter((action) => action === 'cancel' || action === 'stop');
}

const remoteId = 'task_1';
const fetchable = aResult({ state: 'failed', error: anError({ code: 'result_expired' }) });
const kept = aResult({ index: 1, state: 'staged', stagedPath: '/home/limner/1.png' });
const { url: _, ...lost } = fetchable;

describe('availableActions', () => {
  for (const status of ['failed', 'expired'] as const) {
    it(`offers the free ways on that there are for a task that is ${status}`, () => {
      assert.deepEqual(waysOn({ status, remoteId, results: [fetchable] }), ['fetchAgain']);
      assert.deepEqual(waysOn({ status, remoteId, results: [fetchable, lost] }), ['resume', 'fetchAgain']);
      assert.deepEqual(waysOn({ status, remoteId, results: [lost] }), ['resume']);
      assert.deepEqual(waysOn({ status, results: [fetchable] }), ['fetchAgain']);
      assert.deepEqual(waysOn({ status, results: [fetchable, kept] }), ['saveAgain']);
      assert.deepEqual(waysOn({ status, results: [lost] }), []);
    });
  }

  it('offers to restore an original for 30 days after it was replaced', () => {
    assert.deepEqual([canRestoreAfter(29), canRestoreAfter(31)], [true, false]);
    assert.ok(canRestoreAfter(29, { discarded: { path: '/edit.png', at: 0 } }));
    assert.ok(canRestoreAfter(29, {}, aResult({ index: 1, state: 'saved' })));
  });

  it('offers to restore deleted images for 30 days', () => {
    assert.deepEqual([canRecoverAfter(29), canRecoverAfter(31)], [true, false]);
  });

  it('offers to cancel what was not sent, and to stop watching what was', () => {
    assert.deepEqual(ends({ status: 'waiting' }), ['cancel']);
    assert.deepEqual(ends({ status: 'waiting', held: true }), ['cancel']);
    assert.deepEqual(ends({ status: 'submitting' }), ['stop']);
    assert.deepEqual(ends({ status: 'failed' }), []);
  });

  it('offers no way on for what the service refunds', () => {
    assert.deepEqual(waysOn({ status: 'failed', remoteId, error: anError({ billing: 'refunded' }) }), []);
  });
});
