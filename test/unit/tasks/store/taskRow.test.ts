import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callStyles } from '../../../../src/common/callStyle.ts';
import { billings, errorCodes, phases } from '../../../../src/common/limnerError.ts';
import { taskStatuses } from '../../../../src/common/taskStatus.ts';
import type { Task } from '../../../../src/tasks/task.ts';
import { fromRow, toRow } from '../../../../src/tasks/store/taskRow.ts';
import { anError, aRequest, aTask } from '../../../support/engine/taskBuilders.ts';

describe('fromRow', () => {
  it('reads every status and no other', () => {
    for (const status of taskStatuses) {
      assert.equal(reread(aTask({ status }))?.status, status);
    }
    assert.equal(fromRow({ ...columnsOf(aTask()), status: 'asleep' }), undefined);
  });

  it('reads every call style', () => {
    for (const callStyle of callStyles) {
      assert.equal(reread(aTask({ request: aRequest({ callStyle }) }))?.request.callStyle, callStyle);
    }
  });

  it('reads every error code, phase and billing, and no other code', () => {
    const errors = [
      ...errorCodes.map((code) => anError({ code })),
      ...phases.map((phase) => anError({ phase })),
      ...billings.map((billing) => anError({ billing })),
    ];
    for (const error of errors) {
      assert.deepEqual(reread(aTask({ error }))?.error, error);
    }
    const columns = columnsOf(aTask({ error: anError({ code: 'network' }) }));
    const state = String(columns['state']).replace('network', 'tired');
    assert.equal(fromRow({ ...columns, state }), undefined);
  });
});

function reread(task: Task): Task | undefined {
  return fromRow(columnsOf(task));
}

function columnsOf(task: Task): Record<string, unknown> {
  const [id, status, , , , request, state] = toRow(task);
  return { id, status, request, state };
}
