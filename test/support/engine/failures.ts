import assert from 'node:assert/strict';
import { type ErrorCode, type ErrorRecord, LimnerError } from '../../../src/common/limnerError.ts';
import { inPhase, timeoutError, transportError } from '../../../src/service/http/transportErrors.ts';
import { errorOfHttpStatus } from '../../../src/service/http/httpStatusErrors.ts';
import { errorOfWords } from '../../../src/service/http/serviceWords.ts';
import { asSaveError, saveFailed } from '../../../src/common/fileErrors.ts';
import { overBudget } from '../../../src/engine/task/budget.ts';
import type { Task, TaskResult } from '../../../src/engine/task/task.ts';
import type { TaskEvent } from '../../../src/engine/task/taskEvent.ts';
import { advance } from '../../../src/engine/task/taskMachine.ts';
import { aRequest, aResult, aTask } from './taskBuilders.ts';

/** Something that went wrong, with the task that it befell, if there was one by then. */
export interface Failure {
  name: string;
  error: ErrorRecord;
  task?: Task;
}

const at = 1_700_000_100_000;
const apiKey = 'sk-test';
const service = new URL('https://images.example/v1/images/generations');
const imageHost = new URL('https://results.example/0.png');
const inbox = '/home/limner/inbox';

function after(task: Task, ...events: readonly TaskEvent[]): Task {
  return events.reduce((before, event) => {
    const advanced = advance(before, event);
    assert.ok(advanced.ok, `${event.type} of a task that is ${before.status}`);
    return advanced.task;
  }, task);
}

const submitting = after(aTask({ origin: service.origin }), { type: 'submit', keyFingerprint: 'a' });
const accepted = after(submitting, {
  type: 'accepted',
  at,
  remoteId: 'task_1',
  remote: { status: 'queued' },
});
const ofFour = { ...submitting, request: aRequest({ n: 4 }) };

/** What an answer says that is no success. */
function refusal(status: number, body: unknown, phase: 'submit' | 'poll' = 'submit'): ErrorRecord {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return errorOfHttpStatus({ statusCode: status, headers: {} }, text, {
    phase,
    isAsync: true,
    apiKey,
    now: at,
  }).toRecord();
}

const words = (message: string, code = 'some_code'): unknown => ({ error: { message, type: code, code } });

/** What breaks at the network, by the code that Node gives it. */
const broken = (code: string, sent: boolean, url = service): LimnerError =>
  transportError(Object.assign(new Error(code), { code }), url, sent);
const closed = new LimnerError('network', 'The connection was closed before the response was complete.', {
  sent: true,
});
const stalled = timeoutError('body', 900_000, undefined, true);
const disk = asSaveError(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }));

const submitted = (error: LimnerError, billing: 'maybe' | 'yes' = 'maybe'): ErrorRecord => ({
  ...inPhase(error, 'submit', billing).toRecord(),
  phase: 'submit',
});
const polled = (error: LimnerError): ErrorRecord => ({
  ...inPhase(error, 'poll', 'maybe').toRecord(),
  phase: 'poll',
});
const downloaded = (error: LimnerError): ErrorRecord => inPhase(error, 'download', 'yes').toRecord();

/** It failed, before or while it was sent. */
function failed(name: string, error: ErrorRecord): Failure {
  return { name: `failed: ${name}`, error, task: after(submitting, { type: 'failed', at, error }) };
}

/** What the service says of an accepted task ends it. */
function failedThere(name: string, error: ErrorRecord): Failure {
  return { name: `failed there: ${name}`, error, task: after(accepted, { type: 'failed', at, error }) };
}

function lost(name: string, error: ErrorRecord): Failure {
  return { name: `unknown: ${name}`, error, task: after(submitting, { type: 'lost', at, error }) };
}

/** It is sent again by itself. */
function busy(name: string, error: ErrorRecord): Failure {
  const retryAt = at + 12_000;
  return { name: `waiting: ${name}`, error, task: after(submitting, { type: 'busy', at, retryAt, error }) };
}

