import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileUri } from '../../../../src/common/fileUris.ts';
import { tasks, type TasksOptions } from '../../../../src/cli/commands/tasks.ts';
import { readEnvironment } from '../../../../src/cli/setup/environment.ts';
import { TaskStore } from '../../../../src/engine/store/taskStore.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { Collected } from '../../../support/cli/collected.ts';
import { aRequest, anError, aTask } from '../../../support/engine/taskBuilders.ts';
import { TestLog } from '../../../support/engine/world.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';

const fox = resolve('/w/images/fox.png');

describe('limner tasks', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(memoryFolder, 'limner-list-'));
  });
  afterEach(async () => rm(home, { recursive: true }));

  /** Puts tasks into the list, as processes left them that are gone. */
  async function list(...listed: Partial<Task>[]): Promise<void> {
    const file = join(home, 'limner.db');
    const store = await TaskStore.open({
      file,
      clock: new ManualClock(),
      log: new TestLog(),
      notice: () => {},
    });
    for (const changes of listed) {
      await store.add(aTask(changes));
    }
    await store.close();
  }

  async function run(
    ids: string[],
    options: Partial<TasksOptions>,
    output = new Collected(options.json),
    variables: Record<string, string> = {},
  ): Promise<{ code: number; results: string[]; said: string[] }> {
    const environment = readEnvironment({ LIMNER_HOME: home, ...variables }, 'linux');
    const code = await tasks(ids, { limit: 20, ...options }, environment, output);
    return { code, results: output.results, said: output.said };
  }

  const saved: Partial<Task> = {
    id: 'tk_b',
    status: 'completed',
    createdAt: new Date(2026, 0, 31, 14, 5).getTime(),
    request: aRequest({ n: 2, prompt: 'a \u001b[2Jfox\nin the snow' }),
    results: [{ index: 0, state: 'saved', uri: fileUri(fox) }],
  };
  const failed: Partial<Task> = {
    id: 'tk_a',
    status: 'failed',
    createdAt: new Date(2025, 10, 2, 3, 45).getTime(),
    error: anError({ code: 'content_rejected', message: 'No hens.', billing: 'no' }),
    request: aRequest({ prompt: 'a hen' }),
  };
  const running: Partial<Task> = {
    id: 'tk_c',
    status: 'in_progress',
    createdAt: new Date(2026, 1, 1, 0, 0).getTime(),
    remoteId: 'r1',
    progress: 7,
  };
  const lines = [
    'tk_c  2026-02-01 00:00  in progress, 7%  a red fox',
    'tk_b  2026-01-31 14:05  completed  a [2Jfox in the snow',
    `  ${fox}`,
    '  The service returned 1 of 2 images and bills those.',
    'tk_a  2025-11-02 03:45  failed  a hen',
    '  The service rejected the content: No hens. Not billed. Change the prompt.',
  ];

  it('lists the newest first, with their files, and what went wrong', async () => {
    await list(failed, saved, running);
    assert.deepEqual(await run([], {}), { code: 0, results: lines, said: [] });
    assert.deepEqual((await run([], { limit: 2 })).results, lines.slice(0, 4));
    assert.deepEqual((await run(['tk_a', 'tk_b'], { limit: 1 })).results, [
      ...lines.slice(4),
      ...lines.slice(1, 4),
    ]);
    assert.deepEqual((await run(['tk_a'], {})).results, lines.slice(4));
  });

  it('fits its lines into a terminal', async () => {
    await list(failed);
    const { results } = await run([], {}, new Collected(false, 30));
    assert.deepEqual(results, ['tk_a  2025-11-02 03:45  faile…', '  The service rejected the co…']);
  });

  it('cuts no address off', async () => {
    const url = `https://results.example/0.png?signature=${'0'.repeat(100)}`;
    const error = anError({ code: 'protocol', phase: 'download', sent: true });
    await list({ ...failed, results: [{ index: 0, state: 'failed', url, error }] });
    const { results } = await run([], {}, new Collected(false, 30));
    assert.ok(results[1]?.includes(` ${url} `));
  });

  it('lists each in a line of JSON', async () => {
    await list(failed, saved);
    const { code, results, said } = await run([], { json: true });
    assert.deepEqual([code, said], [0, []]);
    assert.deepEqual(
      results.map((line) =>
        line.startsWith('{"taskId":"tk_b","status":"completed",') ? 'b' : line.slice(0, 16),
      ),
      ['b', '{"taskId":"tk_a"'],
    );
  });

  it('says that there are none', async () => {
    for (const [options, words] of [
      [{}, 'There are no tasks.'],
      [{ json: true }, 'There are no tasks.'],
      [{ resume: true }, 'There are no unfinished tasks.'],
      [{ send: true }, 'There are no unfinished tasks.'],
    ] as const) {
      assert.deepEqual(await run([], options), { code: 0, results: [], said: [words] });
    }
  });

  it('knows nothing of a task that is not there, whatever is to be done with it', async () => {
    await list(failed);
    for (const options of [{}, { resume: true }, { stop: true }] as const) {
      await assert.rejects(run(['tk_a', 'tk_x'], options), {
        code: 'invalid_request',
        message: 'There is no task tk_x. Run "limner tasks" to list the tasks.',
      });
    }
    await assert.rejects(run([], { stop: true }), {
      code: 'invalid_request',
      message: 'Specify the tasks to stop: limner tasks --stop <id>.',
    });
  });

  it('stops tasks, those at the service and those that were never sent', async () => {
    await list({ ...running, held: true }, { id: 'tk_d', held: true });
    const here = 'The task was stopped before it was sent. Not billed.';
    assert.deepEqual(await run(['tk_d'], { stop: true }), { code: 0, results: [], said: [here] });
    const both = await run(['tk_c', 'tk_d'], { stop: true });
    assert.equal(both.code, 0);
    assert.deepEqual(both.said, [
      `tk_c: Limner stopped watching this task. The service can't cancel it and may still finish it. It may still be billed. Run "limner tasks --resume tk_c" to ask the service for it at no extra cost; the service keeps images for 6 hours.`,
      `tk_d: ${here}`,
    ]);
  });

  it('sends nothing that waits for a person unless it is told to', async () => {
    await list({ id: 'tk_d', held: true });
    const { code, results, said } = await run([], { resume: true });
    assert.deepEqual([code, results], [1, []]);
    assert.deepEqual(said, [
      'Not sent yet: "a red fox". Run "limner tasks --send tk_d" to send it, or "limner tasks --stop tk_d" to give it up. Not billed.',
    ]);
  });
  it('sends nothing beyond the budget, and says so once for each task, before what became of it', async () => {
    await list({ id: 'tk_d', held: true }, { id: 'tk_e', held: true }, { ...saved, request: aRequest() });
    const budget = { LIMNER_BUDGET: '{"day": "0 images"}' };
    const { code, results, said } = await run(['tk_b', 'tk_d', 'tk_e'], { send: true }, undefined, budget);
    assert.deepEqual([code, results], [4, [fox]]);
    const refused = 'error: The budget for a day is 0 images.';
    assert.deepEqual(
      said.map((line) => line.slice(0, refused.length)),
      [
        refused,
        refused,
        'tk_d: Not sent yet: "a red fox". Run "li',
        'tk_e: Not sent yet: "a red fox". Run "li',
      ],
    );
    assert.deepEqual((await run(['tk_d'], { send: true }, undefined, budget)).code, 4);
  });
});
