import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { writeJpeg } from '../../../../../src/images/codecs/byRows/writeJpeg.ts';
import type { Pixels } from '../../../../../src/images/codecs/pixels.ts';
import { readBySharp, toSharp } from '../../../../readers/images.ts';
import { assertPixels, paint, pictureOf } from '../../../../support/images/pictures.ts';
import { recipes } from '../../../../support/images/recipes.ts';

const qualities = fc.integer({ min: 1, max: 100 });

describe('writeJpeg, read by another decoder', () => {
  it('is as close to the picture as what another encoder writes', async () => {
    await fc.assert(
      fc.asyncProperty(recipes, qualities, async (recipe, quality) => {
        const given = opaque(pictureOf(recipe));
        const read = await readBySharp(writeJpeg(given, quality));
        const chromaSubsampling = quality < 90 ? '4:2:0' : '4:4:4';
        const theirs = await readBySharp(
          await toSharp(given).jpeg({ quality, chromaSubsampling, quantisationTable: 3 }).toBuffer(),
        );
        assert.deepEqual([read.width, read.height], [given.width, given.height]);
        const [ours, other] = [meanError(read, given), meanError(theirs, given)];
        assert.ok(ours <= 1.1 * other + 1.5 + coarsestStep(quality), `${ours} off, another encoder ${other}`);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps flat colours', async () => {
    for (const colour of [
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
      [255, 255, 255],
      [0, 0, 0],
      [190, 60, 130],
    ] as const) {
      const flat = paint(37, 21, () => [...colour, 255]);
      assertPixels(await readBySharp(writeJpeg(flat, 95)), flat, 3);
    }
  });

  it('has colours as fine as brightness from quality 90 on', async () => {
    const picture = pictureOf({ content: 'gradient', size: { width: 40, height: 30 }, seed: 1 });
    for (const [quality, expected] of [
      [89, '4:2:0'],
      [90, '4:4:4'],
    ] as const) {
      const { chromaSubsampling, isProgressive } = await sharp(writeJpeg(picture, quality)).metadata();
      assert.deepEqual([chromaSubsampling, isProgressive], [expected, false]);
    }
  });

  it('survives the hardest edges at the finest quality', async () => {
    const chequers = paint(64, 64, (x, y) => ((x + y) % 2 === 0 ? [255, 255, 255, 255] : [0, 0, 0, 255]));
    const blocks = paint(64, 64, (x, y) =>
      ((x >> 3) + (y >> 3)) % 2 === 0 ? [255, 0, 0, 255] : [0, 255, 255, 255],
    );
    for (const picture of [chequers, blocks]) {
      assertPixels(await readBySharp(writeJpeg(picture, 100)), picture, 4);
    }
  });
});

function opaque(pixels: Pixels): Pixels {
  return { ...pixels, rgba: pixels.rgba.map((level, at) => (at % 4 === 3 ? 255 : level)) };
}

/** Returns the distance between two brightnesses of a flat picture, in levels. */
function coarsestStep(quality: number): number {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  return Math.min(255, (16 * percent) / 100) / 8;
}

/** Returns the mean error of the colours in levels. */
function meanError(read: Pixels, given: Pixels): number {
  const sum = given.rgba.reduce((total, level, at) => total + Math.abs((read.rgba[at] ?? 0) - level), 0);
  return sum / ((3 * given.rgba.length) / 4);
}
