import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { report } from '../../../../src/cli/output/report.ts';
import { taskJson } from '../../../../src/cli/output/taskJson.ts';
import type { Task, TaskRequest, TaskResult } from '../../../../src/tasks/task.ts';
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

const resume = `Run "limner tasks --resume ${id}"`;
const asking = `${resume} to ask the service for it at no extra cost; the service keeps images for 6 hours.`;
const within = 'Run "limner tasks --resume" within 6 hours to fetch the result.';
const mayBeBilled = 'The service may still finish the task. It may still be billed.';
const unsupported = anError({ code: 'unsupported_image', message: 'It is a GIF.', billing: 'yes' });

/** What a person reads of a task that has come to rest, and the exit code. */
const reports: [string, Partial<Task>, string[], number][] = [
  ['every image is saved', { request: aRequest({ n: 2 }), results: [saved(0), saved(1)] }, [], 0],
  [
    'the service made fewer images',
    { request: aRequest({ n: 3 }), results: [saved(0), saved(1)] },
    ['The service returned 2 of 3 images and bills those.'],
    1,
  ],
  [
    'the connection was lost after the last image',
    { results: [saved(0)], error: anError({ billing: 'maybe' }) },
    ['The connection was closed. The requested image was received.'],
    1,
  ],
  [
    'the others failed',
    { request: aRequest({ n: 3 }), results: [saved(0)], error: anError({ billing: 'no' }) },
    ['Received 1 of 3 images. The connection was closed. The others were not billed.'],
    1,
  ],
  [
    'the others got lost',
    { request: aRequest({ n: 2 }), results: [saved(0)], error: anError({ billing: 'maybe' }) },
    ['Received 1 of 2 images. The connection was closed. The others may have been billed.'],
    1,
  ],
  [
    'its bytes end early',
    { request: aRequest({ n: 3 }), results: [saved(0), saved(1, { seemsCut: true }), saved(2)] },
    ['Image 2 of 3 appears to be truncated. It was saved as received.'],
    1,
  ],
  [
    'it is damaged',
    {
      request: aRequest(),
      results: [saved(0, { damage: 'the checksum of chunk IDAT at byte 33 is wrong' })],
    },
    [
      'The image appears to be damaged: the checksum of chunk IDAT at byte 33 is wrong. It was saved as received.',
    ],
    1,
  ],
  [
    'it got another size than it came in',
    wanting(
      { size: '64x48', finish: { size: { width: 64, height: 48 } } },
      { width: 64, height: 48, finished: { got: { width: 128, height: 96 }, scaled: 'down' } },
    ),
    ['The image: Asked for 64 × 48, got 128 × 96, saved 64 × 48.'],
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
    ['The image: The background was not removed: It is everywhere.'],
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
    [
      `Image 2 of 2 wasn't saved. The disk is full. Billed; its data is in ${staged}. Run "limner tasks --resume", with --folder if needed, to save it at no extra cost.`,
    ],
    1,
  ],
  [
    'the data of an image lies at an address',
    withUnsaved({ state: 'staged', stagedPath: pathToFileURL(staged).href }),
    [
      `Image 2 of 2 wasn't saved. Billed; its data is in ${staged}. Run "limner tasks --resume", with --folder if needed, to save it at no extra cost.`,
    ],
    1,
  ],
  [
    'an image is of no known format, and has an address',
    withUnsaved({ url, stagedPath: staged, error: unsupported }),
    [
      `Image 2 of 2 wasn't saved. It is a GIF. Billed; the received data is in ${staged}. ${resume} to fetch it again at no extra cost.`,
    ],
    1,
  ],
  [
    'an image is of no known format, and the service can be asked again',
    withUnsaved(
      { stagedPath: staged, error: unsupported, isText: true },
      { status: 'failed', remoteId: 'r1' },
    ),
    [`Image 2 of 2 wasn't saved. It is a GIF. Billed; the received data is in ${staged}. ${asking}`],
    1,
  ],
  [
    'an image is of no known format, and came only once',
    withUnsaved({ stagedPath: staged, error: unsupported }, { status: 'failed' }),
    [`Image 2 of 2 wasn't saved. It is a GIF. Billed; the received data is in ${staged}.`],
    1,
  ],
  [
    'an image was not fetched yet',
    withUnsaved({ state: 'remote', url }),
    [
      `Image 2 of 2 wasn't saved. Billed. It can be fetched from ${url} for 6 hours. ${resume} to try that at no extra cost.`,
    ],
    1,
  ],
  [
    'the address of an image is dead',
    withUnsaved({ url, error: anError({ code: 'result_expired', message: 'It is gone.' }) }),
    [`Image 2 of 2 wasn't saved. It is gone. Billed. ${resume} to ask for it once more at no extra cost.`],
    1,
  ],
  [
    'an image is on a host that nobody trusts yet',
    withUnsaved({
      url,
      error: anError({ code: 'result_refused', message: 'It is private.', refusedHost: 'nas.local:81' }),
    }),
    [
      `Image 2 of 2 wasn't saved. It is private. Billed. It can be fetched from ${url} for 6 hours. If you trust that host, add nas.local:81 to LIMNER_RESULT_HOSTS, then run "limner tasks --resume" to fetch it at no extra cost.`,
    ],
    1,
  ],
  [
    'the address of an image is refused for good',
    withUnsaved({ url, error: anError({ code: 'result_refused', message: 'It is ftp.' }) }),
    [
      `Image 2 of 2 wasn't saved. It is ftp. Billed. It can be fetched from ${url} for 6 hours, but not by Limner.`,
    ],
    1,
  ],
  [
    'an image is lost',
    withUnsaved({ error: anError({ message: 'It broke off.' }) }),
    ["Image 2 of 2 wasn't saved. It broke off. Billed. It can no longer be fetched."],
    1,
  ],
  [
    'the service has new addresses',
    withUnsaved({ error: anError({ message: 'It broke off.' }) }, { status: 'expired', remoteId: 'r1' }),
    [`Image 2 of 2 wasn't saved. It broke off. Billed. ${asking}`],
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
    [`The service lists 4 images, 2 more than Limner fetches for 2. ${resume} to fetch those, too.`],
    0,
  ],
  [
    'the service refused it',
    { status: 'failed', error: anError({ code: 'content_rejected', message: 'No foxes.', billing: 'no' }) },
    ['No foxes. Not billed. Change the prompt.'],
    1,
  ],
  [
    'the service can be asked again',
    {
      status: 'failed',
      remoteId: 'r1',
      error: anError({ code: 'protocol', message: 'Not JSON.', billing: 'maybe' }),
    },
    [`Not JSON. May have been billed. ${asking}`, 'The service calls the task r1.'],
    1,
  ],
  [
    'its one image could not be kept at all',
    {
      status: 'failed',
      results: [aResult()],
      error: anError({ code: 'save_failed', message: 'The disk is full.', billing: 'yes' }),
    },
    ["Couldn't save the image. The disk is full. Billed. Running it again is billed again."],
    1,
  ],
  [
    'each of its images failed',
    {
      status: 'failed',
      error: anError(),
      results: [aResult({ url, state: 'failed', error: anError({ message: 'It broke off.' }) })],
    },
    [
      `The image wasn't saved. It broke off. Billed. It can be fetched from ${url} for 6 hours. ${resume} to try that at no extra cost.`,
    ],
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
    [
      `Image 1 of 2 wasn't saved. It broke off. Billed. It can be fetched from ${url} for 6 hours. ${resume} to try that at no extra cost.`,
      `Image 2 of 2 wasn't saved. Billed. It can be fetched from ${url} for 6 hours. ${resume} to try that at no extra cost.`,
    ],
    1,
  ],
  ['it failed without a word', { status: 'failed' }, [], 1],
  [
    'nobody knows what became of it',
    { status: 'unknown', error: anError({ billing: 'maybe' }) },
    [
      'The connection was closed. May have been billed. Check your account at the service before you run it again. Running it again is billed again.',
    ],
    3,
  ],
  ['nobody knows anything', { status: 'unknown' }, [], 3],
  [
    'its key is missing',
    { status: 'needs_key', remoteId: 'r1' },
    [
      'No API key is set for http://127.0.0.1:9. The task continues at the service. It may still be billed. Set LIMNER_BASE_URL and LIMNER_API_KEY to the values for http://127.0.0.1:9, then run "limner tasks --resume" within 6 hours.',
    ],
    1,
  ],
  [
    'its key is wrong',
    { status: 'needs_key', remoteId: 'r1', error: anError({ message: 'The key was revoked.' }) },
    [
      'The key was revoked. The task continues at the service. It may still be billed. Set LIMNER_BASE_URL and LIMNER_API_KEY to the values for http://127.0.0.1:9, then run "limner tasks --resume" within 6 hours.',
    ],
    1,
  ],
  [
    'it was not sent',
    { status: 'waiting', request: aRequest({ prompt: 'a\u001b[2J fox' }) },
    [
      `Not sent yet: "a [2J fox". Run "limner tasks --send ${id}" to send it, or "limner tasks --stop ${id}" to give it up. Not billed.`,
    ],
    1,
  ],
  [
    'it was left while it saved',
    { status: 'saving' },
    [
      'Stopped before every image was saved. Billed. Run "limner tasks --resume" to save them at no extra cost.',
    ],
    1,
  ],
  [
    'it was stopped at the service',
    { status: 'stopped', remoteId: 'r1', error: anError({ code: 'stopped', message: 'You stopped it.' }) },
    [`Stopped watching. ${mayBeBilled} ${within}`],
    1,
  ],
  [
    'it was stopped at the service without a word',
    { status: 'stopped', remoteId: 'r1' },
    [`Stopped watching. ${mayBeBilled} ${within}`],
    1,
  ],
  [
    'it was given up after a day',
    { status: 'stopped', remoteId: 'r1', error: anError({ code: 'timeout', message: 'No news for a day.' }) },
    [`No news for a day. ${mayBeBilled} ${within}`],
    1,
  ],
  [
    'it was stopped before it was sent',
    { status: 'stopped', error: anError({ code: 'stopped', billing: 'no' }) },
    ['Stopped before it was sent. Not billed.'],
    1,
  ],
  [
    'it was stopped while it was sent',
    { status: 'stopped', error: anError({ code: 'stopped', billing: 'maybe' }) },
    [
      'Stopped. The service may still finish this call, but its response can no longer be fetched. It may still be billed.',
    ],
    1,
  ],
  [
    'it was stopped without a word',
    { status: 'stopped' },
    [
      'Stopped. The service may still finish this call, but its response can no longer be fetched. It may still be billed.',
    ],
    1,
  ],
  [
    'its stop could not be written, and it has an ID',
    { status: 'queued', remoteId: 'r1' },
    [`Stopped watching. ${mayBeBilled} ${within}`],
    1,
  ],
  [
    'its stop could not be written',
    { status: 'submitting' },
    [
      'Stopped. The service may still finish this call. It may still be billed. Run "limner tasks --resume" to see the outcome.',
    ],
    1,
  ],
];

/** What a person reads of a task that another process works on. */
function elsewhere(changes: Partial<Task>): string[] {
  const output = new Collected();
  assert.equal(report(aTask(changes), output, 'fox: ', true), 1);
  return output.said;
}

describe('what limner reports of a task', () => {
  for (const [when, changes, said, code] of reports) {
    it(`where ${when}`, () => {
      const task = aTask({ id, status: 'completed', ...changes });
      const output = new Collected();
      assert.equal(report(task, output), code);
      assert.deepEqual(output.said, said);
      const files = task.results.filter(({ state }) => state === 'saved');
      assert.deepEqual(output.results, Array<string>(files.length).fill(path));
    });
  }

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
