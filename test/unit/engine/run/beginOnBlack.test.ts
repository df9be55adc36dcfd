import assert from 'node:assert/strict';
import { existsSync, renameSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import sharp from 'sharp';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import { taskOnBlack } from '../../../../src/engine/task/twoBackgrounds.ts';
import type { Task, TaskRequest } from '../../../../src/engine/task/task.ts';
import { World } from '../../../support/engine/world.ts';
import { json } from '../../../support/service/loopbackService.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { inProcess } from './killedProcess.ts';

const [generations, edits] = ['POST /v1/images/generations', 'POST /v1/images/edits'];

/** A red square through half of which the ground shows. */
async function glassOn(background: string): Promise<Buffer> {
  const glass = { create: { width: 60, height: 60, channels: 4, background: '#ff000080' } } as const;
  return sharp({ create: { width: 120, height: 120, channels: 4, background } })
    .composite([{ input: await sharp(glass).png().toBuffer(), left: 30, top: 30 }])
    .png()
    .toBuffer();
}

const answer = (picture: Buffer): ReturnType<typeof json> =>
  json(200, { created: 1, data: [{ b64_json: picture.toString('base64') }] });

describe('a picture on white, and then on black', () => {
  let world: World;
  let images: string;

  async function prepare(): Promise<void> {
    world = await World.create();
    images = join(world.workspace, 'images');
    world.service
      .on(generations, answer(await glassOn('#ffffff')))
      .on(edits, answer(await glassOn('#000000')));
  }
  beforeEach(prepare);
  afterEach(() => world.dispose());

  function request(): TaskRequest {
    const asked = world.request({
      callStyle: 'sync',
      onBlack: { finish: { cutout: { by: 'grounds' } }, fileName: '{prompt}' },
    });
    return { ...asked, target: { ...asked.target, fileName: '{prompt}-on-white' } };
  }

  it('become one with the transparency of glass, which costs two requests', async () => {
    const { runner } = await world.open();
    const task = await runner.outcome((await runner.start(request())).id);
    assert.equal(task.status, 'completed', JSON.stringify(task));
    assert.deepEqual(await readdir(images), ['a-red-fox-on-white.png', 'a-red-fox.png']);
    const { data, info } = await sharp(await readFile(join(images, 'a-red-fox.png')))
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.equal(info.channels, 4);
    const [ground, glass] = [0, (60 * info.width + 60) * 4].map((at) =>
      Array.from(data.subarray(at, at + 4)),
    );
    assert.equal(ground?.[3], 0);
    const [red = 0, green = 255, blue = 255, alpha = 0] = glass ?? [];
    assert.ok(red > 245 && green < 10 && blue < 10 && Math.abs(alpha - 128) <= 3, String(glass));
    assert.deepEqual([world.service.count(generations), world.service.count(edits)], [1, 1]);
  });

  it('are asked for once, also when the first one is saved again and the second one removed', async () => {
    const { runner, store } = await world.open();
    const { id } = await runner.start(request());
    const second = await runner.outcome(id);
    await store.remove(second.id);
    await assert.rejects(runner.saveAgain(id));
    assert.equal((await runner.outcome(id)).id, id);
    assert.deepEqual([world.service.count(generations), world.service.count(edits)], [1, 1]);
  });

  it('are refused for several images at once and for folders that are not on disk, before anything is sent', async () => {
    const { runner } = await world.open();
    const { target } = request();
    for (const refused of [{ n: 2 }, { target: { ...target, folder: 'memfs:/images', root: 'memfs:/' } }]) {
      await assert.rejects(runner.start({ ...request(), ...refused }), {
        code: 'invalid_request',
        sent: false,
      });
    }
    assert.equal(world.service.count(generations), 0);
  });

  it('are no edit after a person stopped the first one, though its image came', async () => {
    const b64_json = (await glassOn('#ffffff')).toString('base64');
    world.service.on(generations, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`{"created":1,"data":[{"b64_json":"${b64_json}"},`);
    });
    const engine = await world.open();
    const { id } = await engine.runner.start(request());
    await world.when(engine, id, ({ results }) => results.length > 0);
    await engine.runner.stop(id);
    const task = await engine.runner.outcome(id);
    assert.deepEqual([task.results[0]?.state, taskOnBlack(task)], ['saved', undefined]);
    assert.equal(world.service.count(edits), 0);
  });

  /** Returns an edit that waits for a user, since a later window than the one that ordered it saved the first image. */
  async function heldEdit(): Promise<{ engine: Engine; id: string; second: Task }> {
    const first = await world.open();
    world.service.on(generations, async (incoming, response) => {
      // The disk is full, or away, once it is paid for.
      await rm(world.workspace, { recursive: true });
      await answer(await glassOn('#ffffff'))(incoming, response);
    });
    const { id } = await first.runner.start(request());
    const kept = await first.runner.outcome(id);
    assert.deepEqual([kept.status, kept.results[0]?.state], ['completed', 'staged']);
    await world.close(first);
    await mkdir(images, { recursive: true });
    const engine = await world.open();
    await engine.runner.resumeUnfinished();
    const saved = await engine.runner.outcome(id);
    assert.equal(saved.results[0]?.state, 'saved');
    const second = engine.store.get(taskOnBlack(saved) ?? '');
    assert.deepEqual([second?.status, second?.held], ['waiting', true]);
    return { engine, id, second: second ?? assert.fail() };
  }

  it('are an edit that waits for a person where the first image is saved by a later window', async () => {
    const { engine, id, second } = await heldEdit();
    assert.equal(world.service.count(edits), 0);
    await engine.runner.sendNow(second.id);
    assert.equal((await engine.runner.outcome(id)).status, 'completed');
    assert.equal(world.service.count(edits), 1);
  });

  for (const [what, change] of Object.entries({
    deleted: async (file: string) => rm(file),
    changed: async (file: string) => writeFile(file, await glassOn('#112233')),
  })) {
    it(`become one although the first one is ${what} while the edit of it waits for a person`, async () => {
      const { engine, id, second } = await heldEdit();
      await world.close(engine);
      await change(join(images, 'a-red-fox-on-white.png'));
      const { runner } = await world.open();
      // Clears away what no task needs.
      await runner.resumeUnfinished();
      await runner.sendNow(second.id);
      const { status, results } = await runner.outcome(id);
      assert.equal(status, 'completed', JSON.stringify(results));
      const { channels } = await sharp(await readFile(join(images, 'a-red-fox.png'))).metadata();
      assert.equal(channels, 4);
      assert.deepEqual([world.service.count(generations), world.service.count(edits)], [1, 1]);
    });
  }

  it('are no edit where the first one is gone before it can be read, which says so', async () => {
    const { runner, store } = await world.open();
    const { id } = await runner.start(request());
    const file = join(images, 'a-red-fox-on-white.png');
    store.onDidChange(() => {
      if (store.get(id)?.results[0]?.state === 'saved' && existsSync(file)) {
        // At once: the next step reads it.
        renameSync(file, join(world.workspace, 'elsewhere.png'));
      }
    });
    const { status, results } = await runner.outcome(id);
    assert.deepEqual([status, results[0]?.state], ['completed', 'saved']);
    assert.deepEqual(results[0]?.finished, {
      problem:
        'The image on black was not generated: "a-red-fox-on-white.png" was moved, changed, or deleted before it could be edited.',
    });
    assert.ok(existsSync(join(world.workspace, 'elsewhere.png')));
    assert.equal(world.service.count(edits), 0);
  });

  it('are no edit of an image that is damaged or on no flat background, which says so', async () => {
    const whole = await glassOn('#ffffff');
    const noise = await sharp(randomBytes(3 * 120 * 120), { raw: { width: 120, height: 120, channels: 3 } })
      .png()
      .toBuffer();
    const { runner } = await world.open();
    for (const useless of [whole.subarray(0, whole.length - 200), noise]) {
      world.service.on(generations, answer(useless));
      const task = await runner.outcome((await runner.start(request())).id);
      const { finished } = task.results[0] ?? {};
      assert.ok(finished && 'problem' in finished);
      assert.match(finished.problem, /^The image on black was not generated: /u);
    }
    assert.equal(world.service.count(edits), 0);
  });

  for (const background of ['#00ff00', '#000000']) {
    it(`are no edit of one on ${background}, which black could not be told from: it says what costs nothing`, async () => {
      world.service.on(generations, answer(await glassOn(background)));
      const { runner } = await world.open();
      const task = await runner.outcome((await runner.start(request())).id);
      assert.deepEqual(task.results[0]?.finished, {
        problem:
          'The image on black was not generated: The background is one flat color, but not white. Remove Background… or limner finish --transparent can remove it at no cost.',
      });
      assert.deepEqual(await readdir(images), ['a-red-fox-on-white.png']);
      assert.equal(world.service.count(edits), 0);
    });
  }

  it('are not needed where the first one is transparent already: it is finished at the cost of one', async () => {
    world.service.on(generations, answer(await glassOn('#00000000')));
    const { runner } = await world.open();
    const asked = request();
    const { onBlack = { finish: {}, fileName: '' } } = asked;
    const size = { width: 60, height: 60 };
    const { id } = await runner.start({
      ...asked,
      onBlack: { ...onBlack, finish: { ...onBlack.finish, size } },
    });
    const task = await runner.outcome(id);
    const { finished } = task.results[0] ?? {};
    assert.ok(finished && 'cutout' in finished, JSON.stringify(finished));
    assert.equal(task.id, id);
    assert.deepEqual(await readdir(images), ['a-red-fox.png']);
    const { channels, width } = await sharp(await readFile(join(images, 'a-red-fox.png'))).metadata();
    assert.deepEqual([channels, width], [4, 60]);
    assert.equal(world.service.count(edits), 0);
  });

  it('are paid once each, whenever the process is killed on the way from one to the other', async () => {
    const seen = new Set<string>();
    const all = Array.from({ length: 17 }, (_, index) => index + 1);
    // A lease that is renewed meanwhile is a commit, too, and moves the numbers of the others.
    const commits = fuzzRuns([14, 15, 13, 16, 12], all);
    const wanted = ['saved, named, undefined', 'saved, named, waiting'];
    for (let turn = 0; turn < fuzzRuns(1, all.length) || !wanted.every((state) => seen.has(state)); turn++) {
      const commit = commits[turn % commits.length];
      await world.dispose();
      await prepare();
      await inProcess(`commit#${commit}`, world.home, JSON.stringify(request()), '1');
      const killed = await world.open();
      const [first, second] = killed.store.list({ limit: 10 }).toReversed();
      seen.add(
        `${first?.results[0]?.state}, ${first && taskOnBlack(first) ? 'named' : 'not named'}, ${second?.status}`,
      );
      await world.close(killed);
      assert.equal(await inProcess('', world.home), 0);
      const { runner, store } = await world.open();
      for (const { id, held } of store.list({ limit: 10 })) {
        // What was not sent before a crash waits for a user.
        await (held && runner.sendNow(id).then(async () => runner.outcome(id)));
      }
      const paid = [world.service.count(generations), world.service.count(edits)];
      const isWhole = first?.results[0] !== undefined;
      assert.ok(Math.max(...paid) <= 1, `${commit}: ${String(paid)}`);
      assert.ok(
        !isWhole || (paid[1] === 1 && existsSync(join(images, 'a-red-fox.png'))),
        `${commit}: ${String(paid)}`,
      );
    }
  });
});
