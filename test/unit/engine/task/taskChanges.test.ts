import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Task, TaskResult } from '../../../../src/engine/task/task.ts';
import type { TaskEvent } from '../../../../src/engine/task/taskEvent.ts';
import { advance } from '../../../../src/engine/task/taskMachine.ts';
import { aRequest, anError, aResult, aTask } from '../../../support/engine/taskBuilders.ts';

const at = 1_700_000_100_000;
const error = anError({ message: 'What happens now.' });
/** What a task has while it waits for another try after some trouble. */
const waiting = {
  retryAt: at + 5000,
  troubleSince: at - 9000,
  error: anError({ code: 'queue_full' }),
} as const;
const ended = { finishedAt: at - 1000, completedAt: at - 2000, submittedAt: at - 3000 } as const;

/** Returns what an event changes of a task: what is new, or gone. Undefined where the task takes no such event. */
function changesOf(task: Partial<Task>, event: TaskEvent): Record<string, unknown> | undefined {
  const before = aTask(task);
  const advanced = advance(before, event);
  if (!advanced.ok) {
    return undefined;
  }
  const [old, next] = [before, advanced.task].map((one) => new Map<string, unknown>(Object.entries(one)));
  const names = new Set([...(old?.keys() ?? []), ...(next?.keys() ?? [])]);
  return Object.fromEntries(
    [...names]
      .filter((name) => !isDeepStrictEqual(next?.get(name), old?.get(name)))
      .map((name) => [name, next?.get(name)]),
  );
}

const remote = aResult({ url: 'https://a' });
const saved = aResult({ index: 1, state: 'saved' });
const staged = aResult({ index: 2, state: 'staged', stagedPath: '/w/2.image' });

