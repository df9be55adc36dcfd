import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { decodeIco } from 'icojs';
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

/** A circle on transparency, with a spot in its upper left corner. */
async function logo(side: number): Promise<Buffer> {
  const shapes =
    '<circle cx="50" cy="50" r="48" fill="#dd3333"/><rect width="12" height="12" fill="#0066cc"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="${side}" height="${side}">${shapes}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

/** How far from the middle another color than that of the corner is found, in shares of the side. */
async function reach(file: string): Promise<number> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const corner = data.subarray(0, 4);
  let farthest = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (Buffer.compare(data.subarray(at, at + 4), corner) !== 0) {
      const [x, y] = [(at / 4) % info.width, Math.floor(at / 4 / info.width)];
      farthest = Math.max(farthest, Math.hypot(x + 0.5 - info.width / 2, y + 0.5 - info.height / 2));
    }
  }
  return farthest / info.width;
}

const setLine = v.object({
  files: v.array(v.object({ file: v.string(), size: v.object({ width: v.number(), height: v.number() }) })),
  leftOut: v.array(v.object({ name: v.string() })),
  lines: v.array(v.string()),
  manifest: v.array(v.object({ src: v.string(), sizes: v.string(), purpose: v.optional(v.string()) })),
});

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

  it('makes the icons of a site as browsers and devices want them, twice the same, over nothing', async () => {
    await using world = await World.open();
    await writeFile(world.path('logo.png'), await logo(600));
    await mkdir(world.path('public'));
    await world.write('public/favicon.ico', 'mine');
    const options = ['--set', 'favicon,apple-touch,pwa', '--folder', 'public', '--json'];
    const { code, stdout, stderr } = await world.run(['finish', 'logo.png', ...options]);
    assert.equal(code, 0, stderr);
    const { files, lines, manifest } = v.parse(setLine, JSON.parse(stdout));
    const names = ['favicon-2.ico', 'apple-touch-icon.png', 'icon-192.png', 'icon-512.png'];
    const [favicon = '', apple = '', , , maskable = ''] = files.map(({ file }) => file);
    assert.deepEqual(
      files.map(({ file }) => file),
      [...names, 'icon-maskable-512.png'].map((name) => world.path(`public/${name}`)),
    );
    assert.equal(await readFile(world.path('public/favicon.ico'), 'utf8'), 'mine');
    const icons = await decodeIco(await readFile(favicon));
    assert.deepEqual(
      icons.map(({ width, height }) => [width, height]),
      [16, 32, 48].map((side) => [side, side]),
    );
    const { width, isOpaque } = { ...(await sharp(apple).metadata()), ...(await sharp(apple).stats()) };
    assert.deepEqual([width, isOpaque], [180, true]);
    // Whatever a mask leaves shows the whole subject, and nothing transparent.
    assert.ok((await sharp(maskable).stats()).isOpaque);
    const far = await reach(maskable);
    assert.ok(far > 0.38 && far <= 0.4, String(far));
    assert.deepEqual(lines, [
      '<link rel="icon" href="favicon-2.ico" sizes="16x16 32x32 48x48">',
      '<link rel="apple-touch-icon" href="apple-touch-icon.png">',
      '<link rel="icon" type="image/png" sizes="192x192" href="icon-192.png">',
    ]);
    assert.deepEqual(
      manifest.map(({ src, sizes, purpose }) => [src, sizes, purpose]),
      [
        ['icon-192.png', '192x192', undefined],
        ['icon-512.png', '512x512', undefined],
        ['icon-maskable-512.png', '512x512', 'maskable'],
      ],
    );
    assert.equal((await world.run(['finish', 'logo.png', ...options])).stdout, stdout);
    assert.deepEqual(await world.posts(), []);
  });

  it('makes a picture for denser screens, and leaves out what would be enlarged', async () => {
    await using world = await World.open();
    await writeFile(world.path('hero.png'), await halves(100, 60));
    const { code, stdout } = await world.run([
      'finish',
      'hero.png',
      '--set',
      'densities,webp',
      '--width',
      '40',
      '--json',
    ]);
    assert.equal(code, 0);
    const { files, leftOut, lines } = v.parse(setLine, JSON.parse(stdout));
    assert.deepEqual(
      files.map(({ file, size: { width, height } }) => [file, width, height]),
      [
        [world.path('hero@1x.png'), 40, 24],
        [world.path('hero@2x.png'), 80, 48],
        [world.path('hero@1x.webp'), 40, 24],
        [world.path('hero@2x.webp'), 80, 48],
      ],
    );
    for (const {
      file,
      size: { width, height },
    } of files) {
      const found = await sharp(file).metadata();
      assert.deepEqual([found.width, found.height, found.format], [width, height, file.split('.').at(-1)]);
    }
    assert.deepEqual(
      leftOut.map(({ name }) => name),
      ['hero@3x.png', 'hero@3x.webp'],
    );
    assert.deepEqual(lines, [
      '<picture>',
      '  <source type="image/webp" srcset="hero@1x.webp 1x, hero@2x.webp 2x">',
      '  <img src="hero.png" srcset="hero@1x.png 1x, hero@2x.png 2x" alt="">',
      '</picture>',
    ]);
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
    [['--set', 'favicon,tiles'], 'There is no set "tiles".'],
    [['--set', 'favicon', '--trim', '5%'], '--set and --trim exclude each other.'],
    [['--set', 'pwa', '--fill', 'edge'], 'The background must be a color like "#ff8800".'],
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
