import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import * as v from 'valibot';
import { jsonError, linesOf, World } from '../../support/cli/limner.ts';

/** A picture that is red on its left and blue on its right. */
async function halves(width: number, height: number): Promise<Buffer> {
  const half = await sharp({ create: { width: width / 2, height, channels: 3, background: '#0000ff' } })
    .png()
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
    .composite([{ input: half, left: width / 2, top: 0 }])
    .png()
    .toBuffer();
}

/** The color of a pixel, as sharp reads it. */
async function pixel(file: Buffer, left: number, top: number): Promise<number[]> {
  const raw = await sharp(file).ensureAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return [...raw];
}

const line = v.object({
  file: v.string(),
  from: v.string(),
  mediaType: v.string(),
  size: v.object({ width: v.number(), height: v.number() }),
  untouched: v.optional(v.string()),
});

describe('limner finish', { concurrency: 2 }, () => {
  it('writes another format beside the image, which stays, and sends nothing', async () => {
    await using world = await World.open();
    const original = await halves(60, 40);
    await writeFile(world.path('hero.png'), original);
    const { code, stdout, stderr } = await world.run([
      'finish',
      'hero.png',
      '--format',
      'webp',
      '--lossless',
    ]);
    assert.deepEqual([code, stdout], [0, `${world.path('hero.webp')}\n`], stderr);
    const { format, width, height } = await sharp(world.path('hero.webp')).metadata();
    assert.deepEqual([format, width, height], ['webp', 60, 40]);
    assert.deepEqual(await pixel(await readFile(world.path('hero.webp')), 10, 10), [255, 0, 0, 255]);
    assert.deepEqual(await readFile(world.path('hero.png')), original);
    assert.deepEqual(await world.posts(), []);
  });

  it('makes a file of its own of each image, in a folder that it creates', async () => {
    await using world = await World.open();
    await writeFile(world.path('a.png'), await halves(60, 40));
    await writeFile(world.path('b.png'), await halves(40, 60));
    const options = ['--size', '30x30', '--fit', 'pad', '--fill', '#00ff00', '--folder', 'new', '--json'];
    const { code, stdout } = await world.run(['finish', 'a.png', 'b.png', ...options]);
    assert.equal(code, 0);
    const [first, second] = linesOf(stdout).map((each) => v.parse(line, JSON.parse(each)));
    assert.deepEqual(
      [first, second].map((each) => each?.file),
      [world.path('new/a.png'), world.path('new/b.png')],
    );
    // The color is above one, and beside the other.
    const [wide, tall] = await Promise.all([first, second].map(async (each) => readFile(each?.file ?? '')));
    assert.ok(wide && tall);
    assert.deepEqual(await pixel(wide, 15, 0), [0, 255, 0, 255]);
    assert.deepEqual(await pixel(tall, 0, 15), [0, 255, 0, 255]);
    assert.deepEqual(await pixel(wide, 2, 15), [255, 0, 0, 255]);
  });

  it('says which image it cannot read, and makes the others', async () => {
    await using world = await World.open();
    await writeFile(world.path('hero.png'), await halves(60, 40));
    await world.write('notes.txt', 'no image');
    const images = ['gone.png', 'notes.txt', 'hero.png'];
    const { code, stdout, stderr } = await world.run(['finish', ...images, '--format', 'jpeg']);
    assert.deepEqual([code, stdout], [1, `${world.path('hero.jpg')}\n`]);
    assert.match(stderr, /error: \S*gone\.png: It can't be read\./);
    assert.match(stderr, /error: \S*notes\.txt: The file isn't a PNG, JPEG, or WebP image\./);
  });

  for (const [options, message] of [
    [['--format', 'png', '--quality', '80'], 'Only JPEG and WebP files have a quality.'],
    [
      ['--size', '10x10', '--fit', 'pad', '--fill', 'red'],
      'The fill must be "transparent", "edge", or a color like "#ff8800".',
    ],
  ] as const) {
    it(`refuses ${options.join(' ')} before it reads anything`, async () => {
      await using world = await World.open();
      const { code, stdout } = await world.run(['finish', 'gone.png', ...options, '--json']);
      assert.equal(code, 2);
      assert.ok(jsonError(stdout).message.startsWith(message), stdout);
    });
  }

  for (const options of [
    ['--format', 'gif'],
    ['--size', 'large'],
    ['--multiples', '7'],
  ]) {
    it(`refuses ${options.join(' ')} as a usage error`, async () => {
      await using world = await World.open();
      assert.equal((await world.run(['finish', 'hero.png', ...options])).code, 2);
    });
  }
});