/** It is asked for again by itself. */
function pollFailure(name: string, error: ErrorRecord): Failure {
  const retryAt = at + 12_000;
  return {
    name: `trouble: ${name}`,
    error,
    task: after(accepted, { type: 'unreachable', at, retryAt, error }),
  };
}

/** After 24 hours of it. */
function stoppedBy(name: string, error: ErrorRecord): Failure {
  return { name: `stopped by: ${name}`, error, task: after(accepted, { type: 'stop', at, error }) };
}

function needsKey(name: string, error: ErrorRecord): Failure {
  return { name: `needs key: ${name}`, error, task: after(accepted, { type: 'keyRefused', error }) };
}

/** The service completed it, and this became of its pictures. */
function settled(name: string, error: ErrorRecord, ...results: readonly TaskResult[]): Failure {
  const remote = results.map(({ index, url }) => aResult({ index, ...(url !== undefined && { url }) }));
  const saving = after(
    { ...accepted, request: aRequest({ n: results.length }) },
    { type: 'finished', at, results: remote },
    ...results.map((result) => ({ type: 'resultChanged' as const, result })),
    { type: 'settled', at },
  );
  return { name: `${saving.status}: ${name}`, error, task: saving };
}

/** It is fetched again by itself. */
function unfetchedYet(error: ErrorRecord): Failure {
  const result = aResult({ error });
  const saving = after(accepted, { type: 'finished', at, results: [aResult()] });
  const retryAt = at + 12_000;
  return {
    name: `saving: ${error.message}`,
    error,
    task: after(saving, { type: 'unreachable', at, retryAt, error, results: [result] }),
  };
}

/** One picture of its answer came whole, and the rest did not. */
function cutOff(name: string, error: ErrorRecord): Failure {
  const saved = aSaved(0);
  return {
    name: `completed in part: ${name}`,
    error,
    task: after(
      ofFour,
      { type: 'answered', at, results: [{ ...saved, state: 'staged' }], incomplete: error },
      { type: 'resultChanged', result: saved },
      { type: 'settled', at },
    ),
  };
}

function aSaved(index: number): TaskResult {
  return { index, state: 'saved', uri: `file:///w/images/${index}.png`, mediaType: 'image/png' };
}

const unfetched = (error: ErrorRecord, index = 0): TaskResult =>
  aResult({ index, state: 'failed', error, url: `https://results.example/${index}.png` });
const here = (error: ErrorRecord, file: string): TaskResult => ({
  ...unfetched(error),
  stagedPath: `${inbox}/${file}`,
});

/** Nothing of it left this machine. */
const unsent = { phase: 'submit', billing: 'no', sent: false } as const;

const noKey = 'No API key is set for https://images.example.';
const notFound = refusal(404, words('Task not found', 'task_not_found'), 'poll');
const gateway = refusal(502, '<title>Bad Gateway</title>');

const remotely = (message: string, billing: 'refunded' | 'maybe'): ErrorRecord =>
  errorOfWords({ message }, 'poll', billing, apiKey).toRecord();
/** An error in a successful answer. */
const answeredBy = (message: string): ErrorRecord =>
  errorOfWords({ message }, 'submit', 'maybe', apiKey).toRecord();

const downloading = (code: ErrorCode, message: string, options: Partial<ErrorRecord> = {}): ErrorRecord =>
  downloaded(new LimnerError(code, message, options));
const refused = (why: string, refusedHost?: string): ErrorRecord =>
  downloading('result_refused', `Didn't fetch the image from ${refusedHost ?? 'results.example'}: ${why}.`, {
    sent: false,
    ...(refusedHost !== undefined && { refusedHost }),
  });
