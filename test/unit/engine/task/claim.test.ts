import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { TaskStatus } from '../../../../src/common/taskStatus.ts';
import { standsFor } from '../../../../src/engine/task/claim.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { firstIdAt } from '../../../../src/engine/task/taskId.ts';
import { aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';

const day = 24 * 3_600_000;
const now = 2 * day;
const ended = (status: TaskStatus, ago: number, billing?: 'no' | 'refunded' | 'maybe' | 'yes'): Task =>
  aTask({
    status,
    createdAt: now - 3_600_000,
    finishedAt: now - ago,
    deliveredAt: now - ago,
    ...(billing && { error: { code: 'protocol', message: '', billing } }),
  });
const at = (status: TaskStatus, ago: number): Task =>
  aTask({ id: firstIdAt(now - ago), status, createdAt: now - ago });
const standsForCall = (task: Task): boolean => standsFor({ call: 'c' }, task, now);

it('a task stands for the same call while it runs, for a day', () => {
  for (const status of ['waiting', 'submitting', 'queued', 'in_progress', 'needs_key', 'saving'] as const) {
    assert.ok(standsForCall(at(status, day)), status);
    assert.ok(!standsForCall(at(status, day + 1)), status);
  }
});

it('a task stands for the same call for a minute after its agent was told, unless it surely cost nothing', () => {
  assert.ok(standsForCall(ended('completed', 59_000)));
  assert.ok(!standsForCall(ended('completed', 60_000)));
  assert.ok(standsForCall(ended('unknown', 1000, 'maybe')));
  assert.ok(standsForCall(ended('stopped', 1000, 'maybe')));
  assert.ok(standsForCall(ended('failed', 1000, 'yes')));
  assert.ok(!standsForCall(ended('failed', 1000, 'refunded')));
  assert.ok(!standsForCall(ended('failed', 1000, 'no')));
  assert.ok(!standsForCall(ended('stopped', 1000, 'no')));
});

it('a task that ended by a clock that was ahead does not stand for the same call until that time', () => {
  assert.ok(standsForCall(ended('completed', -59_000)));
  assert.ok(!standsForCall(ended('completed', -3_600_000)));
});

it('a task whose outcome no agent was told, or which got further since, stands for the same call for six hours', () => {
  const hours = 6 * 3_600_000;
  assert.ok(standsForCall(at('completed', hours - 1)));
  assert.ok(!standsForCall(at('completed', hours)));
  assert.ok(standsForCall({ ...ended('completed', 1_800_000), deliveredAt: now - 2_000_000 }));
});

it('a task that can bring its images stands for the same call for six hours, whoever was told what', () => {
  const url = 'https://images.example/1.png';
  const failed = ended('failed', 1_800_000, 'yes');
  const lost = { ...failed, results: [aResult({ state: 'failed', url })] };
  assert.ok(standsForCall(lost));
  assert.ok(!standsForCall({ ...lost, createdAt: now - 6 * 3_600_000 }));
  assert.ok(standsForCall({ ...ended('stopped', 1_800_000, 'maybe'), remoteId: 'task_1' }));
  const gone = { ...failed, remoteId: 'task_1', error: { code: 'task_not_found', message: '' } as const };
  assert.ok(!standsForCall(gone));
});

it('a task that completed at no cost was one call, too', () => {
  assert.ok(standsForCall(ended('completed', 1000, 'no')));
  assert.ok(standsForCall(ended('expired', 1000, 'refunded')));
});

it('a task whose image was not fetched while the service kept it does not stand for the file that it was to be', () => {
  const request = aRequest({ target: { folder: 'file:///w', root: 'file:///w', fileName: 'fox.png' } });
  const task = aTask({
    status: 'expired',
    request,
    createdAt: now,
    finishedAt: now,
    results: [aResult({ state: 'failed', url: 'https://x.example/fox.png' })],
  });
  const stands = (later: number): boolean =>
    standsFor({ place: request, readAt: now + later }, task, now + later);
  assert.deepEqual([stands(1000), stands(2 * day)], [true, false]);
});
