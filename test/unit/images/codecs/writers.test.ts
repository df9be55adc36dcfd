import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  CodecError,
  Codecs,
  jpegSegments,
  type Pixels,
  RangeReader,
} from '../../../../src/images/codecs/codecs.ts';
import { readByPngjs, readBySharp, toSharp } from '../../../readers/images.ts';
import { assertPixels, paint, pictureOf } from '../../../support/images/pictures.ts';
import { recipes } from '../../../support/images/recipes.ts';

const numRuns = 60;

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

/** Returns the error of the colours in levels, with each pixel weighted by its opacity. */
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
