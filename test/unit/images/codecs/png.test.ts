import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { readPng } from '../../../../src/images/codecs/readPng.ts';
import { writePng } from '../../../../src/images/codecs/writePng.ts';
import { pngChunks, RangeReader } from '../../../../src/images/finish/codecs.ts';
import type { Pixels } from '../../../../src/images/codecs/pixels.ts';
import { readByPngjs, readBySharp, toSharp } from '../../../readers/images.ts';
import { assertPixels, type Color, paint, pictureOf } from '../../../support/images/pictures.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { recipes } from '../../../support/images/recipes.ts';
import { Random } from '../../../support/random.ts';

const numRuns = 60;

/** Writes a PNG by pngjs, with one filter in all rows. */
function byPngjs({ width, height, rgba }: Pixels, filterType: number, colorType: 2 | 6): Buffer {
  const png = new PNG({ width, height });
  rgba.forEach((level, at) => {
    png.data[at] = level;
  });
  return PNG.sync.write(png, { filterType, colorType });
}

/** A color of a level. */
function shaded(level: number): Color {
  return [level, (level + 7) & 255, 255 - level, 255];
}

/** Levels of which each goes on from the one before, up or down a little. */
function walk(random: Random, length: number): number[] {
  let level = 128;
  return Array.from({ length }, () => (level = Math.min(255, Math.max(0, level + random.below(13) - 6))));
}

/** Pictures with a little grain of which each is best told by another neighbor: above, left, both, or none. */
function grainy(random: Random, width: number, height: number): Record<string, Pixels> {
  const [columns, rows] = [width, height].map((length) =>
    Array.from({ length }, () => [random.below(250), random.below(250), random.below(250)]),
  );
  const grained = (color: readonly number[] = []): Color => {
    const [red = 0, green = 0, blue = 0] = color.map((level) => level + random.below(3));
    return [red, green, blue, 255];
  };
  const means = new Uint8Array(width * height);
  for (let at = 0; at < means.length; at++) {
    const [left = 128, above = 128] = [at % width === 0 ? 128 : means[at - 1], means[at - width]];
    means[at] = Math.min(245, Math.max(10, (left + above) >> 1)) + random.below(21) - 10;
  }
  const [acrossWalks, downWalks] = [
    Array.from({ length: height }, () => walk(random, width)),
    Array.from({ length: width }, () => walk(random, height)),
  ];
  return {
    'rows alike': paint(width, height, (x) => grained(columns?.[x])),
    'columns alike': paint(width, height, (_, y) => grained(rows?.[y])),
    means: paint(width, height, (x, y) => shaded(means[y * width + x] ?? 0)),
    'means with alpha': paint(width, height, (x, y) => {
      const level = means[y * width + x] ?? 0;
      return [9, 8, level, level >> 1];
    }),
    slope: paint(width, height, (x, y) => shaded(((x + y + random.below(4)) >> 1) & 255)),
    across: paint(width, height, (x, y) => shaded(acrossWalks[y]?.[x] ?? 0)),
    down: paint(width, height, (x, y) => shaded(downWalks[x]?.[y] ?? 0)),
    waves: paint(width, height, (x, y) => {
      const level = 120 + 60 * Math.sin(x / 30) + 40 * Math.sin(y / 20) + random.below(6);
      return [level, 200 - level / 2, 90, 255];
    }),
    dots: paint(width, height, () => shaded(random.below(50) === 0 ? 0 : 255)),
  };
}

describe('readPng', () => {
  it('reads rows that begin and end where a piece of what is decompressed does, whatever their filters', async () => {
    const random = new Random(61);
    // A piece of 2 ** 18 bytes ends with a whole row, then with the number of a filter alone, then anywhere.
    for (const [width, height] of [
      [341, 260],
      [170, 1040],
      [299, 600],
    ] as const) {
      const picture = paint(width, height, (x, y) => shaded(((x + y + random.below(4)) >> 1) & 255));
      for (const given of [picture, { ...picture, rgba: picture.rgba.with(3, 9) }]) {
        const file = await toSharp(given).png({ adaptiveFiltering: true, compressionLevel: 1 }).toBuffer();
        assertPixels((await readPng(file)) ?? assert.fail('it is not read'), given);
      }
    }
  });

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
  it('keeps every pixel with every filter, in all sizes', async () => {
    const random = new Random(67);
    const filters = new Set<number>();
    for (let run = 0; run < 8; run++) {
      const [width, height] = [1 + random.below(50), 1 + random.below(50)];
      for (const picture of Object.values(grainy(random, width, height))) {
        const file = await writePng(picture);
        assertPixels(readByPngjs(file), picture);
        assertPixels(await readBySharp(file), picture);
        const stride = width * (file[25] === 2 ? 3 : 4) + 1;
        const data: Uint8Array[] = [];
        for await (const { type, start, length } of pngChunks(new RangeReader(file))) {
          if (type === 'IDAT') {
            data.push(file.subarray(start, start + length));
          }
        }
        const rows = inflateSync(Buffer.concat(data));
        for (let row = 0; row < height; row++) {
          filters.add(rows[row * stride] ?? 0);
        }
        assert.equal(rows.length, height * stride);
      }
    }
    assert.deepEqual(
      [...filters].toSorted((one, other) => one - other),
      [0, 1, 2, 3, 4],
    );
  });

  it('makes files no larger than another encoder that looks for the best filter of each row', async () => {
    const random = new Random(71);
    const pictures = grainy(random, 251, 173);
    // Where all rows have the same wrong filter, they are half as large again, or more.
    for (const [name, most] of [
      ['rows alike', 0.78],
      ['columns alike', 0.83],
      ['means', 0.99],
      ['means with alpha', 1.05],
      ['slope', 0.95],
      ['across', 0.93],
      ['down', 0.91],
      ['waves', 0.91],
      ['dots', 1.06],
    ] as const) {
      const picture = pictures[name] ?? assert.fail();
      const others = await toSharp(picture).png({ compressionLevel: 6, adaptiveFiltering: true }).toBuffer();
      const ratio = (await writePng(picture)).length / others.length;
      assert.ok(ratio < most, `${name}: ${ratio} × as large`);
    }
  });

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
    // Half of the left neighbor is the best guess, unless the row above is known.
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