const notThere = downloading(
  'result_expired',
  "The image's host doesn't have it (HTTP 404); the service keeps images for 6 hours.",
  {
    status: 404,
    sent: true,
  },
);
const tooLarge = downloading('result_too_large', 'The image is larger than 20 MB.');
const wrongData = new LimnerError('protocol', "An image in the response isn't valid base64.", {
  phase: 'submit',
  billing: 'yes',
  sent: true,
}).toRecord();
const unreachable = {
  ...saveFailed("The folder /w/images isn't available.").toRecord(),
};
const noImage: ErrorRecord = {
  ...saveFailed('').toRecord(),
  code: 'unsupported_image',
  message: "The received data isn't a PNG, JPEG, or WebP image.",
};
const closedMeanwhile: ErrorRecord = {
  code: 'outcome_unknown',
  message: 'Limner was closed before the service responded; the request may have reached the service.',
  phase: 'submit',
  billing: 'maybe',
};
const silence: ErrorRecord = {
  code: 'timeout',
  message: 'The service has reported nothing new about the task for 24 hours.',
  phase: 'poll',
  billing: 'maybe',
};

/** The user stops it. */
function stopped(name: string, task: Task): Failure {
  const ended = after(task, { type: 'stop', at });
  assert.ok(ended.error);
  return { name: `stopped: ${name}`, error: ended.error, task: ended };
}

const signedUrl = `https://results.example/1.png?signature=${'0123456789'.repeat(50)}`;

