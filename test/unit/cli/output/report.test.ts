import assert from 'node:assert/strict';
import { dirname, join, resolve } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { report } from '../../../../src/cli/output/report.ts';
import { taskJson } from '../../../../src/cli/output/taskJson.ts';
import type { Task, TaskRequest, TaskResult } from '../../../../src/engine/task/task.ts';
import { Collected } from '../../../support/cli/collected.ts';
import { aRequest, anError, aResult, aTask } from '../../../support/engine/taskBuilders.ts';

const id = 'tk_of_the_fox';
const path = resolve('/w/images/fox 1.png');
const staged = resolve('/w/inbox/0.image');
const url = 'https://results.example/0.png';

function saved(index: number, changes: Partial<TaskResult> = {}): TaskResult {
  return { index, state: 'saved', uri: pathToFileURL(path).href, ...changes };
}

/** An image of two that is not saved; the other one is. */
function withUnsaved(changes: Partial<TaskResult>, task: Partial<Task> = {}): Partial<Task> {
  const { url: _, ...result } = aResult({ index: 1, state: 'failed' });
  return { request: aRequest({ n: 2 }), results: [saved(0), { ...result, ...changes }], ...task };
}

function wanting(request: Partial<TaskRequest>, changes: Partial<TaskResult>): Partial<Task> {
  return { request: aRequest(request), results: [saved(0, changes)] };
}

const unsupported = anError({ code: 'unsupported_image', message: 'It is a GIF.', billing: 'yes' });

/** Tasks that have come to rest, and the exit code of each. */
const reports: [string, Partial<Task>, number][] = [
  ['every image is saved', { request: aRequest({ n: 2 }), results: [saved(0), saved(1)] }, 0],
  ['the service made fewer images', { request: aRequest({ n: 3 }), results: [saved(0), saved(1)] }, 1],
  [
    'the connection was lost after the last image',
    { results: [saved(0)], error: anError({ billing: 'maybe' }) },
    1,
  ],
  [
    'the others failed',
    { request: aRequest({ n: 3 }), results: [saved(0)], error: anError({ billing: 'no' }) },
    1,
  ],
  [
    'the others got lost',
    { request: aRequest({ n: 2 }), results: [saved(0)], error: anError({ billing: 'maybe' }) },
    1,
  ],
  [
    'its bytes end early',
    { request: aRequest({ n: 3 }), results: [saved(0), saved(1, { seemsCut: true }), saved(2)] },
    1,
  ],
  [
    'it is damaged',
    {
      request: aRequest(),
      results: [saved(0, { damage: 'the checksum of chunk IDAT at byte 33 is wrong' })],
    },
    1,
  ],
  [
    'it got another size than it came in',
    wanting(
      { size: '64x48', finish: { size: { width: 64, height: 48 } } },
      { width: 64, height: 48, finished: { got: { width: 128, height: 96 }, scaled: 'down' } },
    ),
    0,
  ],
  [
    'its background is still there',
    wanting(
      { finish: { cutout: { by: 'key' } } },
      {
        finished: {
          got: { width: 8, height: 9 },
          cutout: { verdict: 'bad', reasons: [{ flaw: 'no_ground', text: 'It is everywhere.' }] },
        },
      },
    ),
    1,
  ],
  [
    'an image was refused by the disk',
    withUnsaved({
      state: 'staged',
      stagedPath: staged,
      seemsCut: true,
      finished: { got: { width: 8, height: 9 }, scaled: 'up' },
      error: anError({ code: 'save_failed', message: 'The disk is full.' }),
    }),
    1,
  ],
  [
    'an image is of no known format, and has an address',
    withUnsaved({ url, stagedPath: staged, error: unsupported }),
    1,
  ],
  [
    'an image is of no known format, and the service can be asked again',
    withUnsaved(
      { stagedPath: staged, error: unsupported, isText: true },
      { status: 'failed', remoteId: 'r1' },
    ),
    1,
  ],
  [
    'an image is of no known format, and came only once',
    withUnsaved({ stagedPath: staged, error: unsupported }, { status: 'failed' }),
    1,
  ],
  ['an image was not fetched yet', withUnsaved({ state: 'remote', url }), 1],
  [
    'the address of an image is dead',
    withUnsaved({ url, error: anError({ code: 'result_expired', message: 'It is gone.' }) }),
    1,
  ],
  [
    'an image is on a host that nobody trusts yet',
    withUnsaved({
      url,
      error: anError({ code: 'result_refused', message: 'It is private.', refusedHost: 'nas.local:81' }),
    }),
    1,
  ],
  [
    'the address of an image is refused for good',
    withUnsaved({ url, error: anError({ code: 'result_refused', message: 'It is ftp.' }) }),
    1,
  ],
  ['an image is lost', withUnsaved({ error: anError({ message: 'It broke off.' }) }), 1],
  [
    'the service has new addresses',
    withUnsaved({ error: anError({ message: 'It broke off.' }) }, { status: 'expired', remoteId: 'r1' }),
    1,
  ],
  [
    'the service lists more images than were asked for',
    {
      request: aRequest({ n: 2 }),
      results: [
        saved(0),
        saved(1),
        aResult({ index: 2, surplus: true }),
        aResult({ index: 3, surplus: true }),
      ],
    },
    0,
  ],
  [
    'the service refused it',
    { status: 'failed', error: anError({ code: 'content_rejected', message: 'No foxes.', billing: 'no' }) },
    1,
  ],
  [
    'the service can be asked again',
    {
      status: 'failed',
      remoteId: 'r1',
      error: anError({ code: 'protocol', message: 'Not JSON.', billing: 'maybe' }),
    },
    1,
  ],
  [
    'its one image could not be kept at all',
    {
      status: 'failed',
      results: [aResult()],
      error: anError({ code: 'save_failed', message: 'The disk is full.', billing: 'yes' }),
    },
    1,
  ],
  [
    'each of its images failed',
    {
      status: 'failed',
      error: anError(),
      results: [aResult({ url, state: 'failed', error: anError({ message: 'It broke off.' }) })],
    },
    1,
  ],
  [
    'one of two images that failed says why',
    {
      status: 'failed',
      error: anError(),
      request: aRequest({ n: 2 }),
      results: [
        aResult({ state: 'failed', error: anError({ message: 'It broke off.' }) }),
        aResult({ index: 1, state: 'remote' }),
      ],
    },
    1,
  ],
  ['it failed without a word', { status: 'failed' }, 1],
  ['nobody knows what became of it', { status: 'unknown', error: anError({ billing: 'maybe' }) }, 3],
  ['nobody knows anything', { status: 'unknown' }, 3],
  ['its key is missing', { status: 'needs_key', remoteId: 'r1' }, 1],
  [
    'its key is wrong',
    { status: 'needs_key', remoteId: 'r1', error: anError({ message: 'The key was revoked.' }) },
    1,
  ],
  ['it was not sent', { status: 'waiting', request: aRequest({ prompt: 'a\u001b[2J fox' }) }, 1],
  ['it was left while it saved', { status: 'saving' }, 1],
  [
    'it was stopped at the service',
    { status: 'stopped', remoteId: 'r1', error: anError({ code: 'stopped', message: 'You stopped it.' }) },
    1,
  ],
  ['it was stopped at the service without a word', { status: 'stopped', remoteId: 'r1' }, 1],
  [
    'it was given up after a day',
    { status: 'stopped', remoteId: 'r1', error: anError({ code: 'timeout', message: 'No news for a day.' }) },
    1,
  ],
  [
    'it was stopped before it was sent',
    { status: 'stopped', error: anError({ code: 'stopped', billing: 'no' }) },
    1,
  ],
  [
    'it was stopped while it was sent',
    { status: 'stopped', error: anError({ code: 'stopped', billing: 'maybe' }) },
    1,
  ],
  ['it was stopped without a word', { status: 'stopped' }, 1],
  ['its stop could not be written, and it has an ID', { status: 'queued', remoteId: 'r1' }, 1],
  ['its stop could not be written', { status: 'submitting' }, 1],
];

