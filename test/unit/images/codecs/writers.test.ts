import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  CodecError,
  Codecs,
  type Encoding,
  jpegSegments,
  type Pixels,
  RangeReader,
} from '../../../../src/images/finish/codecs.ts';
import { readByPngjs, readBySharp, readUprightBySharp, toSharp } from '../../../readers/images.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { assertPixels, colorAt, paint, pictureOf } from '../../../support/images/pictures.ts';
import { recipes } from '../../../support/images/recipes.ts';
import { withProfile } from '../../../../src/images/codecs/colorProfile.ts';
import { profileOfLength, readProfile } from '../../../readers/metadata.ts';
import { readTags } from '../../../readers/tags.ts';
import { exifBlock, withExif } from '../../../support/images/exifFiles.ts';

const numRuns = fuzzRuns(12, 60);

describe('what the codecs write, read by other decoders', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  it('is pixel by pixel what it was, as PNG', async () => {
    await fc.assert(
      fc.asyncProperty(recipes, async (recipe) => {
        const given = pictureOf(recipe);
        const file = await codecs.encode(given, { format: 'png' });
        assertPixels(readByPngjs(file), given);
        assertPixels(await readBySharp(file), given);
      }),
      { numRuns },
    );
  });

  it('is pixel by pixel what it was, as lossless WebP', async () => {
    await fc.assert(
      fc.asyncProperty(recipes, async (recipe) => {
        const given = pictureOf(recipe);
        const file = await codecs.encode(given, { format: 'webp', lossless: true });
        assertPixels(await readBySharp(file), given);
      }),
      { numRuns },
    );
  });

  for (const format of ['jpeg', 'webp'] as const) {
    it(`is as close to what it was as another encoder stays, as ${format}`, async () => {
      await fc.assert(
        fc.asyncProperty(recipes, fc.integer({ min: 1, max: 100 }), async (recipe, quality) => {
          const drawn = pictureOf(recipe);
          // JPEG has no transparency: all of it is seen.
          const given = format === 'jpeg' ? opaque(drawn) : drawn;
          const read = await readBySharp(await codecs.encode(given, { format, quality }));
          const theirs = await readBySharp(await toSharp(given).toFormat(format, { quality }).toBuffer());
          assert.deepEqual([read.width, read.height], [given.width, given.height]);
          assert.ok(
            meanError(read, given) <= 1.5 * meanError(theirs, given) + 3 + 1.5 * coarsestStep(quality),
            `${meanError(read, given)} off, another encoder ${meanError(theirs, given)}`,
          );
          assert.ok(sameAlpha(read, given), 'alpha is exact');
        }),
        { numRuns },
      );
    });
  }

  it('is baseline where a JPEG file is large, for the simplest readers, at low qualities as well', async () => {
    const given = paint(3000, 2100, (x, y) => [x >> 4, y >> 4, (x + y) & 64 ? 200 : 90, 255]);
    for (const quality of [4, 40]) {
      const file = await codecs.encode(given, { format: 'jpeg', quality });
      const types = new Map<string, number>();
      for await (const { type, start } of jpegSegments(new RangeReader(file))) {
        types.set(type, file[start] ?? 0);
      }
      // With tables of eight bits.
      assert.ok(types.has('SOF0') && (types.get('DQT') ?? 16) < 16, [...types.keys()].join());
      assert.ok(meanError(await readBySharp(file), given) < 60 / Math.sqrt(quality));
    }
  });

  it('is refused where a format has no room for it', async () => {
    for (const [format, most] of [
      ['jpeg', 65_500],
      ['webp', 16_383],
    ] as const) {
      for (const [across, down] of [
        [most, 1],
        [1, most],
      ] as const) {
        const strip = paint(across, down, (x, y) => [(x + y) & 255, 7, 99, 255]);
        const { width, height } = await readBySharp(await codecs.encode(strip, { format }));
        assert.deepEqual([width, height], [across, down]);
      }
      const tooLong = paint(most + 1, 1, () => [1, 2, 3, 255]);
      await assert.rejects(
        codecs.encode(tooLong, { format }),
        (error) => error instanceof CodecError && error.message.includes(`${most}`),
      );
    }
  });
});

function opaque(pixels: Pixels): Pixels {
  return { ...pixels, rgba: pixels.rgba.map((level, at) => (at % 4 === 3 ? 255 : level)) };
}

/** Returns the distance between two brightnesses of a flat JPEG, in levels, with the tables of the standard. */
function coarsestStep(quality: number): number {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  return Math.min(255, (16 * percent) / 100) / 8;
}

/** Returns the error of the colors in levels, with each pixel weighted by its opacity. */
function meanError(read: Pixels, given: Pixels): number {
  let sum = 0;
  for (let at = 0; at < given.rgba.length; at++) {
    const seen = (given.rgba[at | 3] ?? 0) / 255;
    sum += seen * Math.abs((read.rgba[at] ?? 0) - (given.rgba[at] ?? 0));
  }
  return sum / ((3 * given.rgba.length) / 4);
}

function sameAlpha(read: Pixels, given: Pixels): boolean {
  return given.rgba.every((level, at) => at % 4 !== 3 || read.rgba[at] === level);
}

const png: Encoding = { format: 'png' };
const encodings: Encoding[] = [
  png,
  { format: 'webp', lossless: true },
  { format: 'webp', quality: 80 },
  { format: 'jpeg', quality: 90 },
];
const files = fc.record({ recipe: recipes, encoding: fc.constantFrom(...encodings) });
const orientations = fc.integer({ min: 1, max: 8 });
/** The levels by which two decoders of JPEG may round differently. */
const jpegRounding = 4;
const derivedRuns = fuzzRuns(10, 40);

