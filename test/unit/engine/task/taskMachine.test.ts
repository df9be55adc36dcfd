import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { taskStatuses, type TaskStatus } from '../../../../src/common/taskStatus.ts';
import type { ErrorCode } from '../../../../src/common/limnerError.ts';
import type { Task, TaskResult } from '../../../../src/engine/task/task.ts';
import type { TaskEvent } from '../../../../src/engine/task/taskEvent.ts';
import { resultsFromAnswer } from '../../../../src/engine/files/stagingStore.ts';
import { advance } from '../../../../src/engine/task/taskMachine.ts';
import { anError, aResult, aTask } from '../../../support/engine/taskBuilders.ts';

const at = 1_700_000_100_000;
const error = anError();

/** One event of each kind, and the state that it leads to from each state that hears it. */
const table: { event: TaskEvent; leads: Partial<Record<TaskStatus, TaskStatus>>; task?: Partial<Task> }[] = [
  { event: { type: 'submit', keyFingerprint: 'f' }, leads: { waiting: 'submitting' } },
  { event: { type: 'hold' }, leads: { waiting: 'waiting' } },
  { event: { type: 'release', at: 9 }, leads: { waiting: 'waiting' } },
  { event: { type: 'busy', at, retryAt: at + 1, error }, leads: { submitting: 'waiting' } },
  {
    event: { type: 'accepted', at, remoteId: 'task_1', remote: { status: 'queued' } },
    leads: { submitting: 'queued', in_progress: 'queued', unknown: 'queued', stopped: 'stopped' },
  },
  {
    event: { type: 'answering', at },
    leads: { submitting: 'in_progress', in_progress: 'in_progress', unknown: 'in_progress' },
  },
  {
    event: { type: 'arrived', result: aResult({ state: 'staged' }) },
    leads: {
      submitting: 'submitting',
      in_progress: 'in_progress',
      saving: 'saving',
      completed: 'saving',
      unknown: 'in_progress',
      stopped: 'saving',
    },
  },
  {
    event: { type: 'answered', at, results: [aResult({ state: 'staged' })] },
    leads: {
      submitting: 'saving',
      in_progress: 'saving',
      saving: 'saving',
      completed: 'saving',
      unknown: 'saving',
      stopped: 'saving',
    },
  },
  {
    event: { type: 'reported', remote: { status: 'in_progress', progress: 10 } },
    leads: { queued: 'in_progress', in_progress: 'in_progress', needs_key: 'in_progress' },
  },
  {
    event: { type: 'unreachable', at, retryAt: at + 1, error },
    leads: { queued: 'queued', in_progress: 'in_progress', saving: 'saving' },
    task: { results: [aResult()] },
  },
  { event: { type: 'keyRefused', error }, leads: { queued: 'needs_key', in_progress: 'needs_key' } },
  { event: { type: 'keyChanged' }, leads: { needs_key: 'queued' } },
  {
    event: { type: 'finished', at, results: [aResult()] },
    leads: { queued: 'saving', in_progress: 'saving', needs_key: 'saving' },
  },
  { event: { type: 'fetched', result: aResult({ state: 'staged' }) }, leads: { saving: 'saving' } },
  { event: { type: 'resultChanged', result: aResult() }, leads: { saving: 'saving' } },
  {
    event: { type: 'attempt', index: 0, attempts: 1 },
    leads: { saving: 'saving' },
    task: { results: [aResult()] },
  },
  {
    event: { type: 'urlsExpired' },
    leads: { saving: 'queued' },
    task: { remoteId: 'task_1', results: [aResult()] },
  },
  {
    event: { type: 'settled', at },
    leads: { saving: 'completed' },
    task: { results: [aResult({ state: 'saved' })] },
  },
  {
    event: { type: 'failed', at, error },
    leads: {
      waiting: 'failed',
      submitting: 'failed',
      queued: 'failed',
      in_progress: 'failed',
      needs_key: 'failed',
      saving: 'failed',
    },
  },
  { event: { type: 'lost', at, error }, leads: { submitting: 'unknown', in_progress: 'unknown' } },
  {
    event: { type: 'stop', at },
    leads: {
      waiting: 'stopped',
      submitting: 'stopped',
      queued: 'stopped',
      in_progress: 'stopped',
      needs_key: 'stopped',
    },
  },
  { event: { type: 'giveUp', at }, leads: { saving: 'stopped' }, task: { troubleSince: at } },
  { event: { type: 'cancel', at }, leads: { waiting: 'stopped' } },
  {
    event: { type: 'tryNow', at },
    leads: { waiting: 'waiting', queued: 'queued', in_progress: 'in_progress', saving: 'saving' },
    task: { retryAt: at + 1 },
  },
  {
    event: { type: 'resume' },
    leads: { stopped: 'queued', needs_key: 'queued', failed: 'queued', expired: 'queued' },
    task: { remoteId: 'task_1' },
  },
  {
    event: { type: 'saveAgain', indexes: [0] },
    leads: { completed: 'saving', failed: 'saving', stopped: 'saving', expired: 'saving' },
    task: { results: [aResult({ state: 'staged' })] },
  },
  {
    event: { type: 'finishAgain', copies: [{ index: 0, stagedPath: '/copy' }] },
    leads: { completed: 'saving' },
    task: {
      results: [
        aResult({ state: 'saved', uri: 'file:///a.png', attempts: 2, finished: { problem: 'Alas.' } }),
      ],
    },
  },
  {
    event: { type: 'starred', index: 0, starred: true },
    leads: Object.fromEntries(taskStatuses.map((status) => [status, status])),
    task: { results: [aResult({ state: 'saved' })] },
  },
  {
    event: { type: 'discarded', index: 0, path: '/kept.png', at: 1 },
    leads: Object.fromEntries(taskStatuses.map((status) => [status, status])),
    task: { results: [aResult({ state: 'saved' })] },
  },
  {
    event: { type: 'recovered', index: 0, uri: 'file:///fox.png' },
    leads: Object.fromEntries(taskStatuses.map((status) => [status, status])),
    task: { results: [aResult({ state: 'saved' })] },
  },
  {
    event: { type: 'placing', index: 0, at },
    leads: Object.fromEntries(taskStatuses.map((status) => [status, status])),
    task: { results: [aResult({ state: 'saved' })] },
  },
  {
    event: { type: 'placed', index: 0 },
    leads: Object.fromEntries(taskStatuses.map((status) => [status, status])),
    task: { results: [aResult({ state: 'saved' })] },
  },
  {
    event: { type: 'originalReplaced', index: 0, replaced: { path: '/kept.png', sha256: 'a', at } },
    leads: Object.fromEntries(taskStatuses.map((status) => [status, status])),
    task: { results: [aResult({ state: 'saved' })] },
  },
];

