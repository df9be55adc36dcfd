import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { TaskStatus } from '../../../src/common/taskStatus.ts';
import { standsForCall } from '../../../src/tasks/repeatedCall.ts';
import type { Task } from '../../../src/tasks/task.ts';
import { aTask } from '../../support/engine/taskBuilders.ts';

const now = 10_000_000;
const ended = (status: TaskStatus, ago: number, billing?: 'no' | 'refunded' | 'maybe' | 'yes'): Task =>
  aTask({
    status,
    createdAt: now - 3_600_000,
    finishedAt: now - ago,
    ...(billing && { error: { code: 'protocol', message: '', billing } }),
  });

it('a task stands for the same call while it runs, however long that takes', () => {
  for (const status of ['waiting', 'submitting', 'queued', 'in_progress', 'needs_key', 'saving'] as const) {
    assert.ok(standsForCall(aTask({ status, createdAt: now - 3_600_000 }), now), status);
  }
});

it('a task stands for the same call for a minute after it ended, unless it surely cost nothing', () => {
  assert.ok(standsForCall(ended('completed', 59_000), now));
  assert.ok(!standsForCall(ended('completed', 60_000), now));
  assert.ok(standsForCall(ended('unknown', 1000, 'maybe'), now));
  assert.ok(standsForCall(ended('stopped', 1000, 'maybe'), now));
  assert.ok(standsForCall(ended('failed', 1000, 'yes'), now));
  assert.ok(!standsForCall(ended('failed', 1000, 'refunded'), now));
  assert.ok(!standsForCall(ended('failed', 1000, 'no'), now));
  assert.ok(!standsForCall(ended('stopped', 1000, 'no'), now));
});

it('a task that ended by a clock that was ahead does not stand for the same call until that time', () => {
  assert.ok(standsForCall(ended('completed', -59_000), now));
  assert.ok(!standsForCall(ended('completed', -3_600_000), now));
});

it('a task whose end nobody wrote down is as old as it is, and one that completed at no cost was one call, too', () => {
  const at = (status: TaskStatus, ago: number): Task => aTask({ status, createdAt: now - ago });
  assert.ok(standsForCall(at('failed', 59_999), now));
  assert.ok(!standsForCall(at('failed', 60_000), now));
  assert.ok(standsForCall(ended('completed', 1000, 'no'), now));
  assert.ok(standsForCall(ended('expired', 1000, 'refunded'), now));
});