describe('what is made of pictures, read by other decoders', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  it('is turned as others turn it, with its profile and without an orientation', async () => {
    const profile = await profileOfLength(500);
    await fc.assert(
      fc.asyncProperty(files, orientations, async ({ recipe, encoding }, orientation) => {
        const plain = await codecs.encode(pictureOf(recipe), encoding);
        const file = withExif(withProfile(plain, profile), exifBlock(orientation));
        const upright = await codecs.upright(file);
        const read = readByPngjs(upright);
        assertPixels(read, await readUprightBySharp(file), encoding.format === 'jpeg' ? jpegRounding : 0);
        assertPixels(await readBySharp(upright), read);
        assert.deepEqual(await readProfile(upright), profile);
        const { exif, xmp, icc } = await readTags(upright);
        assert.deepEqual([exif, xmp, icc?.['ICC Description']?.value], [undefined, undefined, 'sP3C']);
      }),
      { numRuns: derivedRuns },
    );
  });

  it('is the same to the eye in another format, with its profile and without an orientation', async () => {
    const profile = await profileOfLength(500);
    const others = fc.constantFrom(...encodings);
    await fc.assert(
      fc.asyncProperty(files, others, orientations, async ({ recipe, encoding }, other, orientation) => {
        const plain = await codecs.encode(pictureOf(recipe), encoding);
        const file = withExif(withProfile(plain, profile), exifBlock(orientation));
        const converted = await codecs.convert(file, other);
        const [read, seen] = [await readBySharp(converted), await readUprightBySharp(file)];
        assert.deepEqual([read.width, read.height], [seen.width, seen.height]);
        if (other.format === 'png' || 'lossless' in other) {
          assertPixels(read, seen, encoding.format === 'jpeg' ? jpegRounding : 0);
        }
        const { file: about, exif } = await readTags(converted);
        assert.deepEqual([about?.FileType?.value, exif], [other.format, undefined]);
        assert.deepEqual(await readProfile(converted), profile);
      }),
      { numRuns: derivedRuns },
    );
  });

  it('has the levels of a mask, in either convention', async () => {
    const conventions = fc.constantFrom('alpha' as const, 'white' as const);
    const lossless = fc.constantFrom<Encoding>(png, { format: 'webp', lossless: true });
    await fc.assert(
      fc.asyncProperty(recipes, conventions, conventions, lossless, async (recipe, from, to, encoding) => {
        const picture = pictureOf(recipe);
        const given = from === 'alpha' ? withOneHole(picture) : gray(picture);
        const mask = await codecs.convertMask(await codecs.encode(given, encoding), to);
        const expected = paint(given.width, given.height, (x, y) => {
          const [red = 0, , , alpha = 0] = colorAt(given, x, y);
          const level = cleaned(from === 'alpha' ? 255 - alpha : red);
          return to === 'alpha' ? [0, 0, 0, 255 - level] : [level, level, level, 255];
        });
        assertPixels(readByPngjs(mask), expected);
        assertPixels(await readBySharp(mask), expected);
      }),
      { numRuns: derivedRuns },
    );
  });

  it('keeps every byte outside the mask, as others read the original', async () => {
    const cases = fc.record({
      files,
      answer: fc.nat(),
      hole: fc.constantFrom('all', 'nothing', 'right half'),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ files: { recipe, encoding }, answer, hole }) => {
        const { size } = recipe;
        const original = await codecs.encode(pictureOf(recipe), encoding);
        const other = pictureOf({ content: 'noise', size, seed: answer });
        const isHole = (x: number): boolean =>
          hole === 'all' || (hole === 'right half' && x >= size.width / 2);
        const mask = paint(size.width, size.height, (x) => [0, 0, 0, isHole(x) ? 0 : 255]);
        // Without any transparency it would be black on black, which says the same.
        const kept = await codecs.compositeMasked({
          output: await codecs.encode(other, png),
          original,
          mask: await codecs.encode(mask, png),
        });
        assert.ok(kept.kept);
        const read = await readBySharp(kept.bytes);
        const before = await readBySharp(original);
        // The soft edge is four pixels wide.
        const isDeep = (x: number): boolean => isHole(x) && (hole === 'all' || x >= size.width / 2 + 5);
        const expected = paint(size.width, size.height, (x, y) => {
          const from = isDeep(x) ? other : isHole(x) ? read : before;
          const [red = 0, green = 0, blue = 0, alpha = 0] = colorAt(from, x, y);
          return [red, green, blue, alpha];
        });
        assertPixels(read, expected, encoding.format === 'jpeg' ? jpegRounding : 0);
        if (kept.mediaType === 'image/png') {
          assertPixels(readByPngjs(kept.bytes), read);
        }
      }),
      { numRuns: derivedRuns },
    );
  });
});

/** Rounds a level that is almost all or nothing, as lossy formats leave it. */
function cleaned(level: number): number {
  return level < 16 ? 0 : level > 239 ? 255 : level;
}

function withOneHole({ width, height, rgba }: Pixels): Pixels {
  return { width, height, rgba: rgba.with(3, 0) };
}

/** An opaque picture of the reds of another. */
function gray(picture: Pixels): Pixels {
  return paint(picture.width, picture.height, (x, y) => {
    const [red = 0] = colorAt(picture, x, y);
    return [red, red, red, 255];
  });
}
