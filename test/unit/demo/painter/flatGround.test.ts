import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  cutOutMiddle,
  type FlatGround,
  flatGroundOf,
  paintOnFlatGround,
  replaceGround,
} from '../../../../src/demo/painter/flatGround.ts';
import type { Pixels } from '../../../../src/images/codecs/codecs.ts';
import { paint } from '../../../support/images/pictures.ts';

function groundOf(prompt: string): FlatGround {
  return flatGroundOf(prompt) ?? assert.fail(prompt);
}

const onWhite = groundOf('A fox. Paint it on a plain white (#FFFFFF) background.');
const onBlack = groundOf('A fox. Replace the white background with plain black (#000000), as background.');

/** The mean difference of two images per channel. */
function difference(one: Pixels, other: Pixels): number {
  const sum = one.rgba.reduce((total, value, at) => total + Math.abs(value - (other.rgba[at] ?? 0)), 0);
  return sum / one.rgba.length;
}

describe('a white background that is replaced', () => {
  it('leaves the subject of what the service painted as it was', () => {
    const painted = paintOnFlatGround(onWhite, 0, 96, 64);
    const replaced = replaceGround(painted, onBlack, 0);
    assert.ok(difference(replaced, paintOnFlatGround(onBlack, 0, 96, 64)) < 1);
  });

  it('is opaque, whatever shows through the image, and of its own colour at the corners', () => {
    const glass = paint(90, 70, (x, y) => [(x * 5) % 256, 200, (y * 7) % 256, (x * 3) % 256]);
    const replaced = replaceGround(cutOutMiddle(glass, onWhite), onBlack, 0);
    for (const image of [replaced, replaceGround(glass, onBlack, 0)]) {
      assert.ok(image.rgba.every((value, at) => at % 4 !== 3 || value === 255));
    }
    for (const at of [0, 89, 90 * 69, 90 * 70 - 1]) {
      assert.ok(replaced.rgba.subarray(at * 4, at * 4 + 3).every((level) => level < 6));
    }
  });

  it('takes the place of the white one on any image, however bright both are', () => {
    for (const colour of ['#40C0FF', '#FFFFE0', '#102030']) {
      const other = groundOf(`A fox. Replace the white background with ${colour}, as background.`);
      for (const level of [255, 250, 128, 0]) {
        const photo = paint(91, 70, (x) => [level, x, 255, 255]);
        const [replaced, expected] = [
          replaceGround(cutOutMiddle(photo, onWhite), other, 0),
          cutOutMiddle(photo, other),
        ];
        // Each is rounded twice.
        const off = replaced.rgba.findIndex((value, at) => Math.abs(value - (expected.rgba[at] ?? 0)) > 2);
        assert.equal(off, -1, `${colour} on ${level}`);
      }
    }
  });

  it('leaves what is lighter or darker than it as light or dark as can be', () => {
    const onBright = groundOf('A fox. Replace the white background with #FFFFF0, as background.');
    const [white, black] = [255, 0].map((level) => paint(64, 48, () => [level, level, level, 255]));
    assert.ok(white && black);
    assert.ok(replaceGround(white, onBright, 0).rgba.every((level) => level > 225));
    assert.ok(replaceGround(black, onBlack, 0).rgba.every((level, at) => at % 4 === 3 || level < 6));
  });

  it('leaves what is as wide to the left as to the right, and as high above as below', () => {
    for (const [width, height] of [
      [91, 70],
      [64, 101],
    ] as const) {
      const cut = cutOutMiddle(
        paint(width, height, () => [0, 0, 0, 255]),
        onWhite,
      );
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const [here = 0, across = 0, below = 0] = [
            [x, y],
            [width - 1 - x, y],
            [x, height - 1 - y],
          ].map(([column = 0, row = 0]) => cut.rgba[(row * width + column) * 4]);
          assert.ok(Math.abs(here - across) <= 4 && Math.abs(here - below) <= 8, `${x}, ${y}`);
        }
      }
    }
  });

  it('leaves the middle of any other image as it was', () => {
    const photo = paint(96, 64, (x, y) => [(x * 5) % 256, (y * 7) % 256, (x + y) % 256, 255]);
    const replaced = replaceGround(cutOutMiddle(photo, onWhite), onBlack, 0);
    assert.ok(difference(replaced, cutOutMiddle(photo, onBlack)) < 1);
  });
});
