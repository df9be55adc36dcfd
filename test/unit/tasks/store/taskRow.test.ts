import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { taskStatuses } from '../../../../src/common/taskStatus.ts';
import type { Task } from '../../../../src/tasks/task.ts';
import { fromRow, toRow } from '../../../../src/tasks/store/taskRow.ts';
import { aTask } from '../../../support/engine/taskBuilders.ts';

describe('fromRow', () => {
  it('reads every status and no other', () => {
    for (const status of taskStatuses) {
      assert.equal(reread(aTask({ status }))?.status, status);
    }
    assert.equal(fromRow({ ...columnsOf(aTask()), status: 'asleep' }), undefined);
  });
});

function reread(task: Task): Task | undefined {
  return fromRow(columnsOf(task));
}

function columnsOf(task: Task): Record<string, unknown> {
  const [id, status, , , , request, state] = toRow(task);
  return { id, status, request, state };
}