/** Every way in which something goes wrong, by its code: which phases, bills and states each one comes in. */
export const failures: Readonly<Record<ErrorCode, readonly Failure[]>> = {
  over_budget: [
    {
      name: 'no task: a run that two windows start at once',
      error: overBudget({
        period: 'day',
        limit: { amount: 2, unit: 'USD' },
        run: 0.2,
        spent: 1.9,
        mostSpent: 1.9,
      }).toRecord(),
    },
  ],
  no_service: [
    {
      name: 'no task: no address',
      error: { code: 'no_service', message: 'No service URL is set.', billing: 'no' },
    },
    {
      name: 'no task: an address that is none',
      error: {
        code: 'no_service',
        message: "The service URL can't be used: it must start with https:// or http://.",
        billing: 'no',
      },
    },
  ],
  no_key: [
    {
      name: 'no task: a key that is none',
      error: {
        code: 'no_key',
        message: "The API key contains characters that aren't allowed.",
        billing: 'no',
      },
    },
    failed('the key is gone', { ...unsent, code: 'no_key', message: noKey }),
    needsKey('the key is gone', { code: 'no_key', message: noKey, phase: 'poll' }),
  ],
  unauthorized: [
    failed('401', refusal(401, words('Incorrect API key provided.'))),
    failed('401 of a page', refusal(401, '')),
    pollFailure('401 once', refusal(401, words('Incorrect API key provided.'), 'poll')),
    needsKey('401', refusal(401, words('Incorrect API key provided.'), 'poll')),
    failedThere('a key of its own', remotely('invalid token', 'refunded')),
    failedThere('a key of its own, cancelled', remotely('invalid token', 'maybe')),
  ],
  invalid_request: [
    failed('400', refusal(400, words('size must be 1024x1024'))),
    failed('413 without words', refusal(413, '')),
    failed('an input has changed', {
      ...unsent,
      code: 'invalid_request',
      message: 'The file in.png was changed or removed after it was chosen.',
    }),
    {
      name: 'no task: a value',
      error: { ...unsent, code: 'invalid_request', message: 'The prompt is empty.' },
    },
    pollFailure('400', refusal(400, words('bad id'), 'poll')),
    stoppedBy('400', refusal(400, words('bad id'), 'poll')),
  ],
  no_async_channel: [failed('503', refusal(503, words('No available channel for model x')))],
  queue_full: [
    busy('503', refusal(503, words('Come back later.'))),
    failed('503', refusal(503, words('Come back later.'))),
  ],
  rate_limited: [
    busy('429', refusal(429, words('Slow down'))),
    failed('429', refusal(429, '')),
    pollFailure('429', refusal(429, words('Slow down'), 'poll')),
    stoppedBy('429', refusal(429, words('Slow down'), 'poll')),
    cutOff('429 of the others', {
      ...refusal(429, words('Slow down')),
      message: '3 of 4 calls returned no image. The service reports too many requests (HTTP 429): Slow down.',
    }),
    ...[
      downloading('rate_limited', "The image's host reports too many requests (HTTP 429).", { status: 429 }),
    ].map((error) => settled('429 of the image', error, unfetched(error))),
  ],
  quota_exceeded: [
    failed('402', refusal(402, words('insufficient balance', 'insufficient_balance'))),
    failedThere('the quota', remotely('insufficient quota', 'refunded')),
  ],
  content_rejected: [
    failed('400', refusal(400, words('Blocked by the content policy', 'content_policy_violation'))),
    failedThere('its content', remotely('content policy violation', 'refunded')),
    failed('a model that declines', {
      code: 'content_rejected',
      message: 'The model declined to create this image (SAFETY).',
      service: { message: 'I cannot draw that', code: 'SAFETY' },
      phase: 'submit',
      billing: 'maybe',
      sent: true,
    }),
  ],
  task_not_found: [
    needsKey('404 to another key', notFound),
    pollFailure('404', notFound),
    failedThere('404', notFound),
  ],
  task_query_failed: [
    pollFailure('500', refusal(500, words('lookup failed', 'task_query_failed'), 'poll')),
    stoppedBy('a page of a gateway', refusal(502, '<title>Bad Gateway</title>', 'poll')),
  ],
  image_generation_failed: [
    failedThere('it failed', remotely('Too many shells', 'refunded')),
    failedThere('it was cancelled', remotely('cancelled', 'maybe')),
    failed('500 in words', refusal(500, words('model crashed'))),
    failed('an error in a successful answer', answeredBy('overloaded')),
  ],
  result_expired: [
    settled('404 of the image after 6 hours', notThere, unfetched(notThere)),
    ...[{ ...notFound, code: 'result_expired', billing: 'yes' } satisfies ErrorRecord].map((error) =>
      settled('the task is gone', error, unfetched(error)),
    ),
  ],
  result_refused: [
    ...[refused('its address is on a private network', '10.0.0.7:8080')].flatMap((error) => [
      settled('a private address', error, unfetched(error)),
      settled('a private address beside a saved image', error, aSaved(0), unfetched(error, 1)),
    ]),
    ...[refused('it would be sent over http')].map((error) => settled('plain http', error, unfetched(error))),
  ],
  result_too_large: [
    settled('more than 20 MB', tooLarge, unfetched(tooLarge)),
    failed('more than 64 MB in the answer', {
      ...wrongData,
      code: 'result_too_large',
      message: 'An image in the response is larger than 64 MB.',
    }),
    failedThere('more than 64 MB in the task', {
      ...wrongData,
      phase: 'poll',
      code: 'result_too_large',
      message: 'An image in the response is larger than 64 MB.',
    }),
  ],
  unsupported_image: [settled('a page in the inbox', noImage, here(noImage, '1.bin'))],
  empty_result: [
    failed(
      'a synchronous answer',
      submitted(new LimnerError('empty_result', 'The service returned no image.', { sent: true })),
    ),
    failed('a model that talks', {
      ...submitted(
        new LimnerError('empty_result', 'The model returned no image. It said: What colour?', {
          service: { message: 'What colour?' },
          sent: true,
        }),
      ),
    }),
    failedThere('a completed task', {
      code: 'empty_result',
      message: 'The service completed the task without an image.',
      phase: 'poll',
      billing: 'maybe',
      sent: true,
    }),
  ],
  outcome_unknown: [
    lost('502 of a gateway', gateway),
    lost('504 without words', refusal(504, '')),
    lost('202 without an id', {
      code: 'outcome_unknown',
      message: 'The service accepted the request but returned no task ID.',
      phase: 'submit',
      billing: 'maybe',
      status: 202,
      sent: true,
    }),
    lost('Limner was closed', closedMeanwhile),
    cutOff('Limner was closed', {
      ...closedMeanwhile,
      message: 'Limner was closed before the response was complete.',
    }),
  ],
  timeout: [
    busy('no connection', submitted(timeoutError('connect', 30_000, service, false))),
    failed('no connection', submitted(timeoutError('connect', 30_000, service, false))),
    lost('no answer', submitted(timeoutError('headers', 900_000, service, true))),
    lost('the answer stalled', submitted(stalled)),
    cutOff('the answer stalled', submitted(stalled, 'yes')),
    pollFailure('no answer', polled(timeoutError('headers', 30_000, service, true))),
    stoppedBy('no answer', polled(timeoutError('headers', 30_000, service, true))),
    stoppedBy('no news', silence),
    ...[downloaded(timeoutError('headers', 30_000, imageHost, true))].map((error) =>
      settled('no answer', error, unfetched(error)),
    ),
  ],
  network: [
    unfetchedYet({
      ...downloading('network', "The image's host doesn't have it yet (HTTP 404).", {
        status: 404,
        sent: true,
      }),
    }),
    busy('no such host', submitted(broken('ENOTFOUND', false))),
    failed('connection refused', submitted(broken('ECONNREFUSED', false))),
    lost('reset', submitted(broken('ECONNRESET', true))),
    lost('cut off', submitted(closed)),
    cutOff('cut off', submitted(closed, 'yes')),
    pollFailure('no such host', polled(broken('ENOTFOUND', false))),
    pollFailure('reset', polled(broken('ECONNRESET', true))),
    stoppedBy('no such host', polled(broken('ENOTFOUND', false))),
    ...[
      downloading('network', "The image's host couldn't deliver it (HTTP 503).", {
        status: 503,
        sent: true,
      }),
    ].map((error) => settled('503 of the image', error, unfetched(error))),
    ...[downloaded(broken('CERT_HAS_EXPIRED', false, imageHost))].map((error) =>
      settled('a certificate', error, unfetched(error)),
    ),
  ],
  protocol: [
    failed('a redirect', refusal(302, '<title>Found</title>')),
    lost('no JSON', submitted(new LimnerError('protocol', "The response isn't valid JSON.", { sent: true }))),
    failed('data that is none', wrongData),
    failedThere('data that is none', { ...wrongData, phase: 'poll' }),
    pollFailure(
      'a page',
      polled(new LimnerError('protocol', "The response isn't valid JSON.", { sent: true })),
    ),
    ...[downloading('protocol', 'A web page or text was received instead of the image.')].map((error) =>
      settled('a page', error, unfetched(error)),
    ),
    ...[downloading('protocol', 'The image is behind more than 3 redirects.')].map((error) =>
      settled('redirects', error, unfetched(error)),
    ),
    ...[
      downloading('protocol', "The image's host refuses access (HTTP 401).", { status: 401, sent: true }),
    ].flatMap((error) => [
      unfetchedYet(error),
      settled('no key', error, { ...unfetched(error), url: signedUrl }),
    ]),
  ],
  save_failed: [
    {
      name: 'no task: the list is held',
      error: {
        ...unsent,
        code: 'save_failed',
        message: "Couldn't add the task to the task list. Another program is using the file.",
      },
    },
    failed('the disk is full while it answers', { ...disk.toRecord(), phase: 'submit' }),
    settled('the disk is full', disk.toRecord(), here(disk.toRecord(), '1.png')),
    settled('the folder is gone', unreachable, { ...here(unreachable, 'a-fox.png'), state: 'staged' }),
    settled('the disk is full while it is fetched', disk.toRecord(), unfetched(disk.toRecord())),
    ...[
      { code: 'save_failed', message: 'The image data is missing.', phase: 'save', billing: 'yes' } as const,
    ].map((error) => ({
      name: 'failed: the bytes are gone',
      error,
      task: after(
        submitting,
        { type: 'answered', at, results: [{ index: 0, state: 'failed', error }] },
        { type: 'settled', at },
      ),
    })),
  ],
  stopped: [
    stopped('before it was sent', aTask()),
    stopped('a synchronous call', submitting),
    stopped('an accepted task', accepted),
  ],
};
