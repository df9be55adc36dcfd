import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatProgress } from '../../../../src/cli/output/taskFormat.ts';
import { aRequest, anError, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import type { Task } from '../../../../src/engine/task/task.ts';

const now = 1_700_000_000_000;
const unresolved = "Couldn't resolve the host name results.example (EAI_AGAIN).";

/** What the progress line says of tasks, in the order in which a task comes to it. */
const lines: [string, Partial<Task>][] = [
  ['not sent', { held: true, retryAt: now + 1000 }],
  ['service is busy, next try in 7 s', { retryAt: now + 6001, error: anError({ code: 'queue_full' }) }],
  ['service is busy, next try in 0 s', { retryAt: now - 1, error: anError({ code: 'rate_limited' }) }],
  ['sending', { status: 'submitting' }],
  ['queued', { status: 'queued' }],
  ['in the queue, 5%', { status: 'queued', remoteStatus: 'in_the_queue', progress: 5 }],
  ['in progress', { status: 'in_progress' }],
  ['in progress, 0%', { status: 'in_progress', progress: 0 }],
  ['being painted now, 43%', { status: 'in_progress', remoteStatus: 'being_painted_now', progress: 43 }],
  ['no response from the service, next try in 1 s', { status: 'queued', retryAt: now + 1, error: anError() }],
  [
    'no response from the service, next try in 1 s',
    { status: 'queued', retryAt: now + 1, error: anError({ code: 'timeout' }) },
  ],
  [
    'unknown to the service, next try in 1 s',
    { status: 'queued', retryAt: now + 1, error: anError({ code: 'task_not_found' }) },
  ],
  [
    'completed without an image, next try in 1 s',
    { status: 'in_progress', retryAt: now + 1, error: anError({ code: 'empty_result' }) },
  ],
  [
    'service error, next try in 1 s',
    { status: 'queued', retryAt: now + 1, error: anError({ code: 'task_query_failed' }) },
  ],
  ['waiting for an API key', { status: 'needs_key' }],
  ['saving', { status: 'saving', results: [aResult()] }],
  [
    'saving, 2 of 3',
    {
      status: 'saving',
      request: aRequest({ n: 3 }),
      results: [aResult({ state: 'saved' }), aResult({ index: 1, state: 'saved' }), aResult({ index: 2 })],
    },
  ],
  [
    'saving, 0 of 2',
    { status: 'saving', request: aRequest({ n: 2 }), results: [aResult(), aResult({ index: 1 })] },
  ],
  [
    'no response from the service, next try in 1 s',
    {
      status: 'in_progress',
      retryAt: now + 1,
      error: anError(),
      results: [aResult({ error: anError({ message: unresolved }) })],
    },
  ],
  [
    "image not available yet: Couldn't resolve the host name results.example (EAI_AGAIN), next try in 1 s",
    {
      status: 'saving',
      retryAt: now + 1,
      results: [
        aResult({ state: 'saved', error: anError() }),
        aResult({ index: 1 }),
        aResult({ index: 2, error: anError({ message: unresolved }) }),
        aResult({ index: 3, error: anError({ message: 'Another reason.' }) }),
      ],
    },
  ],
];

for (const [line, changes] of lines) {
  it(`The progress of a task reads: ${line}`, () => {
    assert.equal(formatProgress(aTask(changes), now), line);
  });
}
