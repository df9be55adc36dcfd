import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadedMask } from '../../../media/studio/mask/loadedMask.ts';
import { blankMask, copyRow } from '../../../media/studio/mask/maskPixels.ts';
import { maskPng } from '../../../media/studio/mask/maskPng.ts';
import { drawn } from '../../../media/studio/mask/operation.ts';
import { decodeImage } from '../../../src/images/codecs/codecSet.ts';

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
    const { width, height, rgba } = await decodeImage(await maskPng(soft));
    assert.deepEqual({ width, height }, size);
    const row = new Uint8Array(width);
    for (let y = 0; y < height; y++) {
      copyRow(soft, y, row);
      const alpha = row.map((_, x) => 255 - (rgba[4 * (y * width + x) + 3] ?? 0));
      assert.ok(Buffer.compare(alpha, row) === 0, `row ${y}`);
    }
  });

  it('can be as large as an image that does not go through the compressor at once', async () => {
    const large = drawn(blankMask({ width: 4000, height: 2000 }), {
      kind: 'rectangle',
      mode: 'add',
      from: [0, 1999],
      to: [1, 2000],
    });
    const { width, height, rgba } = await decodeImage(await maskPng(large));
    assert.deepEqual([width, height], [4000, 2000]);
    const transparent = rgba.filter((value, index) => index % 4 === 3 && value === 0).length;
    assert.deepEqual([transparent, rgba[4 * 4000 * 1999 + 3]], [1, 0]);
  });

  it('comes back from its own file as it was', async () => {
    const { width, height, rgba } = await decodeImage(await maskPng(soft));
    const loaded = loadedMask({ width, height, data: Uint8ClampedArray.from(rgba) }, size);
    assert.ok(
      loaded.tiles.every((tile, index) => Buffer.compare(tile, soft.tiles[index] ?? tile.subarray(1)) === 0),
    );
  });

  it('is white where it is to change in a file without any transparency', () => {
    const data = Uint8ClampedArray.of(0, 0, 0, 255, 255, 255, 255, 255, 128, 128, 128, 255, 255, 0, 0, 255);
    const loaded = loadedMask({ width: 4, height: 1, data }, { width: 4, height: 1 });
    const row = new Uint8Array(4);
    copyRow(loaded, 0, row);
    assert.deepEqual([...row], [0, 255, 128, 54]);
  });

  it('leaves out what lies outside of the image', () => {
    const data = new Uint8ClampedArray(4 * 8 * 8);
    const loaded = loadedMask({ width: 8, height: 8, data }, { width: 2, height: 3 });
    assert.deepEqual([loaded.width, loaded.height], [2, 3]);
  });
});