function settledAs(...results: Task['results']): TaskStatus | undefined {
  const result = advance(aTask({ status: 'saving', results }), { type: 'settled', at });
  return result.ok ? result.task.status : undefined;
}

function listed(host: string): Task['results'] {
  return Array.from({ length: 18 }, (_, index) => aResult({ index, url: `https://${host}/${index}` }));
}

function billingWhenStopped(status: TaskStatus): string | undefined {
  const result = advance(aTask({ status }), { type: 'stop', at });
  return result.ok ? result.task.error?.billing : undefined;
}

function resumesFailed(changes: Partial<Task>): boolean {
  return advance(aTask({ status: 'failed', remoteId: 'task_1', ...changes }), { type: 'resume' }).ok;
}

describe('advance', () => {
  for (const { event, leads, task } of table) {
    for (const status of taskStatuses) {
      const next = leads[status];
      it(`${next === undefined ? 'refuses' : `leads to ${next} on`} "${event.type}" while ${status}`, () => {
        const before = aTask({ ...task, status });
        const frozen = structuredClone(before);
        const result = advance(before, event);
        assert.equal(result.ok ? result.task.status : undefined, next);
        assert.deepEqual(before, frozen, 'the task that was given is left alone');
      });
    }
  }

  it('refuses to submit a task that waits for a person', () => {
    assert.equal(advance(aTask({ held: true }), { type: 'submit', keyFingerprint: 'f' }).ok, false);
  });

  it('keeps the id of a task that was stopped while its request was on the way', () => {
    const result = advance(aTask({ status: 'stopped' }), {
      type: 'accepted',
      at,
      remoteId: 'task_1',
      remote: { status: 'queued' },
    });
    assert.equal(result.ok && result.task.remoteId, 'task_1');
  });

  it('shows the highest progress seen', () => {
    const before = aTask({ status: 'in_progress', progress: 60, remoteStatus: 'in_progress' });
    const result = advance(before, { type: 'reported', remote: { status: 'in_progress', progress: 20 } });
    assert.equal(result.ok && result.task.progress, 60);
  });

  it('gives the same object back when a poll says nothing new', () => {
    const before = aTask({ status: 'in_progress', progress: 60, remoteStatus: 'in_progress' });
    const result = advance(before, { type: 'reported', remote: { status: 'in_progress', progress: 60 } });
    assert.ok(result.ok);
    assert.equal(result.task, before);
  });

  it('goes on with a state that the service does not document', () => {
    const result = advance(aTask({ status: 'queued' }), {
      type: 'reported',
      remote: { status: 'upscaling' },
    });
    assert.deepEqual(result.ok && [result.task.status, result.task.remoteStatus], [
      'in_progress',
      'upscaling',
    ]);
  });

  it('never calls a task unknown whose id it knows', () => {
    assert.equal(
      advance(aTask({ status: 'in_progress', remoteId: 'task_1' }), { type: 'lost', at, error }).ok,
      false,
    );
  });

  it('asks the service again for whatever failed, but for what it failed itself and for pictures that are here', () => {
    assert.ok(resumesFailed({ error: anError({ code: 'task_not_found', billing: 'maybe' }) }));
    assert.ok(resumesFailed({ results: [aResult({ state: 'failed' })] }));
    assert.ok(!resumesFailed({ error: anError({ code: 'image_generation_failed', billing: 'refunded' }) }));
    assert.ok(!resumesFailed({ results: [aResult({ state: 'failed', stagedPath: '/inbox/0' })] }));
  });

  it('asks nobody for fresh URLs of pictures that came with an answer', () => {
    assert.equal(advance(aTask({ status: 'saving' }), { type: 'urlsExpired' }).ok, false);
  });

  it('knows since when pictures are missing, and when they were made, also while it asks for fresh URLs', () => {
    const events: TaskEvent[] = [
      { type: 'finished', at, results: [aResult()] },
      { type: 'unreachable', at: at + 1, retryAt: at + 2, error },
      { type: 'urlsExpired' },
      { type: 'reported', remote: { status: 'in_progress' } },
      { type: 'finished', at: at + 3, results: [aResult()] },
    ];
    let task = aTask({ status: 'queued', remoteId: 'task_1', troubleSince: at - 1 });
    for (const event of events) {
      const result = advance(task, event);
      assert.ok(result.ok);
      ({ task } = result);
    }
    assert.deepEqual([task.completedAt, task.troubleSince], [at, at + 1]);
  });

  it('takes fresh URLs only for pictures that are not here', () => {
    const saved = aResult({ index: 0, state: 'saved', url: 'https://old/0' });
    const before = aTask({ status: 'queued', results: [saved, aResult({ index: 1, url: 'https://old/1' })] });
    const result = advance(before, {
      type: 'finished',
      at,
      results: [aResult({ index: 0, url: 'https://new/0' }), aResult({ index: 1, url: 'https://new/1' })],
    });
    assert.deepEqual(result.ok && result.task.results.map(({ url }) => url), [
      'https://old/0',
      'https://new/1',
    ]);
  });

  it('loses no picture that the service lists no more when it is asked for fresh URLs', () => {
    const [first, second] = [aResult({ url: 'https://old/0' }), aResult({ index: 1, url: 'https://old/1' })];
    const before = aTask({ status: 'queued', results: [first, second] });
    // Which of them it is, nobody knows.
    const result = advance(before, { type: 'finished', at, results: [aResult({ url: 'https://old/1' })] });
    assert.deepEqual(result.ok && result.task.results, [first, second]);
  });

  it('fetches what it fetched before of too many pictures, and no more, when there are fresh URLs', () => {
    const finished = advance(aTask({ status: 'queued' }), { type: 'finished', at, results: listed('old') });
    assert.ok(finished.ok);
    const surplus = finished.task.results.map((result) => result.surplus ?? false);
    assert.deepEqual(surplus.slice(15), [false, true, true]);
    // The user wants one of them.
    const chosen = finished.task.results.map((each) =>
      each.index === 16 ? aResult({ index: 16, url: 'https://old/16' }) : each,
    );
    const again = advance(
      { ...finished.task, status: 'queued', results: chosen },
      { type: 'finished', at, results: listed('new') },
    );
    assert.deepEqual(again.ok && again.task.results.slice(15).map(({ state, url }) => [state, url]), [
      ['remote', 'https://new/15'],
      ['remote', 'https://new/16'],
      ['failed', 'https://new/17'],
    ]);
  });

  it('is completed when one of two pictures is saved, failed when none is, expired when all are gone', () => {
    const saved = aResult({ index: 0, state: 'saved' });
    const broken = aResult({ index: 1, state: 'failed', error: anError({ code: 'save_failed' }) });
    const gone = aResult({ index: 2, state: 'failed', error: anError({ code: 'result_expired' }) });
    assert.equal(settledAs(saved, broken), 'completed');
    assert.equal(settledAs(gone, aResult({ index: 3, state: 'staged' })), 'completed');
    assert.equal(settledAs(gone, broken), 'failed');
    assert.equal(settledAs(gone), 'expired');
    assert.equal(settledAs(), 'failed');
  });

  it('keeps pictures that came whole before a synchronous call was stopped', () => {
    const before = aTask({ status: 'in_progress', results: [aResult({ state: 'staged' })] });
    const result = advance(before, { type: 'stop', at });
    assert.deepEqual(result.ok && [result.task.status, result.task.error?.code], ['saving', 'stopped']);
  });

  it('says that a stopped task may be billed once it was sent, and not before', () => {
    assert.equal(billingWhenStopped('waiting'), 'no');
    assert.equal(billingWhenStopped('queued'), 'maybe');
  });

  it('marks one picture and takes the mark off again', () => {
    const before = aTask({ status: 'completed', results: [aResult({ index: 0 }), aResult({ index: 1 })] });
    const marked = advance(before, { type: 'starred', index: 1, starred: true });
    assert.ok(marked.ok);
    assert.deepEqual(marked.task.results, [aResult({ index: 0 }), aResult({ index: 1, starred: true })]);
    const again = advance(marked.task, { type: 'starred', index: 1, starred: true });
    assert.equal(again.ok && again.task, marked.task);
    const plain = advance(marked.task, { type: 'starred', index: 1, starred: false });
    assert.deepEqual(plain.ok && plain.task, before);
    assert.equal(advance(before, { type: 'starred', index: 2, starred: true }).ok, false);
  });

  it('remembers where a discarded picture is kept until it is a file again, perhaps under another name', () => {
    const fox = aResult({ state: 'saved', uri: 'file:///fox.png' });
    const before = aTask({ status: 'completed', results: [fox] });
    const discarded = advance(before, { type: 'discarded', index: 0, path: '/kept.png', at: 1 });
    assert.ok(discarded.ok);
    assert.deepEqual(discarded.task.results, [{ ...fox, discarded: { path: '/kept.png', at: 1 } }]);
    const again = advance(discarded.task, { type: 'discarded', index: 0, path: '/other.png', at: 2 });
    assert.equal(again.ok, false, 'another window was faster');
    const recovered = advance(discarded.task, { type: 'recovered', index: 0, uri: 'file:///fox-2.png' });
    assert.deepEqual(recovered.ok && recovered.task.results, [{ ...fox, uri: 'file:///fox-2.png' }]);
    assert.equal(advance(before, { type: 'discarded', index: 1, path: '/kept.png', at: 1 }).ok, false);
  });

  it('lets one window put a picture in its place in a document, another one only if that is gone', () => {
    const before = aTask({ status: 'completed', results: [aResult({ state: 'saved' })] });
    const begun = advance(before, { type: 'placing', index: 0, at });
    assert.ok(begun.ok);
    assert.equal(advance(begun.task, { type: 'placing', index: 0, at: at + 1000 }).ok, false);
    assert.equal(advance(begun.task, { type: 'placing', index: 0, at: at + 60_000 }).ok, true);
    const done = advance(begun.task, { type: 'placed', index: 0 });
    assert.ok(done.ok);
    assert.equal(advance(done.task, { type: 'placing', index: 0, at: at + 60_000 }).ok, false);
    const staged = aTask({ status: 'saving', results: [aResult({ state: 'staged' })] });
    assert.equal(advance(staged, { type: 'placing', index: 0, at }).ok, false);
  });

  it('records what a picture replaced until that is back', () => {
    const replaced = { path: '/kept.png', sha256: 'a', at };
    const before = aTask({ status: 'completed', results: [aResult({ index: 0 }), aResult({ index: 1 })] });
    const after = advance(before, { type: 'originalReplaced', index: 1, replaced });
    assert.ok(after.ok);
    assert.deepEqual(after.task.results[1], aResult({ index: 1, replacedOriginal: replaced }));
    const back = advance(after.task, { type: 'originalReplaced', index: 1 });
    assert.deepEqual(back.ok && back.task, before);
    assert.equal(advance(before, { type: 'originalReplaced', index: 2, replaced }).ok, false);
  });

  it('keeps what a person did with a picture that goes on being saved', () => {
    const done = {
      starred: true,
      discarded: { path: '/kept.png', at },
      replacedOriginal: { path: '/kept.png', sha256: 'a', at },
    } as const;
    const before = aTask({ status: 'saving', results: [aResult({ state: 'staged', ...done })] });
    const result = advance(before, { type: 'resultChanged', result: aResult({ state: 'saved' }) });
    assert.deepEqual(result.ok && result.task.results, [aResult({ state: 'saved', ...done })]);
  });

  it('saves the chosen pictures again, and leaves the others as they are by then', () => {
    const error = anError({ code: 'save_failed' });
    const saved = aResult({ index: 0, state: 'saved', discarded: { path: '/kept.png', at } });
    const waiting = aResult({ index: 1, state: 'staged', stagedPath: '/1.png' });
    const failed = aResult({ index: 2, state: 'failed', error });
    const results = [saved, waiting, failed, { ...failed, index: 3 }];
    const again = advance(aTask({ status: 'completed', results }), { type: 'saveAgain', indexes: [0, 1, 3] });
    assert.deepEqual(again.ok && again.task.results, [saved, waiting, failed, aResult({ index: 3 })]);
  });

  it('saves again what is here without fetching it, and fetches what is not or came as something else', () => {
    const lost: TaskResult = { index: 4, state: 'failed', error: anError({ code: 'save_failed' }) };
    const results = [
      aFailure(0, 'save_failed', { stagedPath: '/0.png' }),
      aFailure(1, 'result_expired', {}),
      aFailure(2, 'unsupported_image', { stagedPath: '/2.svg' }),
      aFailure(3, 'result_too_large', { surplus: true }),
      lost,
    ];
    const again = advance(aTask({ status: 'completed', results }), {
      type: 'saveAgain',
      indexes: [0, 1, 2, 3, 4],
    });
    assert.deepEqual(again.ok && again.task.results, [
      aResult({ index: 0, state: 'staged', stagedPath: '/0.png' }),
      aResult({ index: 1 }),
      aResult({ index: 2, stagedPath: '/2.svg' }),
      aResult({ index: 3 }),
      lost,
    ]);
  });

  it('takes an answer with more pictures than fit on a stack, in a moment', () => {
    const many = Array.from({ length: 200_000 }, (_, index) => aResult({ index }));
    const start = process.cpuUsage();
    const answered = advance(aTask({ status: 'submitting' }), { type: 'answered', at, results: many });
    assert.equal(answered.ok && answered.task.results.length, many.length);
    const finished = advance(aTask({ status: 'queued', results: many }), {
      type: 'finished',
      at,
      results: many,
    });
    assert.equal(finished.ok && finished.task.results.length, many.length);
    const images = many.map(() => ({ kind: 'url' as const, url: 'https://results.example/0.png' }));
    assert.equal(resultsFromAnswer(images, () => undefined).length, many.length);
    // Of this process alone, in microseconds, whatever else the machine does.
    const { user, system } = process.cpuUsage(start);
    assert.ok(user + system < 5_000_000);
  });

  it('adds only what is new of an answer that was given up and partly saved', () => {
    const first = aResult({ index: 0, state: 'saved' });
    const before = aTask({ status: 'completed', results: [first] });
    const both = [aResult({ index: 0, state: 'staged' }), aResult({ index: 1, state: 'staged' })];
    const result = advance(before, { type: 'answered', at, results: both });
    assert.deepEqual(result.ok && result.task.results, [first, both[1]]);
    assert.equal(advance(before, { type: 'answered', at, results: both.slice(0, 1) }).ok, false);
  });
});

function aFailure(index: number, code: ErrorCode, more: Partial<TaskResult>): TaskResult {
  return aResult({ index, state: 'failed', error: anError({ code }), ...more });
}