const changes: [what: string, task: Partial<Task>, event: TaskEvent][] = [
  ['is sent, by which key, and forgets why it waited', waiting, { type: 'submit', keyFingerprint: 'f' }],
  ['waits for a person, at no time of its own', waiting, { type: 'hold' }],
  ['is sent by a person, who knows why it waited', { ...waiting, held: true }, { type: 'release', at }],
  [
    'waits for a busy service, and says so',
    { status: 'submitting' },
    { type: 'busy', at, retryAt: at + 1, error },
  ],
  [
    'is accepted, with an ID',
    { status: 'submitting' },
    { type: 'accepted', at, remoteId: 'r1', remote: { status: 'queued' } },
  ],
  [
    'is accepted after all, with progress, in words of the service',
    { status: 'unknown', error, finishedAt: at },
    { type: 'accepted', at, remoteId: 'r1', remote: { status: 'painting', progress: 7 } },
  ],
  [
    'stays stopped when it is accepted, and says why',
    { status: 'stopped', error, finishedAt: at - 1 },
    { type: 'accepted', at, remoteId: 'r1', remote: { status: 'queued' } },
  ],
  ['is answered', { status: 'unknown', error, finishedAt: at - 1 }, { type: 'answering', at }],
  ['goes on being answered', { status: 'in_progress', error, finishedAt: at }, { type: 'answering', at }],
  [
    'has one more image',
    { status: 'in_progress', results: [staged, remote] },
    { type: 'arrived', result: saved },
  ],
  [
    'lives again when an image arrives that nobody expected any more',
    { status: 'unknown', error, finishedAt: at },
    { type: 'arrived', result: staged },
  ],
  [
    'saves what arrives after it was stopped, and says that it was',
    { status: 'stopped', error, finishedAt: at },
    { type: 'arrived', result: staged },
  ],
  [
    'saves what arrives after it was completed',
    { status: 'completed', error, finishedAt: at, results: [saved] },
    { type: 'arrived', result: staged },
  ],
  [
    'knows an image that it has already',
    { status: 'saving', results: [saved, staged] },
    { type: 'arrived', result: staged },
  ],
  [
    'has its answer',
    { status: 'submitting', error, finishedAt: at },
    { type: 'answered', at, results: [staged], remark: 'Here.', usage: { totalTokenCount: 5 } },
  ],
  [
    'has a part of its answer, and says what is missing',
    { status: 'in_progress', ...ended },
    { type: 'answered', at, results: [remote], incomplete: error },
  ],
  ['was stopped before an empty answer', { status: 'stopped' }, { type: 'answered', at, results: [] }],
  [
    'was stopped before its answer',
    { status: 'stopped', ...ended },
    { type: 'answered', at, results: [staged] },
  ],
  [
    'is further along',
    { ...waiting, status: 'queued', remoteStatus: 'queued' },
    { type: 'reported', remote: { status: 'in_progress', progress: 3 } },
  ],
  [
    'is reached again, and nothing else is new',
    { retryAt: at, status: 'queued', remoteStatus: 'queued' },
    { type: 'reported', remote: { status: 'queued' } },
  ],
  [
    'has no trouble any more, and nothing else is new',
    { error, status: 'queued', remoteStatus: 'queued', progress: 5 },
    { type: 'reported', remote: { status: 'queued' } },
  ],
  [
    'is called by another word, and nothing else is new',
    { status: 'in_progress', remoteStatus: 'drawing' },
    { type: 'reported', remote: { status: 'painting' } },
  ],
  [
    'has progress of 0, which is none',
    { status: 'in_progress', remoteStatus: 'painting' },
    { type: 'reported', remote: { status: 'painting', progress: 0 } },
  ],
  [
    'is reached while its images are not',
    { ...waiting, status: 'queued', results: [remote] },
    { type: 'reported', remote: { status: 'queued' } },
  ],
  ['is out of reach', { status: 'queued' }, { type: 'unreachable', at, retryAt: at + 1, error }],
  [
    'is still out of reach, since that began',
    { ...waiting, status: 'in_progress' },
    { type: 'unreachable', at, retryAt: at + 1, error },
  ],
  [
    'cannot fetch images, and says so of them',
    { status: 'saving', error: waiting.error, results: [remote, saved] },
    { type: 'unreachable', at, retryAt: at + 1, error, results: [{ ...remote, error }] },
  ],
  ['waits for a key', { ...waiting, status: 'in_progress' }, { type: 'keyRefused', error }],
  [
    'has a file again only of what was saved',
    { status: 'saving', results: [staged] },
    { type: 'recovered', index: 2, uri: 'file:///w/2.png' },
  ],
  ['is due already', { status: 'queued', retryAt: at - 1 }, { type: 'tryNow', at }],
  [
    'has a file to discard only once it is saved',
    { status: 'saving', results: [staged] },
    { type: 'discarded', index: 2, path: '/w/kept', at },
  ],
  ['has a key', { status: 'needs_key', error }, { type: 'keyChanged' }],
  [
    'is completed',
    { ...waiting, status: 'in_progress', remoteStatus: 'in_progress', progress: 7 },
    { type: 'finished', at, results: [remote] },
  ],
  [
    'is completed again, with some images missing',
    { ...ended, status: 'queued', remoteStatus: 'completed', progress: 100 },
    { type: 'finished', at, results: [], incomplete: error },
  ],
  [
    'has fetched an image',
    { ...waiting, status: 'saving', results: [remote, saved] },
    { type: 'fetched', result: { ...staged, index: 0 } },
  ],
  [
    'asks for new addresses at once, and remembers its trouble',
    { ...waiting, status: 'saving', remoteId: 'r1', results: [remote] },
    { type: 'urlsExpired' },
  ],
  [
    'has failed, and is no longer under way',
    { ...waiting, status: 'waiting', held: true },
    { type: 'failed', at, error },
  ],
  ['is lost', { ...waiting, status: 'submitting' }, { type: 'lost', at, error }],
  ['is stopped before it was sent', { ...waiting, held: true }, { type: 'stop', at }],
  ['is stopped, with the words of who stopped it', { status: 'in_progress' }, { type: 'stop', at, error }],
  ['is stopped at the service', { status: 'in_progress' }, { type: 'stop', at }],
  [
    'is given up while its host does not send the image',
    { ...waiting, status: 'saving', remoteId: 'r1', results: [remote] },
    { type: 'giveUp', at },
  ],
  [
    'is given up while another image is being saved',
    { ...waiting, status: 'saving', results: [staged, { ...remote, index: 1 }] },
    { type: 'giveUp', at },
  ],
  ['is tried now', { ...waiting, status: 'queued' }, { type: 'tryNow', at }],
  ['is being tried now', { status: 'queued', retryAt: at }, { type: 'tryNow', at }],
  ['waits for nothing', { status: 'queued' }, { type: 'tryNow', at }],
  [
    'is resumed as if nothing had been',
    { ...waiting, ...ended, status: 'expired', remoteId: 'r1' },
    { type: 'resume' },
  ],
  [
    'is saved elsewhere',
    { status: 'completed', ...ended, error, results: [{ ...staged, state: 'failed', error }] },
    { type: 'saveAgain', indexes: [2], target: { folder: 'file:///n', root: 'file:///n', fileName: 'x' } },
  ],
  ['has nothing to be saved', { status: 'completed', results: [saved] }, { type: 'saveAgain', indexes: [1] }],
  [
    'has saved some of its images',
    { ...waiting, status: 'saving', results: [saved, { ...remote, error }] },
    { type: 'settled', at },
  ],
  [
    'has saved none of its images, for more than one reason',
    {
      ...waiting,
      status: 'saving',
      results: [
        { ...remote, state: 'failed', error: anError({ code: 'result_expired' }) },
        { ...remote, index: 1, state: 'failed', error },
      ],
    },
    { type: 'settled', at },
  ],
  ['has no image at all, for the reason that it knows', { status: 'saving', error }, { type: 'settled', at }],
  ['has no image at all, and nobody says why', { status: 'saving' }, { type: 'settled', at }],
  [
    'has images that are gone at the service',
    {
      status: 'saving',
      results: [{ ...remote, state: 'failed', error: anError({ code: 'result_expired', message: 'Gone.' }) }],
    },
    { type: 'settled', at },
  ],
];

