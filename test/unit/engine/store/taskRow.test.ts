import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callStyles } from '../../../../src/common/requestValues.ts';
import { billings, errorCodes, phases } from '../../../../src/common/limnerError.ts';
import { taskStatuses } from '../../../../src/common/taskStatus.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { advance } from '../../../../src/engine/task/taskMachine.ts';
import { fromRow, toRow } from '../../../../src/engine/store/taskRow.ts';
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

  it('reads a staged image by its name in rows, and writes it back as it was', () => {
    const state = {
      createdAt: 1_700_000_000_000,
      origin: 'https://images.example',
      results: [
        {
          index: 0,
          state: 'incoming',
          incoming: '/home/incoming/a-task/0-1.image',
          size: 4,
          mediaType: 'image/png',
          sha256: 'ab',
          starred: true,
        },
        { index: 1, state: 'failed', incoming: '/home/inbox/a-task-2.bin', error: anError() },
        { index: 2, state: 'remote', url: 'https://images.example/2.png' },
        { index: 3, state: 'saved', uri: 'file:///workspace/a-fox.png' },
      ],
    };
    const columns = { ...columnsOf(aTask({ status: 'saving' })), state: JSON.stringify(state) };
    const task = fromRow(columns);
    assert.ok(task);
    assert.deepEqual(
      task.results.map(({ state, stagedPath }) => [state, stagedPath]),
      [
        ['staged', '/home/incoming/a-task/0-1.image'],
        ['failed', '/home/inbox/a-task-2.bin'],
        ['remote', undefined],
        ['saved', undefined],
      ],
    );
    const [, , , unsaved, , , written] = toRow(task);
    assert.deepEqual([unsaved, JSON.parse(written)], [1, state]);
  });

  it('keeps what a newer version has written of an image, through changes too', () => {
    const columns = columnsOf(aTask({ status: 'completed', results: [{ index: 0, state: 'saved' }] }));
    const newer = { index: 0, state: 'saved', mood: 'blue', frame: { width: 2 } };
    const state = JSON.stringify({ ...JSON.parse(String(columns['state'])), results: [newer] });
    const task = fromRow({ ...columns, state });
    const next = task && advance(task, { type: 'starred', index: 0, starred: true });
    assert.ok(next?.ok);
    assert.deepEqual(resultsIn(next.task), [{ ...newer, starred: true }]);
  });
});

function resultsIn(task: Task): unknown {
  const parsed: unknown = JSON.parse(String(columnsOf(task)['state']));
  return typeof parsed === 'object' && parsed !== null && Reflect.get(parsed, 'results');
}

function reread(task: Task): Task | undefined {
  return fromRow(columnsOf(task));
}

function columnsOf(task: Task): Record<string, unknown> {
  const [id, status, , , , request, state] = toRow(task);
  return { id, status, request, state };
}
