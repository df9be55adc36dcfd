import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  faintBorder,
  filledCorners,
  touchedSides,
} from '../../../../../src/images/codecs/verdict/cutoutBorder.ts';
import type { Pixels } from '../../../../../src/images/codecs/pixels.ts';
import { paint } from '../../../../support/images/pictures.ts';

function alphas(width: number, height: number, alphaAt: (x: number, y: number) => number): Pixels {
  return paint(width, height, (x, y) => [200, 100, 50, alphaAt(x, y)]);
}

describe('the corners of a cut-out', () => {
  it('are counted where they are not clear, each of the four', () => {
    for (const [width, height] of [
      [100, 150],
      [167, 105],
    ] as const) {
      for (let corners = 0; corners < 16; corners++) {
        for (const [alpha, isSeen] of [
          [255, true],
          [20, true],
          [10, false],
        ] as const) {
          const pixels = alphas(width, height, (x, y) => {
            const index = (x < width / 2 ? 0 : 1) + (y < height / 2 ? 0 : 2);
            const isCorner = Math.min(x, width - 1 - x) < 3 && Math.min(y, height - 1 - y) < 3;
            return isCorner && (corners >> index) & 1 ? alpha : 0;
          });
          const count = [0, 1, 2, 3].filter((index) => (corners >> index) & 1).length;
          assert.equal(filledCorners(pixels), isSeen ? count : 0);
        }
      }
    }
  });

  it('are clear whatever is beside them, but for a stray pixel', () => {
    const [width, height] = [200, 300];
    const beside = alphas(width, height, (x, y) =>
      Math.min(x, width - 1 - x) < 7 && Math.min(y, height - 1 - y) < 7 ? 0 : 255,
    );
    assert.equal(filledCorners(beside), 0);
    for (const [x, y] of [
      [0, 0],
      [199, 0],
      [3, 297],
      [196, 296],
    ] as const) {
      assert.equal(filledCorners(alphas(width, height, (px, py) => (px === x && py === y ? 255 : 0))), 0);
      const isPair = (px: number, py: number): boolean => Math.abs(px - x) <= 2 && py === y;
      assert.equal(filledCorners(alphas(width, height, (px, py) => (isPair(px, py) ? 255 : 0))), 1);
    }
  });

  it('are two pixels wide at least, and all of the smallest images', () => {
    for (const [x, y, count] of [
      [1, 1, 1],
      [18, 1, 1],
      [1, 10, 1],
      [18, 10, 1],
      [2, 1, 0],
      [1, 2, 0],
      [17, 10, 0],
      [18, 9, 0],
    ] as const) {
      assert.equal(filledCorners(alphas(20, 12, (px, py) => (px === x && py === y ? 255 : 0))), count);
    }
    assert.equal(filledCorners(alphas(1, 1, () => 255)), 4);
    assert.equal(filledCorners(alphas(1, 5, () => 0)), 0);
  });
});

describe('the sides of a cut-out', () => {
  const [width, height] = [100, 50];
  const places = {
    top: (x: number, y: number) => y === 0 && x >= 30 && x < 40,
    bottom: (x: number, y: number) => y === height - 1 && x >= 30 && x < 40,
    left: (x: number, y: number) => x === 0 && y >= 20 && y < 25,
    right: (x: number, y: number) => x === width - 1 && y >= 20 && y < 25,
  } as const;

  it('are touched by a subject, and not by what is beside them or faint', () => {
    for (const [side, isThere] of Object.entries(places)) {
      for (const [alpha, share, touched] of [
        [255, 0.05, [side]],
        [150, 0.05, [side]],
        [255, 0.2, []],
        [100, 0.05, []],
      ] as const) {
        assert.deepEqual(
          touchedSides(
            alphas(width, height, (x, y) => (isThere(x, y) ? alpha : 0)),
            share,
          ),
          touched,
        );
      }
    }
    const inside = alphas(width, height, (x, y) =>
      x > 0 && y > 0 && x < width - 1 && y < height - 1 ? 255 : 0,
    );
    assert.deepEqual(touchedSides(inside, 0), []);
    assert.deepEqual(
      touchedSides(
        alphas(3, 2, () => 255),
        0.5,
      ),
      ['top', 'bottom', 'left', 'right'],
    );
  });

  it('have a share on which something of the ground is left', () => {
    for (const isThere of Object.values(places)) {
      for (const [alpha, isLeft] of [
        [3, false],
        [6, true],
        [11, true],
        [130, true],
        [150, false],
        [255, false],
      ] as const) {
        const pixels = alphas(width, height, (x, y) => (isThere(x, y) ? alpha : 0));
        const count = pixels.rgba.filter((level, at) => at % 4 === 3 && level > 0).length;
        assert.equal(faintBorder(pixels), isLeft ? count / (2 * (width + height)) : 0, `alpha ${alpha}`);
      }
    }
    assert.equal(faintBorder(alphas(7, 4, () => 90)), 1);
    assert.equal(faintBorder(alphas(7, 4, (x, y) => (x > 0 && y > 0 && x < 6 && y < 3 ? 90 : 0))), 0);
  });
});
