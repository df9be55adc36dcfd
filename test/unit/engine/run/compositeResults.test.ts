import assert from 'node:assert/strict';
import { existsSync, watch } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import { Codecs, type Encoding } from '../../../../src/images/finish/codecs.ts';
import type { Task, TaskResult } from '../../../../src/engine/task/task.ts';
import { differing, paint } from '../../../support/images/pictures.ts';
import { json } from '../../../support/service/loopbackService.ts';
import { inProcess } from './killedProcess.ts';
import { isDeep, isOutside, maskedEdit, original } from './maskedEdit.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { World } from '../../../support/engine/world.ts';

async function run(engine: Engine, ...[request]: Parameters<Engine['runner']['start']>): Promise<Task> {
  const { id } = await engine.runner.start(request);
  return engine.runner.outcome(id);
}

function onlyResult(task: Task): TaskResult & { uri: string } {
  const [result] = task.results;
  assert.ok(result?.uri !== undefined, JSON.stringify(task));
  return { ...result, uri: result.uri };
}

describe('keeping everything outside the mask', () => {
  const codecs = new Codecs();
  let world: World;
  let images: string;
  let answers: string;

  beforeEach(async () => {
    world = await World.create();
    images = join(world.workspace, 'images');
    answers = join(world.home, 'inbox', 'answers');
  });

  afterEach(async () => {
    await world.dispose();
  });

  after(() => codecs.dispose());

  /** Counts pixels: of the original, as it was sent, and of the answer, which is there beside it. */
  async function assertKept(task: Task, sent: Uint8Array, answered: Buffer): Promise<void> {
    const result = onlyResult(task);
    assert.equal(result.keptOutside, true);
    const [saved, before] = [
      await codecs.decode(await readFile(fileURLToPath(result.uri))),
      await codecs.decode(sent),
    ];
    assert.equal(differing(saved, before, isOutside), 0, 'changed outside the mask');
    assert.equal(differing(saved, await codecs.decode(answered), isDeep), 0, 'not the answer inside');
    assert.ok(result.answer);
    assert.deepEqual(await readFile(result.answer.path), answered);
    assert.deepEqual(
      [result.answer.size, result.answer.mediaType],
      [
        answered.length,
        answered[0] === 0x89 ? 'image/png' : answered[0] === 0xff ? 'image/jpeg' : 'image/webp',
      ],
    );
  }

  const lossless: Encoding = { format: 'webp', lossless: true };
  for (const [from, to, name] of [
    [{ format: 'png' }, { format: 'png' }, 'a-red-fox.png'],
    [{ format: 'jpeg' }, { format: 'webp' }, 'a-red-fox.png'],
    [lossless, { format: 'jpeg' }, 'a-red-fox.webp'],
  ] as const) {
    it(`puts the pixels of a ${from.format} back around a ${to.format}, 0 of them changed: ${name}`, async () => {
      const { request, answered, path } = await maskedEdit(world, codecs, { from, to });
      const task = await run(await world.open(), request);
      assert.deepEqual(await readdir(images), [name]);
      await assertKept(task, await readFile(path), answered);
    });
  }

  it('leaves the answer alone where nobody asked for it', async () => {
    const { request, answered } = await maskedEdit(world, codecs);
    const { keepOutside: _, ...plain } = request;
    const result = onlyResult(await run(await world.open(), plain));
    assert.deepEqual(await readFile(fileURLToPath(result.uri)), answered);
    assert.deepEqual([result.keptOutside, result.answer], [undefined, undefined]);
  });

  it('puts back what was sent although the files are others by now', async () => {
    const { request, answered, path } = await maskedEdit(world, codecs);
    const sent = await readFile(path);
    const engine = await world.open();
    const query = world.service.reply('GET /v1/images/generations/task_1', 1);
    world.service.on('GET /v1/images/generations/task_1', json(200, { id: 'task_1', status: 'in_progress' }));
    const { id } = await engine.runner.start(request);
    await world.service.got('GET /v1/images/generations/task_1');
    await writeFile(path, answered);
    await rm(request.mask?.path ?? '');
    world.service.on('GET /v1/images/generations/task_1', query);
    await assertKept(await engine.runner.outcome(id), sent, answered);
  });

  it('saves the answer as it is where it cannot be done, and says why', async () => {
    const other = paint(64, 64, () => [1, 2, 3, 255]);
    for (const [changes, why, damage] of [
      [{ made: other }, 'size', undefined],
      [{}, undefined, 'the checksum of chunk IDAT at byte 47 is wrong'],
    ] as const) {
      const { request, answered } = await maskedEdit(world, codecs, changes);
      const damaged = damage === undefined ? answered : Buffer.from(answered).fill(7, 60, 100);
      world.service.delivers(damaged);
      const engine = await world.open();
      const task = await run(engine, request);
      const result = onlyResult(task);
      assert.equal(task.status, 'completed');
      assert.deepEqual([result.keptOutside, result.damage, result.answer], [why, damage, undefined]);
      assert.deepEqual(await readFile(fileURLToPath(result.uri)), damaged);
      await world.close(engine);
    }
  });

  it('saves an answer of 16 bits per channel byte by byte, and says so', async () => {
    const { request, answered } = await maskedEdit(world, codecs);
    const deep = await sharp(answered).toColourspace('rgb16').png().toBuffer();
    world.service.delivers(deep);
    const result = onlyResult(await run(await world.open(), request));
    assert.equal(result.keptOutside, '16bit');
    assert.deepEqual(await readFile(fileURLToPath(result.uri)), deep);
  });

  it('says so where the answer has another color profile than the original', async () => {
    const { request, answered } = await maskedEdit(world, codecs);
    world.service.delivers(await sharp(answered).withIccProfile('p3').png().toBuffer());
    const result = onlyResult(await run(await world.open(), request));
    assert.equal(result.keptOutside, 'colours');
    const saved = await codecs.decode(await readFile(fileURLToPath(result.uri)));
    assert.equal(differing(saved, original, isOutside), 0);
  });

  it('says so when neither the original nor its copy is what was sent', async () => {
    const { request, answered, path } = await maskedEdit(world, codecs);
    const query = world.service.reply('GET /v1/images/generations/task_1', 1);
    world.service.on('GET /v1/images/generations/task_1', json(200, { id: 'task_1', status: 'in_progress' }));
    const engine = await world.open();
    const { id } = await engine.runner.start(request);
    await world.service.got('GET /v1/images/generations/task_1');
    await writeFile(path, answered);
    await rm(join(world.home, 'incoming'), { recursive: true });
    world.service.on('GET /v1/images/generations/task_1', query);
    const result = onlyResult(await engine.runner.outcome(id));
    assert.equal(result.keptOutside, 'original');
    assert.deepEqual(await readFile(fileURLToPath(result.uri)), answered);
  });

  it('removes the answer with its task, in whichever window, and later what was missed', async () => {
    const { request } = await maskedEdit(world, codecs);
    const [here, there] = [await world.open(), await world.open()];
    const { id, results } = await run(here, request);
    const path = results[0]?.answer?.path ?? '';
    assert.ok(existsSync(path));
    await mkdir(join(answers, 'of-a-task-that-is-gone'));
    const removed = new Promise<void>((resolve) => {
      const watcher = watch(answers, () => {
        if (!existsSync(join(answers, id))) {
          watcher.close();
          resolve();
        }
      });
    });
    await there.store.remove(id);
    await removed;
    await there.runner.resumeUnfinished();
    assert.deepEqual(await readdir(answers), []);
  });

  it('composes again from the answer when somebody removed what was composed', async () => {
    const { request, answered, path } = await maskedEdit(world, codecs);
    await inProcess('link temporary to other#1', world.home, JSON.stringify(request));
    const result = 'GET /api/async-images/0.png';
    assert.equal(world.service.count(result), 1);
    const [id = ''] = await readdir(join(world.home, 'incoming'));
    await rm(join(world.home, 'incoming', id, 'composed-0-1.image'));
    const engine = await world.open();
    await engine.runner.resumeUnfinished();
    await assertKept(await engine.runner.outcome(id), await readFile(path), answered);
    assert.equal(world.service.count(result), 1);
  });

  describe('in a process that is killed', () => {
    const moments: readonly (readonly [when: string, step: string])[] = [
      ['the answer is to be kept', 'rename part to other#1'],
      ['the answer is to go from where it arrived', 'unlink arrived#1'],
      ['the composed picture is to be written', 'open part#2'],
      ['it is to be whole', 'rename part to arrived#2'],
      ['the row is to know of both', 'sync#9'],
      ['the file is to get its name', 'link temporary to other#1'],
    ];
    for (const [when, step] of fuzzRuns(moments.slice(0, 2), moments)) {
      it(`loses nothing and publishes once when it was killed as ${when}`, async () => {
        const { request, answered, path } = await maskedEdit(world, codecs);
        assert.equal(await inProcess(step, world.home, JSON.stringify(request)), 'killed');
        assert.equal(await inProcess('', world.home), 0);
        const engine = await world.open();
        const [task] = engine.store.list({ limit: 10 });
        assert.ok(task);
        assert.deepEqual(await readdir(images), ['a-red-fox.png']);
        await assertKept(task, await readFile(path), answered);
        assert.deepEqual(await readdir(join(answers, task.id)), ['1.png']);
        assert.deepEqual(await readdir(join(world.home, 'incoming')), []);
        assert.equal(world.service.count('POST /v1/images/edits'), 1);
      });
    }
  });
});