/** What a user reads of a task that another process works on. */
function elsewhere(changes: Partial<Task>): string[] {
  const output = new Collected();
  assert.equal(report(aTask(changes), output, 'fox: ', true), 1);
  return output.said;
}

describe('what limner reports of a task', () => {
  it('is what the golden file says, beside the paths of its files and its exit code', (t: TestContext) => {
    const told = reports.map(([when, changes, code]) => {
      const task = aTask({ id, status: 'completed', ...changes });
      const output = new Collected();
      assert.equal(report(task, output), code, when);
      const files = task.results.filter(({ state }) => state === 'saved');
      assert.deepEqual(output.results, Array<string>(files.length).fill(path));
      return [`## ${when}`, ...output.said].join('\n');
    });
    const text = told.join('\n\n').replaceAll(staged, '/w/inbox/0.image');
    t.assert.fileSnapshot(text, join(dirname(import.meta.filename), 'golden', 'report.txt'), {
      serializers: [String],
    });
  });

  it('is by whom another process is waited for', () => {
    for (const status of ['queued', 'in_progress'] as const) {
      assert.deepEqual(elsewhere({ status, remoteId: 'r1' }), [
        'fox: Another process continues to watch this task.',
      ]);
    }
    assert.deepEqual(elsewhere({ status: 'submitting' }), [
      "fox: Another process is waiting for the service's response.",
    ]);
  });

  it('is a line of JSON in place of the paths, and the same words', () => {
    const output = new Collected(true);
    const task = aTask({ id, status: 'completed', request: aRequest({ n: 2 }), results: [saved(0)] });
    assert.equal(report(task, output, 'fox: '), 1);
    assert.deepEqual(output.said, ['fox: The service returned 1 of 2 images and bills those.']);
    const [line, ...others] = output.results;
    assert.deepEqual(others, []);
    assert.deepEqual(JSON.parse(line ?? ''), JSON.parse(JSON.stringify(taskJson(task))));
  });
});
