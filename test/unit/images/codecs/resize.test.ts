import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '../../../../src/demo/random.ts';
import type { Pixels } from '../../../../src/images/codecs/pixels.ts';
import { resize } from '../../../../src/images/codecs/resize.ts';
import { assertPixels, colourAt, paint } from '../../../support/images/pictures.ts';

/** Scales a whole picture. */
function scaled(pixels: Pixels, width: number, height: number): Pixels {
  return resize(pixels, { left: 0, top: 0, width: pixels.width, height: pixels.height }, { width, height });
}

function turned(pixels: Pixels): Pixels {
  return paint(pixels.height, pixels.width, (x, y) => {
    const [red = 0, green = 0, blue = 0, alpha = 0] = colourAt(pixels, y, x);
    return [red, green, blue, alpha];
  });
}

describe('scaling', () => {
  it('far down is the same in both directions, with and without transparency', () => {
    const random = seededRandom(5);
    for (const isOpaque of [true, false]) {
      const high = paint(40, 2000, (x, y) => [
        (x * 6) & 255,
        y >> 3,
        random.next() * 255,
        isOpaque ? 255 : 255 - (y >> 4),
      ]);
      for (const length of [1, 7, 60]) {
        assertPixels(scaled(high, 40, length), turned(scaled(turned(high), length, 40)), 1);
      }
    }
  });

  it('far down takes little more memory than the picture', () => {
    const side = 3000;
    const picture = { width: side, height: side, rgba: new Uint8Array(side * side * 4).fill(255) };
    const before = process.resourceUsage().maxRSS;
    scaled(picture, side, 2);
    const more = (process.resourceUsage().maxRSS - before) / 1024;
    assert.ok(more < 100, `${more} MB`);
  });
});
