import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { decodeMask } from '../../../../src/studio/maskPixels/decodeMask.ts';
import { blankMask, copyRow, type MaskPixels } from '../../../../src/studio/maskPixels/maskPixels.ts';
import { encodeMaskPng } from '../../../../src/studio/maskPixels/encodeMaskPng.ts';
import { MaskWriter } from '../../../../src/studio/maskPixels/maskWriter.ts';
import { drawn } from '../../../../src/studio/maskPixels/operation.ts';
import { decodeImage, encodeImage } from '../../../../src/images/codecs/codecSet.ts';
import { convertMask } from '../../../../src/images/codecs/masks.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { strictDecoders } from '../../../support/images/strictDecoders.ts';

const size = { width: 301, height: 523 };
const stroke = {
  kind: 'stroke',
  mode: 'add',
  size: 200,
  hardness: 0.2,
  points: [100, 100, 1, 290, 500, 1],
} as const;
const soft = drawn(blankMask(size), { ...stroke, points: [...stroke.points] });

describe('the mask as a file', () => {
  it('is as large as the image, and transparent by as much as a pixel is to change', async () => {
    const { width, height, rgba } = await decodeImage(await encodeMaskPng(soft));
    assert.deepEqual({ width, height }, size);
    const row = new Uint8Array(width);
    for (let y = 0; y < height; y++) {
      copyRow(soft, y, row);
      const alpha = row.map((_, x) => 255 - (rgba[4 * (y * width + x) + 3] ?? 0));
      assert.ok(Buffer.compare(alpha, row) === 0, `row ${y}`);
    }
    assert.ok(rgba.every((value, index) => index % 4 === 3 || value === 0));
  });

  it('is read by strict decoders as it was painted, whatever its size and what is in it', async () => {
    const side = fc.oneof(
      fc.integer({ min: 1, max: 600 }),
      fc.constantFrom(1, 2, 255, 256, 257, 511, 512, 513),
    );
    const sizes = fc.oneof(
      fc.record({ width: side, height: side }),
      fc.constantFrom({ width: 1, height: 1 }, { width: 5000, height: 3 }, { width: 3, height: 5000 }),
    );
    const contents = fc.oneof(
      fc.constantFrom<Content>('blank', 'full', 'soft'),
      fc.integer({ min: 1, max: 2 ** 31 }),
    );
    await fc.assert(
      fc.asyncProperty(sizes, contents, async (size, content) => {
        const mask = maskWith(size, content);
        const file = await encodeMaskPng(mask);
        for (const [name, decode] of Object.entries(strictDecoders)) {
          const { width, height, alpha } = await decode(file);
          assert.deepEqual([width, height], [size.width, size.height], name);
          assert.ok(alpha.equals(alphaOf(mask)), name);
        }
      }),
      { numRuns: fuzzRuns(15, 60) },
    );
  });

  it('can be as large as an image that does not go through the compressor at once', async () => {
    const large = drawn(blankMask({ width: 4000, height: 1000 }), {
      kind: 'rectangle',
      mode: 'add',
      from: [0, 999],
      to: [1, 1000],
    });
    const { width, height, rgba } = await decodeImage(await encodeMaskPng(large));
    assert.deepEqual([width, height], [4000, 1000]);
    const transparent = rgba.filter((value, index) => index % 4 === 3 && value === 0).length;
    assert.deepEqual([transparent, rgba[4 * 4000 * 999 + 3]], [1, 0]);
  });

  it('comes back from its own file as it is applied: what is almost nothing or all is so', async () => {
    const loaded = await reloaded(soft);
    for (const [index, tile] of loaded.tiles.entries()) {
      assert.ok(Buffer.compare(tile, soft.tiles[index]?.map(applied) ?? tile.subarray(1)) === 0);
    }
    assert.deepEqual(await reloaded(loaded), loaded);
  });

  it('is read as it is applied, whichever way it says what is to change', async () => {
    const greys = [0, 3, 15, 16, 239, 240, 252, 255];
    const colours = [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 200, 30, 120, 255, 1, 250, 255, 255];
    const opaque = [...greys.flatMap((grey) => [grey, grey, grey, 255]), ...colours];
    const transparent = greys.flatMap((level) => [90, 10, 200, 255 - level]);
    for (const pixels of [opaque, transparent]) {
      const size = { width: pixels.length / 4, height: 1 };
      const file = await encodeImage({ ...size, rgba: Uint8Array.from(pixels) }, { format: 'png' });
      const { rgba } = await decodeImage(await convertMask(file, 'white'));
      const row = new Uint8Array(size.width);
      copyRow(decodeMask({ ...size, data: Uint8ClampedArray.from(pixels) }, size), 0, row);
      const levels = [...row];
      assert.deepEqual(levels, Array.from(rgba.filter((_, index) => index % 4 === 0)));
      assert.deepEqual(levels.slice(0, greys.length), greys.map(applied));
    }
  });
});

/** A level as it is applied. */
function applied(level: number): number {
  return level < 16 ? 0 : level > 239 ? 255 : level;
}

async function reloaded(mask: MaskPixels): Promise<MaskPixels> {
  const { width, height, rgba } = await decodeImage(await encodeMaskPng(mask));
  return decodeMask({ width, height, data: Uint8ClampedArray.from(rgba) }, { width, height });
}

/** Nothing, everything, a soft stroke through the middle, or noise from this seed. */
type Content = 'blank' | 'full' | 'soft' | number;

function maskWith(size: { width: number; height: number }, content: Content): MaskPixels {
  const { width, height } = size;
  const blank = blankMask(size);
  switch (content) {
    case 'blank':
      return blank;
    case 'full':
      return drawn(blank, { kind: 'fill' });
    case 'soft':
      return drawn(blank, { ...stroke, points: [0, 0, 1, width / 2, height / 2, 0.5, width, height, 1] });
  }
  const writer = new MaskWriter(blank);
  let noise = content;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      noise ^= noise << 13;
      noise ^= noise >>> 17;
      noise ^= noise << 5;
      writer.coverage[x] = noise;
    }
    writer.merge('add', y, 0, width);
  }
  return writer.finish();
}

/** What the file must say: transparent by as much as a pixel is to change. */
function alphaOf(mask: MaskPixels): Buffer {
  const { width, height } = mask;
  const alpha = Buffer.alloc(width * height);
  const row = new Uint8Array(width);
  for (let y = 0; y < height; y++) {
    copyRow(mask, y, row);
    alpha.set(
      row.map((value) => 255 - value),
      y * width,
    );
  }
  return alpha;
}
