import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { PNG } from 'pngjs';
import { readPng } from '../../../../../src/images/codecs/byRows/readPng.ts';
import { writePng } from '../../../../../src/images/codecs/byRows/writePng.ts';
import type { Pixels } from '../../../../../src/images/codecs/pixels.ts';
import { readByPngjs, readBySharp, toSharp } from '../../../../readers/images.ts';
import { assertPixels, paint, pictureOf } from '../../../../support/images/pictures.ts';
import { pngFile } from '../../../../support/images/pngFile.ts';
import { recipes } from '../../../../support/images/recipes.ts';

const numRuns = 60;

/** Writes a PNG by pngjs, with one filter in all rows. */
function byPngjs({ width, height, rgba }: Pixels, filterType: number, colorType: 2 | 6): Buffer {
  const png = new PNG({ width, height });
  rgba.forEach((level, at) => {
    png.data[at] = level;
  });
  return PNG.sync.write(png, { filterType, colorType });
}

describe('readPng', () => {
  it('reads every filter, with alpha and without, as another decoder does', async () => {
    const filters = fc.integer({ min: 0, max: 4 });
    const types = fc.constantFrom(2 as const, 6 as const);
    await fc.assert(
      fc.asyncProperty(recipes, filters, types, async (recipe, filter, type) => {
        const file = byPngjs(pictureOf(recipe), filter, type);
        const read = await readPng(file);
        assert.ok(read, 'it is read');
        assertPixels(read, readByPngjs(file));
      }),
      { numRuns },
    );
  });

  it('reads what another encoder writes with a filter for each row, and in many chunks', async () => {
    const picture = pictureOf({ content: 'noise', size: { width: 331, height: 217 }, seed: 7 });
    const file = await toSharp(picture).png({ adaptiveFiltering: true }).toBuffer();
    assertPixels((await readPng(file)) ?? { ...picture, width: 0 }, picture);
  });

  it('leaves all other kinds of PNG to the other decoder', async () => {
    const lines = new Uint8Array(4 * 33);
    for (const kind of [
      { bitDepth: 16, colourType: 2 },
      { bitDepth: 16, colourType: 6 },
      { bitDepth: 8, colourType: 0 },
      { bitDepth: 8, colourType: 4 },
      { bitDepth: 8, colourType: 3, palette: [1, 2, 3] },
      { bitDepth: 8, colourType: 2, transparency: [0, 1, 0, 2, 0, 3] },
      { bitDepth: 8, colourType: 6, interlaced: true },
    ] as const) {
      const {
        palette = [],
        transparency = [],
        ...rest
      } = { palette: undefined, transparency: undefined, ...kind };
      const file = pngFile({
        width: 4,
        height: 4,
        ...rest,
        ...(palette.length > 0 && { palette: [...palette] }),
        ...(transparency.length > 0 && { transparency: [...transparency] }),
        lines,
      });
      assert.equal(await readPng(file), undefined, JSON.stringify(kind));
    }
  });

  it('gives the right pixels or none of a file in which a byte is wrong, or that breaks off', async () => {
    const picture = pictureOf({ content: 'noise', size: { width: 9, height: 7 }, seed: 3 });
    const whole = byPngjs(picture, 4, 6);
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      const read = await readPng(damaged);
      if (read) {
        assertPixels(read, picture);
      }
      assert.equal(await readPng(whole.subarray(0, at)), undefined, `cut at ${at}`);
    }
  });

  it('takes no more rows, and no fewer, than its header says', async () => {
    const line = [0, 1, 2, 3];
    const header = { width: 1, height: 2, bitDepth: 8, colourType: 2 } as const;
    assert.ok(await readPng(pngFile({ ...header, lines: [...line, ...line] })));
    assert.equal(await readPng(pngFile({ ...header, lines: line })), undefined);
    assert.equal(await readPng(pngFile({ ...header, lines: [...line, ...line, ...line] })), undefined);
    assert.equal(await readPng(pngFile({ ...header, lines: [...line, 5, 1, 2, 3] })), undefined);
  });
});

describe('writePng', () => {
  it('keeps every pixel, as other decoders read it', async () => {
    await fc.assert(
      fc.asyncProperty(recipes, async (recipe) => {
        const given = pictureOf(recipe);
        const file = await writePng(given);
        assertPixels(readByPngjs(file), given);
        assertPixels(await readBySharp(file), given);
      }),
      { numRuns },
    );
  });

  it('keeps every pixel of a picture of many pieces, whatever it shows', async () => {
    const photo = pictureOf({ content: 'noise', size: { width: 701, height: 503 }, seed: 11 });
    const drawing = paint(701, 503, (x, y) => [(x * y) % 64 < 32 ? 255 : 0, (x >> 4) & 255, 90, 255]);
    // Half of the left neighbour is the best guess, unless the row above is known.
    const stripes = paint(701, 503, (x) => [20 << (x & 1), 20 << (x & 1), 20 << (x & 1), 255]);
    for (const picture of [photo, drawing, stripes]) {
      const file = await writePng(picture);
      assertPixels(readByPngjs(file), picture);
      assertPixels(await readBySharp(file), picture);
    }
  });

  it('writes alpha only where there is some', async () => {
    for (const [alpha, colourType] of [
      [255, 2],
      [254, 6],
    ] as const) {
      const file = await writePng(paint(3, 3, (x, y) => [x, y, 9, x === 2 && y === 2 ? alpha : 255]));
      assert.equal(file[25], colourType);
    }
  });

  it('makes files no larger than another encoder does, of photos and of drawings', async () => {
    const photo = pictureOf({ content: 'gradient', size: { width: 300, height: 200 }, seed: 5 });
    const drawing = paint(300, 200, (x, y) => [(x % 40) * 6, (y % 25) * 10, 90, 255]);
    for (const picture of [photo, drawing]) {
      const theirs = await toSharp(picture).png({ compressionLevel: 6 }).toBuffer();
      const ours = await writePng(picture);
      assert.ok(ours.length <= 1.1 * theirs.length, `${ours.length} bytes, another encoder ${theirs.length}`);
    }
  });
});
