import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import fs, { readdir, readFile, rm, utimes } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { Codecs } from '../../../../src/images/finish/codecs.ts';
import type { Finish } from '../../../../src/images/formats/finish.ts';
import type { Task, TaskRequest, TaskResult } from '../../../../src/engine/task/task.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { World } from '../../../support/engine/world.ts';
import { json } from '../../../support/service/loopbackService.ts';
import { inProcess } from './killedProcess.ts';
import { isOutside, maskedEdit, original } from './maskedEdit.ts';

const generations = 'POST /v1/images/generations';

/** A picture that is red on its left and blue on its right. */
async function halves(width: number, height: number): Promise<Buffer> {
  const half = { create: { width: width / 2, height, channels: 3, background: '#0000ff' } } as const;
  return sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
    .composite([{ input: await sharp(half).png().toBuffer(), left: width / 2, top: 0 }])
    .png()
    .toBuffer();
}

describe('finishing what arrived', () => {
  let world: World;
  let images: string;

  beforeEach(async () => {
    world = await World.create();
    images = join(world.workspace, 'images');
  });

  afterEach(async () => {
    await world.dispose();
  });

  /** Lets the service answer with these bytes, and returns a request with that finishing step. */
  function requestFor(answered: Buffer, finish: Finish, fileName = '{prompt}'): TaskRequest {
    world.service.delivers(answered).on(generations, json(202, { id: 'task_1', status: 'queued' }));
    const request = world.request({ finish });
    return { ...request, target: { ...request.target, fileName } };
  }

  async function outcomeOf(request: TaskRequest): Promise<Task> {
    const { runner } = await world.open();
    return runner.outcome((await runner.start(request)).id);
  }

  async function assertFinished(task: Task, name: string, answered: Buffer): Promise<TaskResult> {
    const [result] = task.results;
    assert.ok(result?.answer, JSON.stringify(task));
    assert.deepEqual(await readdir(images), [name]);
    assert.deepEqual(await readFile(result.answer.path), answered);
    const { width, height, format } = await sharp(await readFile(join(images, name))).metadata();
    assert.deepEqual([result.width, result.height, result.mediaType], [width, height, `image/${format}`]);
    return result;
  }

  it('finishes an image once more though two windows are told to at once', async (test) => {
    world.service.delivers(await halves(60, 40));
    const [{ runner }, other] = [await world.open(), await world.open()];
    const { id } = await runner.outcome((await runner.start(world.request())).id);
    const list = new DatabaseSync(join(world.home, 'limner.db'));
    list
      .prepare(
        `UPDATE tasks SET request = json_set(request, '$.finish', json(?)),
         state = json_set(state, '$.results[0].finished', json(?), '$.results[0].attempts', 2) WHERE id = ?`,
      )
      .run('{"encoding":{"format":"webp","lossless":true}}', '{"problem":"It ended twice."}', id);
    list.close();
    // The other window begins when the first one has its copy, and stops before it writes anything.
    const begun = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    let second: Promise<unknown> | undefined;
    let isBegun = false;
    const { open, rename } = fs;
    test.mock.method(fs, 'rename', async (from: string, to: string) => {
      if (from.endsWith('.part') && !second) {
        second = other.runner.finishAgain(id).catch((error: unknown) => error);
        await begun.promise;
      }
      await rename(from, to);
    });
    test.mock.method(fs, 'open', async (...given: Parameters<typeof open>) => {
      const file = await open(...given);
      if (second && !isBegun && given[1] === 'w+') {
        isBegun = true;
        begun.resolve();
        await written.promise;
      }
      return file;
    });
    syncBuiltinESMExports();
    try {
      const task = await runner.outcome((await runner.finishAgain(id)).id);
      assert.deepEqual(task.results[0]?.finished, { got: { width: 60, height: 40 } });
      assert.deepEqual((await readdir(images)).toSorted(), ['a-red-fox.png', 'a-red-fox.webp']);
    } finally {
      test.mock.restoreAll();
      syncBuiltinESMExports();
      written.resolve();
      await second;
    }
    assert.deepEqual(await readdir(join(world.home, 'incoming')), []);
  });

  it('saves the size and the format that were asked for, and keeps what the service sent', async () => {
    const answered = await halves(60, 40);
    const how = {
      size: { width: 20, height: 20 },
      encoding: { format: 'webp', lossless: true },
      fit: { by: 'crop', focus: { x: 1, y: 0.5 } },
    } as const;
    const result = await assertFinished(
      await outcomeOf(requestFor(answered, how)),
      'a-red-fox.webp',
      answered,
    );
    assert.deepEqual(result.finished, { got: { width: 60, height: 40 }, scaled: 'down' });
    const { data } = await sharp(await readFile(join(images, 'a-red-fox.webp')))
      .raw()
      .toBuffer({ resolveWithObject: true });
    // The left half begins with a quarter of red.
    assert.deepEqual([...data.subarray(0, 3), ...data.subarray(8 * 3, 9 * 3)], [255, 0, 0, 0, 0, 255]);
  });

  it('keeps an extension as it is written, and gives files of another format their own', async () => {
    const [opaque, sixteen] = [
      await halves(8, 8),
      await sharp(await halves(8, 8))
        .toColourspace('rgb16')
        .png()
        .toBuffer(),
    ];
    const how = { encoding: { format: 'jpeg', quality: 90 } } as const;
    await assertFinished(await outcomeOf(requestFor(opaque, how, 'Fox.JPEG')), 'Fox.JPEG', opaque);
    await rm(images, { recursive: true });
    const task = await outcomeOf(requestFor(sixteen, how, 'Fox.JPEG'));
    assert.deepEqual(await readdir(images), ['Fox.png']);
    assert.deepEqual(await readFile(join(images, 'Fox.png')), sixteen);
    const { finished, answer } = task.results[0] ?? {};
    assert.deepEqual([finished, answer], [{ got: { width: 8, height: 8 }, untouched: '16bit' }, undefined]);
  });

  it('saves what came where it is damaged, and says why', async () => {
    const answered = await halves(60, 40);
    const damaged = Buffer.from(answered).fill(7, 60, 100);
    const task = await outcomeOf(requestFor(damaged, { size: { width: 10, height: 10 } }));
    assert.equal(task.status, 'completed');
    assert.deepEqual(await readFile(join(images, 'a-red-fox.png')), damaged);
    const { finished, damage } = task.results[0] ?? {};
    assert.equal(finished, undefined);
    assert.match(damage ?? '', /at byte 54/u);
  });

  it('keeps what the service sent for 30 days', async () => {
    const { results } = await outcomeOf(
      requestFor(await halves(60, 40), { size: { width: 20, height: 20 } }),
    );
    const path = results[0]?.answer?.path ?? '';
    const engine = await world.open();
    for (const [days, isKept] of [
      [29, true],
      [31, false],
    ] as const) {
      const then = new Date(Date.now() - days * 24 * 3_600_000);
      await utimes(dirname(path), then, then);
      await engine.runner.resumeUnfinished();
      assert.equal(existsSync(path), isKept);
    }
  });

  it('saves what came where finishing takes too much memory, or its rows are too long, and says why', async () => {
    for (const [width, height, how, why] of [
      [70_000, 1, { size: { width: 64, height: 64 } }, /70000 pixels wide/u],
      [16, 16, { size: { width: 9000, height: 9000 }, encoding: { format: 'png' } }, /takes about \d+ MB/u],
    ] as const) {
      const answered = await sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
        .png()
        .toBuffer();
      const { status, results } = await outcomeOf(requestFor(answered, how));
      assert.equal(status, 'completed');
      const { uri = '', finished } = results[0] ?? {};
      assert.deepEqual(await readFile(fileURLToPath(uri)), answered);
      assert.match(finished && 'problem' in finished ? finished.problem : '', why);
    }
  });

  it('refuses what cannot be carried out before anything is sent', async () => {
    const { runner } = await world.open();
    for (const finish of [
      { size: { width: 0, height: 5 } },
      { encoding: { format: 'jpeg', quality: 101 } },
      { size: { width: 20_000, height: 20_000 } },
    ]) {
      // As other programs pass it, unchecked.
      const request = Object.assign(world.request(), { finish });
      await assert.rejects(runner.start(request), { code: 'invalid_request' });
    }
    assert.deepEqual(world.service.seen, []);
  });

  it('finishes the image with the pixels outside the mask put back', async () => {
    const codecs = new Codecs();
    after(() => codecs.dispose());
    const { request, answered } = await maskedEdit(world, codecs);
    const finish = { encoding: { format: 'webp', lossless: true } } as const;
    const result = await assertFinished(await outcomeOf({ ...request, finish }), 'a-red-fox.webp', answered);
    assert.equal(result.keptOutside, true);
    const { data, info } = await sharp(await readFile(join(images, 'a-red-fox.webp')))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    for (let at = 0; at < data.length; at += 4) {
      const [x, y] = [(at / 4) % info.width, Math.floor(at / 4 / info.width)];
      if (isOutside(x, y)) {
        assert.deepEqual(
          [...data.subarray(at, at + 4)],
          [...original.rgba.subarray(at, at + 4)],
          `${x},${y}`,
        );
      }
    }
  });

  describe('in a process that is killed', () => {
    const moments: readonly (readonly [when: string, step: string])[] = [
      ['it is to be whole', 'rename part to arrived#2'],
      ['the file is to get its name', 'link temporary to other#1'],
      ['the finished picture is to be written', 'open part#2'],
      ['what came is to be kept', 'rename part to other#1'],
      ['what came is to go from where it arrived', 'unlink arrived#1'],
    ];
    for (const [when, step] of fuzzRuns(moments.slice(0, 2), moments)) {
      it(`pays once and finishes once when it was killed as ${when}`, async () => {
        const answered = await halves(60, 40);
        const request = requestFor(answered, {
          size: { width: 30, height: 30 },
          encoding: { format: 'jpeg', quality: 90 },
        });
        assert.equal(await inProcess(step, world.home, JSON.stringify(request)), 'killed');
        assert.equal(await inProcess('', world.home), 0);
        const [task] = (await world.open()).store.list({ limit: 10 });
        assert.ok(task);
        await assertFinished(task, 'a-red-fox.jpg', answered);
        assert.deepEqual(await readdir(join(world.home, 'incoming')), []);
        assert.equal(world.service.count(generations), 1);
      });
    }
  });
});
