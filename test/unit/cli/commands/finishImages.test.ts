import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import sharp from 'sharp';
import * as v from 'valibot';
import { finishImages, type FinishOptions } from '../../../../src/cli/commands/finishImages.ts';
import { Collected } from '../../../support/cli/collected.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';
import { withTemporaryFolder } from '../../../support/temporaryFolder.ts';

/** Runs the command, and returns its exit code and what it printed. */
async function finish(
  paths: string[],
  options: FinishOptions,
): Promise<{ code: number; results: string[]; said: string[] }> {
  const output = new Collected(options.json);
  const code = await finishImages(paths, options, output);
  return { code, results: output.results, said: output.said };
}

describe('files of limner finish', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(memoryFolder, 'limner-finish-'));
  });
  afterEach(async () => rm(folder, { recursive: true }));

  /** Makes a file of one color. */
  async function picture(name: string, width: number, height: number): Promise<string> {
    const path = join(folder, name);
    const image = sharp({ create: { width, height, channels: 4, background: '#ff0000' } });
    await image.toFormat(name.endsWith('.png') ? 'png' : 'webp').toFile(path);
    return path;
  }

  it('take the first name that is free, with the extension of what they are, and leave nothing else', async (test) => {
    withTemporaryFolder(test, folder);
    const hero = await picture('hero.photo.png', 30, 20);
    await writeFile(join(folder, 'hero.photo.jpg'), 'taken');
    const { code, results, said } = await finish([hero], { format: 'jpeg', quality: 50 });
    assert.deepEqual([code, results, said], [0, [join(folder, 'hero.photo-2.jpg')], []]);
    assert.equal((await sharp(results[0]).metadata()).format, 'jpeg');
    assert.equal(await readFile(join(folder, 'hero.photo.jpg'), 'utf8'), 'taken');
    assert.equal((await readdir(folder)).length, 3);
  });

  it('are told of one by one, with all that became of them', async () => {
    const [small, exact] = [await picture('small.png', 15, 10), await picture('exact.png', 30, 20)];
    const missing = join(folder, 'missing.png');
    const target = join(folder, 'new', 'files');
    const options = { size: '30x20', fit: 'crop', folder: target } as const;
    const { code, results, said } = await finish([small, missing, exact], options);
    assert.deepEqual(results, [join(target, 'small.png'), exact]);
    assert.deepEqual(said, [
      'small.png: 15 × 10 became 30 × 20.',
      'small.png: Scaled up. This adds no detail.',
      `error: ${missing}: It can't be read.`,
      'exact.png: The image is already as asked for.',
    ]);
    assert.equal(code, 1);
    assert.deepEqual((await readdir(target)).toSorted(), ['small.png']);
    assert.equal((await finish([exact], options)).code, 0);
  });

  it('are made of all that a pattern matches, where it is no name', async (test) => {
    withTemporaryFolder(test, folder);
    const pictures = ['b.png', 'a.png', '[a].png'];
    for (const name of [...pictures, 'c.webp']) {
      await picture(name, 6, 4);
    }
    const target = join(folder, 'new');
    const made = async (pattern: string): Promise<string[]> => {
      const { results } = await finish([join(folder, pattern)], { format: 'jpeg', folder: target });
      await rm(target, { recursive: true });
      return results.map((path) => basename(path));
    };
    assert.deepEqual(await made('*.png'), ['[a].jpg', 'a.jpg', 'b.jpg']);
    assert.deepEqual(await made('[a].png'), ['[a].jpg']);
    assert.deepEqual(await made('[a]*.png'), ['[a].jpg']);
    assert.deepEqual(await made('?.png'), ['a.jpg', 'b.jpg']);
    const none = await finish([join(folder, '*.gif')], { format: 'jpeg' });
    assert.deepEqual([none.code, none.said], [1, [`error: ${join(folder, '*.gif')}: No file matches.`]]);
  });

  it('are told of in JSON, with the images that they were made of', async () => {
    const [small, text] = [await picture('small.png', 15, 10), join(folder, 'text.png')];
    await writeFile(text, 'no image');
    const { code, results, said } = await finish([small, text], { size: '5x5', fit: 'stretch', json: true });
    assert.deepEqual(
      results.map((line): unknown => JSON.parse(line)),
      [
        {
          file: join(folder, 'small-2.png'),
          from: small,
          mediaType: 'image/png',
          size: { width: 5, height: 5 },
          got: { width: 15, height: 10 },
          scaled: 'down',
        },
        {
          from: text,
          error: { code: 'unsupported_image', message: "The file isn't a PNG, JPEG, or WebP image." },
        },
      ],
    );
    assert.deepEqual(said, [
      'small.png: 15 × 10 became 5 × 5.',
      `error: ${text}: The file isn't a PNG, JPEG, or WebP image.`,
    ]);
    assert.equal(code, 1);
  });

  it('are made of a cut-out that failed its check only if asked for', async () => {
    // The subject fills all four corners.
    const cross = join(folder, 'cross.png');
    const data = Uint8Array.from({ length: 3 * 60 * 60 }, (_, index) => {
      const [x, y] = [Math.floor(index / 3) % 60, Math.floor(index / 180)];
      const isGround = Math.abs(x - 30) < 20 || Math.abs(y - 30) < 20;
      return [isGround ? 0 : 200, isGround ? 255 : 40, isGround ? 0 : 60][index % 3] ?? 0;
    });
    await sharp(data, { raw: { width: 60, height: 60, channels: 3 } })
      .png()
      .toFile(cross);
    const refused = await finish([cross], { transparent: true });
    assert.deepEqual([refused.code, refused.results], [1, [cross]]);
    assert.match(refused.said.join(), /The background was not removed: 4 of the 4 corners/u);
    const kept = await finish([cross], { transparent: true, anyway: true });
    assert.deepEqual([kept.code, kept.results], [0, [join(folder, 'cross-2.png')]]);
    assert.match(kept.said.join(), /The background was removed although the check failed: 4 of the 4/u);
    assert.equal((await sharp(kept.results[0]).stats()).isOpaque, false);
    await assert.rejects(finish([cross], { format: 'webp', anyway: true }), /--anyway/u);
  });

  it('are not made of images whose background is no flat color, or that are animated', async () => {
    const noise = join(folder, 'noise.png');
    const data = Uint8Array.from({ length: 3 * 32 * 32 }, (_, index) => (index * 7919) % 251);
    await sharp(data, { raw: { width: 32, height: 32, channels: 3 } })
      .png()
      .toFile(noise);
    const cut = await finish([noise], { transparent: true, size: '8x8', json: true });
    const text = 'The background is not one flat color.';
    assert.deepEqual(
      cut.results.map((line): unknown => JSON.parse(line)),
      [
        {
          file: noise,
          from: noise,
          got: { width: 32, height: 32 },
          size: { width: 32, height: 32 },
          cutout: { verdict: 'bad', reasons: [{ flaw: 'no_ground', text }] },
        },
      ],
    );
    assert.deepEqual([cut.code, cut.said], [1, [`noise.png: The background was not removed: ${text}`]]);

    const moving = join(folder, 'moving.webp');
    const frames = await Promise.all(
      ['#f00', '#00f'].map(async (background) =>
        sharp({ create: { width: 9, height: 9, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    await sharp(frames, { join: { animated: true } })
      .webp({ loop: 0, delay: [50, 50] })
      .toFile(moving);
    assert.deepEqual(await finish([moving], { size: '5x5' }), {
      code: 1,
      results: [moving],
      said: ['moving.webp: Animated images stay as they are.'],
    });
    assert.deepEqual((await readdir(folder)).toSorted(), ['moving.webp', 'noise.png']);
  });

  /** Makes a JPEG file of noise. */
  async function photo(name: string): Promise<string> {
    const path = join(folder, name);
    const data = Uint8Array.from({ length: 3 * 96 * 96 }, (_, index) => (index * 7919) % 251);
    await sharp(data, { raw: { width: 96, height: 96, channels: 3 } })
      .jpeg({ quality: 80 })
      .toFile(path);
    return path;
  }

  it('are made of damaged images as well, whose names and damage are told, and of nothing else', async () => {
    const [torn, whole] = [await photo('torn.jpg'), await photo('whole.jpg')];
    const bytes = await readFile(torn);
    await writeFile(torn, bytes.fill(0, bytes.length >> 1, bytes.length - 300));
    for (const [format, name] of [
      ['webp', 'torn.webp'],
      ['jpeg', 'torn.jpg'],
    ] as const) {
      const { code, results, said } = await finish([torn, whole], { format, json: true });
      const [made, other] = results.map((line): unknown => JSON.parse(line));
      const { file, damage } = v.parse(v.object({ file: v.string(), damage: v.string() }), made);
      assert.equal(file, join(folder, name));
      assert.match(damage, /^the decoder reports "Corrupt JPEG data/u);
      assert.ok(said.includes(`torn.jpg: The original is damaged: ${damage}.`), said.join('\n'));
      assert.doesNotMatch(JSON.stringify(other), /damage/u);
      assert.equal(code, 1);
    }
    const gone = join(folder, 'gone.png');
    await writeFile(gone, (await readFile(await picture('hero.png', 30, 20))).fill(9, 60, 70));
    const { code, results, said } = await finish([gone], { format: 'webp' });
    assert.deepEqual([code, results], [1, []]);
    assert.match(said.join('\n'), /^error: \S*gone\.png: The png image is damaged: .* at byte \d+/u);
  });

  it('are written once more in a quality, in whatever format they have', async () => {
    const hero = await photo('hero.jpg');
    const size = (await readFile(hero)).length;
    const { code, results, said } = await finish([hero], { quality: 20 });
    assert.deepEqual([code, results, said], [0, [join(folder, 'hero-2.jpg')], []]);
    assert.ok((await readFile(results[0] ?? '')).length < size / 2);
    assert.deepEqual(await finish([hero], { format: 'jpeg', quality: 100 }), {
      code: 0,
      results: [join(folder, 'hero-3.jpg')],
      said: ['hero.jpg: The new file is not smaller than the original.'],
    });
    const lossless = await picture('flat.webp', 30, 20);
    assert.deepEqual((await finish([lossless], { quality: 50 })).results, [join(folder, 'flat-2.webp')]);
    const flat = await picture('flat.png', 30, 20);
    assert.deepEqual(await finish([flat], { quality: 50 }), {
      code: 1,
      results: [],
      said: [`error: ${flat}: Only JPEG and WebP files have a quality. Choose one of these formats.`],
    });
  });

  const refused: [string, FinishOptions, string][] = [
    ['a way to fit that has nothing to do', { fit: 'stretch' }, 'Use --fit with --size.'],
    [
      'a point without a crop',
      { fit: 'pad', size: '9x9', focus: { x: 0, y: 0 } },
      'Use --focus with --fit crop.',
    ],
    [
      'a transparent JPEG file',
      { transparent: true, format: 'jpeg' },
      "JPEG files can't be transparent. Choose PNG or WebP, or pad with a color.",
    ],
  ];
  for (const [what, options, message] of refused) {
    it(`are not made for ${what}, nor is their folder`, async () => {
      await assert.rejects(finish([join(folder, 'a.png')], { ...options, folder: join(folder, 'new') }), {
        code: 'invalid_request',
        message,
      });
      assert.deepEqual(await readdir(folder), []);
    });
  }
});
