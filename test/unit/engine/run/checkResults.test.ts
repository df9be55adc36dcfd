import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { systemClock } from '../../../../src/common/clock.ts';
import { isAsAsked } from '../../../../src/engine/operations/modelRules.ts';
import type { TaskResult } from '../../../../src/engine/task/task.ts';
import { quiet, StillWorld } from '../../../support/engine/stillWorld.ts';
import { aResult } from '../../../support/engine/taskBuilders.ts';
import { World } from '../../../support/engine/world.ts';
import { paint } from '../../../support/images/pictures.ts';
import { Random } from '../../../support/random.ts';
import { json, picture } from '../../../support/service/loopbackService.ts';

const random = new Random(5);
const noise = paint(200, 100, () => [random.below(256), random.below(256), random.below(256), 255]);

async function fileOf(format: 'png' | 'jpeg' | 'webp', options: object = {}): Promise<Buffer> {
  const { rgba, ...size } = noise;
  return sharp(rgba, { raw: { ...size, channels: 4 } })
    .removeAlpha()
    .toFormat(format, options)
    .toBuffer();
}

/** Writes over bytes in the middle of a file. */
function damaged(file: Buffer, ...bytes: number[]): Buffer {
  const changed = Buffer.from(file);
  changed.set(bytes, file.length >> 1);
  return changed;
}

const zeros = Array.from({ length: 3000 }, () => 0);

describe('pictures that arrive', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.create();
  });
  afterEach(async () => world.dispose());

  /** Saves pictures that come within one answer, each as it came, and returns what is wrong with each. */
  async function flawsOf(files: readonly Buffer[]): Promise<(string | undefined)[]> {
    const data = files.map((file) => ({ b64_json: file.toString('base64') }));
    world.service.on('POST /v1/images/generations', json(200, { created: 1, data }));
    const { runner } = await world.open({ clock: systemClock });
    const request = world.request({ n: files.length, callStyle: 'sync' });
    const { status, results } = await runner.outcome((await runner.start(request)).id);
    assert.equal(status, 'completed');
    for (const [index, result] of results.entries()) {
      assert.deepEqual(await readFile(fileURLToPath(result.uri ?? '')), files[index]);
      assert.equal(isAsAsked(request, result), result.damage === undefined);
    }
    return results.map(({ damage }) => damage);
  }

  it('are called damaged where a checksum is wrong, or a decoder reports something', async () => {
    const [png, jpeg, progressive] = [
      await fileOf('png'),
      await fileOf('jpeg'),
      await fileOf('jpeg', { progressive: true }),
    ];
    const webp = await fileOf('webp');
    const found = await flawsOf([
      damaged(png, ...zeros),
      damaged(jpeg, ...zeros),
      damaged(jpeg, 0xff, 0x13),
      damaged(progressive, ...zeros),
      // All of it is there by its length, but not by its pixels.
      Buffer.concat([
        webp.subarray(0, webp.length >> 1),
        Buffer.alloc(webp.length - (webp.length >> 1), 0xff),
      ]),
    ]);
    assert.match(found[0] ?? '', /^the checksum of chunk IDAT at byte \d+ is wrong$/u);
    for (const flaw of found.slice(1, 4)) {
      assert.match(flaw ?? '', /^the decoder reports "Corrupt JPEG data: /u);
    }
    assert.equal(found[4], "its pixels can't be decoded");
  });

  it('are not called damaged for what every decoder reads, or what none can tell', async () => {
    const whole = [await fileOf('png'), await fileOf('jpeg'), await fileOf('webp')];
    const longer = whole.map((file) => Buffer.concat([file, Buffer.from('more')]));
    const moving = await sharp([await fileOf('png'), await fileOf('jpeg')], { join: { animated: true } })
      .webp()
      .toBuffer();
    assert.deepEqual(
      await flawsOf([...whole, ...longer, moving]),
      Array.from({ length: 7 }, () => undefined),
    );
  });
});

describe('the check of pictures', () => {
  const url = 'https://results.example/0.png';
  let world: StillWorld;
  beforeEach(async () => {
    world = await StillWorld.create();
  });
  afterEach(async () => world.dispose());

  async function saved(id: string): Promise<TaskResult | undefined> {
    await quiet();
    const { status, results } = world.task(id);
    return status === 'completed' && results[0]?.state === 'saved' ? results[0] : undefined;
  }

  async function save(): Promise<string> {
    const completedAt = world.clock.now();
    return world.goOn({ status: 'saving', completedAt, results: [aResult({ url })] });
  }

  it('keeps no picture from being saved when it fails, or takes too long', async () => {
    world.findFlaw = async () => {
      throw new Error('The thread broke down.');
    };
    const failed = await saved(await save());
    assert.ok(failed && failed.damage === undefined);

    const { promise } = Promise.withResolvers<undefined>();
    world.findFlaw = async () => promise;
    const id = await save();
    assert.equal(await saved(id), undefined);
    await world.pass(10_000);
    assert.ok(await saved(id));
  });

  it('has a damaged picture fetched again a few times, in case it was damaged on its way', async () => {
    const bytes = [picture('1'), picture('2')];
    world.download = async (_service, _url, sink) => {
      await sink.write(bytes.shift() ?? picture());
      await sink.close();
      return 'image/png';
    };
    world.findFlaw = async (path) => ((await readFile(path)).equals(picture()) ? undefined : 'it is torn');
    const whole = await save();
    assert.equal(
      world.task(whole).results[0]?.error?.message,
      'The image appears to be damaged: it is torn.',
    );
    await world.pass(60_000);
    assert.deepEqual([(await saved(whole))?.damage, world.fetched.length], [undefined, 3]);

    world.findFlaw = async () => 'it is torn';
    const torn = await save();
    await world.pass(60_000);
    assert.deepEqual([(await saved(torn))?.damage, world.fetched.length], ['it is torn', 3 + 4]);
  });
});
