import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ErrorRecord } from '../../../../src/common/limnerError.ts';
import { isTerminal, taskStatuses, type TaskStatus } from '../../../../src/common/taskStatus.ts';
import type { Task, TaskResult } from '../../../../src/engine/task/task.ts';
import type { TaskEvent } from '../../../../src/engine/task/taskEvent.ts';
import { advance } from '../../../../src/engine/task/taskMachine.ts';
import { anError, aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { Random } from '../../../support/random.ts';

const start = 1_700_000_000_000;

function drawResult(random: Random): TaskResult {
  const index = random.below(3);
  const error = anError({ code: random.pick(['network', 'result_expired', 'unsupported_image']) });
  return random.pick<TaskResult>([
    aResult({ index }),
    { index, state: 'staged', stagedPath: `/home/incoming/${index}` },
    { index, state: 'saved', uri: `file:///w/${index}.png` },
    aResult({ index, state: 'failed', error }),
  ]);
}

function drawEvent(random: Random, at: number): TaskEvent {
  const results = Array.from({ length: random.below(3) }, () => drawResult(random)).filter(
    ({ index }, place, all) => all.findIndex((one) => one.index === index) === place,
  );
  const error: ErrorRecord = anError({ code: 'timeout', message: `At ${at}` });
  const incomplete = random.below(2) === 0 ? { incomplete: error } : {};
  const remote = {
    status: random.pick(['queued', 'in_progress', 'dreaming']),
    ...(random.below(2) === 0 && { progress: random.below(101) }),
  };
  const retryAt = at + random.below(3000);
  const index = random.below(3);
  return random.pick<TaskEvent>([
    { type: 'submit', keyFingerprint: 'f' },
    { type: 'hold' },
    { type: 'release', at },
    { type: 'busy', at, retryAt, error },
    { type: 'accepted', at, remoteId: 'task_1', remote },
    { type: 'answering', at },
    { type: 'arrived', result: { index, state: 'staged', stagedPath: '/home/incoming/x' } },
    { type: 'answered', at, results, ...incomplete },
    { type: 'reported', remote },
    { type: 'unreachable', at, retryAt, error },
    { type: 'keyRefused', error },
    { type: 'keyChanged' },
    { type: 'finished', at, results, ...incomplete },
    { type: 'fetched', result: drawResult(random) },
    { type: 'resultChanged', result: drawResult(random) },
    { type: 'urlsExpired' },
    { type: 'settled', at },
    { type: 'failed', at, error },
    { type: 'lost', at, error },
    { type: 'stop', at },
    { type: 'cancel', at },
    { type: 'tryNow', at },
    { type: 'resume' },
    { type: 'starred', index, starred: random.below(2) === 0 },
    { type: 'discarded', index, path: '/kept.png', at },
    { type: 'recovered', index, uri: 'file:///w/back.png' },
    { type: 'saveAgain', indexes: [0, 1, 2] },
  ]);
}

/** What is forgotten by what goes on: why it did not, and when it is tried again. */
const goesOn = new Set<TaskEvent['type']>([
  'submit',
  'reported',
  'finished',
  'resume',
  'keyChanged',
  'release',
]);

function reported(task: Task, remote: { status: string; progress?: number }): Task {
  const next = advance(task, { type: 'reported', remote });
  assert.ok(next.ok);
  return next.task;
}

/** Asserts what a row says of a task, whatever it was before. */
function assertTrue(task: Task, event: TaskEvent, before: Task): void {
  const { status, finishedAt, retryAt, troubleSince, held, error, results } = task;
  const said = JSON.stringify([before, event, task]);
  assert.equal(finishedAt !== undefined, isTerminal(status), said);
  if (isTerminal(status)) {
    assert.deepEqual([retryAt, troubleSince, held], [undefined, undefined, undefined], said);
  }
  if (status === 'submitting' || status === 'needs_key') {
    assert.equal(retryAt, undefined, said);
  }
  if (['needs_key', 'failed', 'unknown', 'stopped', 'expired'].includes(status)) {
    assert.ok(error, said);
  }
  if (held) {
    assert.deepEqual([status, retryAt], ['waiting', undefined], said);
  }
  if (goesOn.has(event.type)) {
    assert.deepEqual(error, 'incomplete' in event ? event.incomplete : undefined, said);
    assert.ok(retryAt === undefined || event.type === 'release', said);
  }
  if (event.type === 'resume' || event.type === 'fetched' || event.type === 'resultChanged') {
    assert.deepEqual([retryAt, troubleSince], [undefined, undefined], said);
  }
  const indexes = results.map(({ index }) => index);
  assert.deepEqual(
    indexes,
    [...new Set(indexes)].toSorted((one, other) => one - other),
    said,
  );
  // What has come, or was asked for, is known from then on.
  assert.ok(
    event.type === 'answered'
      ? results.length >= before.results.length
      : before.results.every(({ index }) => indexes.includes(index)),
    said,
  );
  assert.ok(before.remoteId === undefined || task.remoteId === before.remoteId, said);
  assert.ok((task.submittedAt ?? 0) >= (before.submittedAt ?? 0), said);
  assert.ok(before.completedAt === undefined || task.completedAt === before.completedAt, said);
}

describe('whatever happens to a task', () => {
  it('its row says what is true of where it stands', () => {
    const seed = Date.now() % 1_000_000;
    console.log(`Drawn with seed ${seed}`);
    const random = new Random(seed);
    const reached = new Set<TaskStatus>();
    for (let story = 0; story < 1500; story++) {
      let task = aTask({ request: aRequest({ n: 3 }), createdAt: start });
      for (let step = 1; step < 16; step++) {
        const event = drawEvent(random, start + step * 1000);
        const before = structuredClone(task);
        const next = advance(task, event);
        assert.deepEqual(task, before, 'the task of before stays as it was');
        if (!next.ok) {
          assert.notEqual(next.refusal, '');
          continue;
        }
        assertTrue(next.task, event, before);
        task = next.task;
        reached.add(task.status);
      }
    }
    // One rarely expires by chance.
    assert.deepEqual(
      taskStatuses.filter((status) => status !== 'expired' && !reached.has(status)),
      [],
    );
  });

  it('it is tried at once where a person wants that, and waits for nothing that is due', () => {
    const waiting = aTask({ retryAt: start + 1000 });
    const event = { type: 'tryNow', at: start } as const;
    assert.deepEqual(advance(waiting, event), { ok: true, task: { ...waiting, retryAt: start } });
    for (const at of [start + 1000, start + 2000]) {
      const due = advance(waiting, { ...event, at });
      assert.equal(due.ok && due.task, waiting);
    }
    assert.deepEqual(advance(aTask(), event), {
      ok: false,
      refusal: 'The task does not wait for another try.',
    });
  });

  it('it has the progress that the service says, and the words for it', () => {
    const sent = aTask({ status: 'submitting' });
    for (const [status, next] of [
      ['queued', 'queued'],
      ['in_progress', 'in_progress'],
      ['dreaming', 'in_progress'],
    ]) {
      const remote = { status: status ?? '' };
      const taken = advance(sent, { type: 'accepted', at: start, remoteId: 'r', remote });
      assert.ok(taken.ok);
      assert.deepEqual(
        [taken.task.status, taken.task.remoteStatus, 'progress' in taken.task],
        [next, status, false],
      );
      const told = { ...remote, progress: 7 };
      const further = advance(sent, { type: 'accepted', at: start, remoteId: 'r', remote: told });
      assert.equal(further.ok && further.task.progress, 7);
    }
  });

  it('it says what a report says, where that is news', () => {
    const task = aTask({ status: 'in_progress', remoteStatus: 'in_progress', progress: 40 });
    for (const remote of [{ status: 'in_progress' }, { status: 'in_progress', progress: 30 }]) {
      assert.equal(reported(task, remote), task);
      for (const trouble of [{ retryAt: start }, { error: anError() }]) {
        assert.deepEqual(reported({ ...task, ...trouble }, remote), task);
      }
    }
    for (const [status, progress, expected] of [
      ['in_progress', 41, { ...task, progress: 41 }],
      ['queued', 40, { ...task, status: 'queued', remoteStatus: 'queued' }],
      ['dreaming', 40, { ...task, remoteStatus: 'dreaming' }],
    ] as const) {
      assert.deepEqual(reported(task, { status, progress }), expected);
    }
    const silent = aTask({ status: 'queued', remoteStatus: 'queued' });
    assert.equal(reported(silent, { status: 'queued', progress: 0 }), silent);
    assert.equal('progress' in reported(silent, { status: 'in_progress' }), false);
    assert.equal(reported(silent, { status: 'in_progress', progress: 3 }).progress, 3);
  });

  it('it knows since when nobody could be asked, and what came with its answer', () => {
    const error = anError();
    const once = advance(aTask({ status: 'queued' }), { type: 'unreachable', at: 1, retryAt: 2, error });
    assert.ok(once.ok);
    const twice = advance(once.task, { type: 'unreachable', at: 3, retryAt: 4, error });
    assert.deepEqual(twice.ok && [twice.task.troubleSince, twice.task.retryAt], [1, 4]);
    const open = aTask({ status: 'submitting' });
    const results = [aResult()];
    const bare = advance(open, { type: 'answered', at: 1, results });
    assert.ok(bare.ok);
    assert.deepEqual(
      ['remark', 'usage', 'error'].filter((name) => name in bare.task),
      [],
    );
    const more = { remark: 'A fox.', usage: { totalTokenCount: 3 } };
    const full = advance(open, { type: 'answered', at: 1, results, ...more, incomplete: error });
    assert.deepEqual(full.ok && full.task, { ...bare.task, ...more, error });
    const nothing = { type: 'answered', at: 1, results: [] } as const;
    assert.equal(advance(aTask({ status: 'stopped' }), { ...nothing, results: [] }).ok, false);
    assert.equal(advance(open, { ...nothing, results: [] }).ok, true);
  });

  it('it takes each image of an answer once, and a file back only of an image that is one', () => {
    const result: TaskResult = { index: 1, state: 'staged', stagedPath: '/home/incoming/x' };
    for (const status of ['saving', 'completed'] as const) {
      const known = aTask({ status, results: [aResult({ index: 1, state: 'saved' })] });
      assert.equal(advance(known, { type: 'arrived', result }).ok, false);
      assert.equal(advance(known, { type: 'answered', at: start, results: [result] }).ok, false);
      const other = advance(known, {
        type: 'answered',
        at: start,
        results: [result, { ...result, index: 2 }],
      });
      assert.deepEqual(other.ok && other.task.results.map(({ state }) => state), ['saved', 'staged']);
    }
    const unsaved = aTask({ status: 'saving', results: [aResult()] });
    for (const event of [
      { type: 'discarded', index: 0, path: '/kept.png', at: start },
      { type: 'recovered', index: 0, uri: 'file:///w/back.png' },
    ] as const) {
      assert.equal(advance(unsaved, event).ok, false);
    }
    const open = aTask({ status: 'in_progress', submittedAt: 1, results: [result] });
    const answer = advance(open, {
      type: 'answered',
      at: start,
      results: [aResult({ index: 1, state: 'saved' })],
    });
    assert.deepEqual(
      answer.ok && [answer.task.results[0]?.state, answer.task.submittedAt, answer.task.completedAt],
      ['saved', 1, start],
    );
    const empty = advance(open, { type: 'answered', at: start, results: [], remark: 'No.' });
    assert.deepEqual(empty.ok && [empty.task.status, empty.task.remark], ['saving', 'No.']);
    const answering = advance(open, { type: 'answering', at: start });
    assert.equal(answering.ok && answering.task, open);
  });
});
