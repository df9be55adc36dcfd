import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileUri } from '../../../../src/common/fileUris.ts';
import { Interruption } from '../../../../src/cli/commands/interruption.ts';
import { watch } from '../../../../src/cli/commands/watch.ts';
import { openOutput, type Output } from '../../../../src/cli/output/output.ts';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import type { Task, TaskResult } from '../../../../src/engine/task/task.ts';
import { takeSignals } from '../../../support/cli/signals.ts';
import { anError, aRequest, aTask } from '../../../support/engine/taskBuilders.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { World } from '../../../support/engine/world.ts';
import { json, type Reply } from '../../../support/service/loopbackService.ts';

const submission = 'POST /v1/images/generations';
const query = 'GET /v1/images/generations/task_1';
const queued = { id: 'task_1', object: 'image.generation.task', status: 'queued' };
const accepted = json(202, queued);

const goesOn =
  "Limner stopped watching this task. The service can't cancel it and may still finish it. It may still be billed.";
const elsewhere = 'Another process continues to watch this task.';

/** A reply that is kept back until it is let go. */
function keptBack(reply: Reply): { reply: Reply; letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { letGo: resolve, reply: async (request, response) => promise.then(() => reply(request, response)) };
}

function interrupt(): void {
  process.emit('SIGINT', 'SIGINT');
}

describe('tasks that limner watches', () => {
  let world: World;
  let engine: Engine;
  let out: PassThrough;
  let err: PassThrough;
  let output: Output;
  let interruption: Interruption;
  let giveBack: () => void;
  beforeEach(async () => {
    giveBack = takeSignals();
    world = await World.create();
    engine = await world.open();
    [out, err] = [new PassThrough({ encoding: 'utf8' }), new PassThrough({ encoding: 'utf8' })];
    output = openOutput(out, err, { canDraw: true });
    interruption = new Interruption(output);
  });
  afterEach(async () => {
    interruption.dispose();
    giveBack();
    await world.dispose();
  });

  const path = resolve('/w/images/fox.png');
  const file: TaskResult = { index: 0, state: 'saved', uri: fileUri(path) };
  const saved: Partial<Task> = { status: 'completed', results: [file] };
  const unknown: Partial<Task> = { status: 'unknown', error: anError({ message: 'Alas.' }) };
  const short: Partial<Task> = { ...saved, request: aRequest({ n: 2 }), error: anError({ message: 'Cut.' }) };

  async function watched(...ids: string[]): Promise<number> {
    return watch(ids, { engine, output, interruption });
  }

  /** What was printed since the last time. */
  function printed(): [string, string] {
    return [String(out.read() ?? ''), String(err.read() ?? '')];
  }

  /** Adds a task that has ended, and returns its ID. */
  async function add(changes: Partial<Task>, onBlack?: string): Promise<string> {
    const results = onBlack === undefined ? {} : { results: [{ ...file, onBlack: { id: onBlack } }] };
    const task = aTask({ ...changes, ...results });
    await engine.store.add(task);
    return task.id;
  }

  it('are told apart where there are several, and end with the worst of their codes', async () => {
    const [good, lost, part] = [await add(saved), await add(unknown), await add(short)];
    assert.equal(await watched(good, lost, part), 3);
    const [files, words] = printed();
    assert.equal(files, `${path}\n${path}\n`);
    assert.match(words, new RegExp(`^${lost}: Alas\\. .*\\n${part}: Received 1 of 2 images\\. Cut\\. `, 'u'));
    assert.deepEqual([await watched(good), await watched(good, 'tk_none')], [0, 1]);
    assert.equal(await watched(), 0);
  });

  it('are watched with those that put their images on black, if there are such', async () => {
    assert.equal(await watched(await add(saved, 'tk_removed')), 0);
    assert.deepEqual(printed(), [`${path}\n`, '']);
    assert.equal(await watched(await add(saved, await add(unknown))), 3);
    assert.match(printed()[1], /^Alas\. /u);
    assert.equal(await watched(await add(short, await add(saved))), 1);
    assert.equal(printed()[0], `${path}\n${path}\n`);
  });

  it('are stopped when the time to wait is over, which says what continues them', async () => {
    const clock = new ManualClock();
    interruption.dispose();
    interruption = new Interruption(output, 90_000, clock);
    world.service.on(submission, accepted).on(query, json(200, queued));
    const { id } = await engine.runner.start(world.request());
    await world.until(engine, id, 'queued');
    const code = watched(id);
    await clock.pass(89_999);
    assert.equal(engine.store.get(id)?.status, 'queued');
    await clock.pass(1);
    assert.equal(await code, 1);
    assert.equal(engine.store.get(id)?.status, 'stopped');
    assert.ok(
      printed()[1].endsWith(
        `${goesOn} Run "limner tasks --resume ${id}" to ask the service for it at no extra cost; the service keeps images for 6 hours.\nThe time of --wait is over. Run "limner tasks --resume ${id}" to wait on at no extra cost.\n`,
      ),
    );
  });

  it('are left to the process that works on them', async () => {
    const later = keptBack(json(200, { ...queued, status: 'in_progress', progress: '7%' }));
    world.service.on(submission, accepted).on(query, json(200, queued), later.reply);
    const other = await world.open();
    const { id } = await other.runner.start(world.request());
    await world.until(engine, id, 'queued');
    const code = watched(await add(saved, id));
    interrupt();
    assert.equal(await code, 130);
    interruption.dispose();
    const [files, words] = printed();
    assert.equal(files, `${path}\n`);
    assert.ok(words.endsWith(`${elsewhere}\n`), words);
    later.letGo();
    await world.when(engine, id, ({ progress }) => progress === 7);
    assert.deepEqual(printed(), ['', '']);
  });
});