describe('a task', () => {
  it('changes with each event as the golden file says', (t: TestContext) => {
    const text = changes.map(([what, task, event]) => {
      const facts = Object.entries(changesOf(task, event) ?? { refused: true });
      const lines = facts.map(([name, value]) => `${name}: ${JSON.stringify(value) ?? '(gone)'}`);
      return [`## ${what} ("${event.type}")`, ...lines].join('\n');
    });
    t.assert.fileSnapshot(
      text.join('\n\n'),
      join(dirname(import.meta.filename), 'golden', 'taskChanges.txt'),
      {
        serializers: [String],
      },
    );
  });

  it('says of images beyond what may be fetched by itself how many there are', () => {
    for (const [n, most] of [
      [1, 16],
      [8, 16],
      [9, 18],
    ] as const) {
      const advanced = advance(aTask({ status: 'queued', request: aRequest({ n }) }), {
        type: 'finished',
        at,
        results: Array.from({ length: 20 }, (_, index) => aResult({ index, url: `https://a/${index}` })),
      });
      assert.ok(advanced.ok);
      const surplus = advanced.task.results.filter((result) => result.surplus);
      assert.deepEqual(
        surplus.map(({ index, state }) => [index, state]),
        Array.from({ length: 20 - most }, (_, index) => [most + index, 'failed']),
      );
      assert.deepEqual(surplus[0]?.error, {
        code: 'result_refused',
        message: `The service lists 20 images instead of ${n}. Those after the first ${most} are fetched only if you choose to.`,
        phase: 'download',
      });
    }
  });

  it('tries an image again where it was when the list of its addresses has become shorter', () => {
    const known: TaskResult[] = [
      { ...remote, state: 'failed', error },
      { ...saved, starred: true, placing: 5 },
      { ...remote, index: 2, state: 'failed', surplus: true },
    ];
    const { url: _, ...homeless } = aResult({ index: 3 });
    const fresh = [aResult({ index: 0, url: 'https://b' }), aResult({ index: 3, url: 'https://d' })];
    assert.deepEqual(
      changesOf(
        { status: 'queued', remoteStatus: 'completed', progress: 100, results: [...known, homeless] },
        { type: 'finished', at, results: fresh },
      ),
      {
        status: 'saving',
        completedAt: at,
        results: [{ ...remote, state: 'remote', error }, known[1], known[2], fresh[1]],
      },
    );
  });
});
