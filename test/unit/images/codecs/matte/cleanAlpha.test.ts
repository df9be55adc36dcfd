import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fillPinholes, removeSpecks } from '../../../../../src/images/codecs/matte/cleanAlpha.ts';
import type { Pixels } from '../../../../../src/images/codecs/pixels.ts';
import { assertPixels, paint } from '../../../../support/images/pictures.ts';
import { Random } from '../../../../support/random.ts';

/** Draws alpha alone, in one colour. */
function alphas(width: number, height: number, alphaAt: (x: number, y: number) => number): Pixels {
  return paint(width, height, (x, y) => [90, 50, 200, alphaAt(x, y)]);
}

function without(pixels: Pixels): Pixels {
  const cleaned = { ...pixels, rgba: pixels.rgba.slice() };
  removeSpecks(cleaned);
  return cleaned;
}

function filled(pixels: Pixels): Pixels {
  const whole = { ...pixels, rgba: pixels.rgba.slice() };
  fillPinholes(whole);
  return whole;
}

/** The four ways of holding a picture: what holds for one of them holds for all. */
const turns: readonly ((x: number, y: number, width: number, height: number) => [number, number])[] = [
  (x, y) => [x, y],
  (x, y, width) => [width - 1 - x, y],
  (x, y, _, height) => [x, height - 1 - y],
  (x, y) => [y, x],
];

/** Draws what is described in one direction from all sides, in a picture that is not square. */
function fromAllSides(
  [width, height]: readonly [number, number],
  alphaAt: (x: number, y: number, width: number, height: number) => number,
): Pixels[] {
  return turns.map((turn) =>
    alphas(width, height, (x, y) => {
      const isTurned = turn(0, 1, width, height)[0] === 1;
      const [w, h] = isTurned ? [height, width] : [width, height];
      return alphaAt(...turn(x, y, width, height), w, h);
    }),
  );
}

describe('specks around a cut-out', () => {
  it('are cleared wherever they are, to the last corner', () => {
    for (const alpha of [1, 20, 40]) {
      const strewn = alphas(23, 17, (x, y) => (x % 11 === 0 && y % 8 === 0 ? alpha : 0));
      const left = without(strewn);
      assert.ok(left.rgba.every((level, at) => at % 4 < 3 || level === 0));
      assert.ok(left.rgba.every((level, at) => at % 4 === 3 || level === strewn.rgba[at]));
    }
  });

  it('are no dots that can be seen, such as stars', () => {
    for (const alpha of [60, 80, 255]) {
      const stars = alphas(23, 17, (x, y) => (x % 11 === 0 && y % 8 === 0 ? alpha : 0));
      assertPixels(without(stars), stars);
    }
  });

  it('are no faint pixels beside something firm, also at a corner', () => {
    // In the middle of each block of nine is something firm, or at the side of the picture.
    for (const firm of [64, 100, 255]) {
      for (const pixels of fromAllSides([27, 18], (x, y) => {
        const [dx, dy] = [Math.abs((x % 12) - 1), Math.abs((y % 8) - 1)];
        return dx > 1 || dy > 1 ? 0 : dx + dy === 0 ? firm : 30;
      })) {
        assertPixels(without(pixels), pixels);
      }
    }
    for (const [x, y] of [
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      for (const pixels of fromAllSides([14, 9], (px, py) =>
        px === 0 && py === 0 ? 200 : px === x && py === y ? 9 : 0,
      )) {
        assertPixels(without(pixels), pixels);
      }
    }
  });

  it('are lines of one or two pixels, and not what is wider or smoke', () => {
    for (const width of [1, 2, 5]) {
      for (const at of [0, 5, 13 - width]) {
        for (const pixels of fromAllSides([29, 13], (_x, y, _width, height) => {
          const place = at === 13 - width ? height - width : at;
          return y >= place && y < place + width ? 30 : 0;
        })) {
          // At the border and at the ends of a line, less is around a pixel.
          const kept = without(pixels).rgba.filter((level, index) => index % 4 === 3 && level > 0).length;
          const all = pixels.rgba.filter((level, index) => index % 4 === 3 && level > 0).length;
          assert.ok(width < 5 ? kept === 0 : kept >= all - 12, `${width} at ${at}: ${kept} of ${all}`);
        }
      }
    }
    const smoke = alphas(31, 22, (x, y) => 3 + ((x * 7 + y * 5) % 36));
    const left = without(smoke);
    assert.ok(left.rgba.filter((level, at) => level !== smoke.rgba[at]).length <= 4);
  });
});

function neighboursOf(pixel: number, width: number, height: number): number[] {
  const [x, y] = [pixel % width, Math.floor(pixel / width)];
  return [
    ...(x > 0 ? [pixel - 1] : []),
    ...(x < width - 1 ? [pixel + 1] : []),
    ...(y > 0 ? [pixel - width] : []),
    ...(y < height - 1 ? [pixel + width] : []),
  ];
}

const seamAt =
  (x: number, y: number, alpha: number) =>
  (px: number, py: number): [number, number, number, number] =>
    px === x && py === y ? [10, 20, 30, alpha] : [200, 100, 50, 255];

/** Returns the pixels of each hole, by flooding. */
function holesOf({ width, height, rgba }: Pixels): number[][] {
  const left = new Set(
    Array.from({ length: width * height }, (_, pixel) => pixel).filter(
      (pixel) => (rgba[pixel * 4 + 3] ?? 0) < 200,
    ),
  );
  const holes: number[][] = [];
  for (const start of left) {
    const hole = [start];
    left.delete(start);
    for (const pixel of hole) {
      const near = neighboursOf(pixel, width, height).filter((one) => left.delete(one));
      hole.push(...near);
    }
    holes.push(hole);
  }
  return holes;
}

describe('pinholes in a cut-out', () => {
  it('get the colour around them; larger ones stay, and what is open to the outside', () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = new Random(seed);
      const [width, height] = [3 + random.below(20), 3 + random.below(14)];
      const density = random.pick([6, 12, 30]);
      const pixels = paint(width, height, () => [
        random.below(256),
        random.below(256),
        random.below(256),
        random.below(density) === 0 ? random.pick([0, 0, 1, 60, 120]) : 255,
      ]);
      for (let at = 0; at < pixels.rgba.length; at += 4) {
        if (pixels.rgba[at + 3] === 0) {
          pixels.rgba.fill(0, at, at + 3);
        }
      }
      const whole = filled(pixels);
      const expected = pixels.rgba.slice();
      for (const hole of holesOf(pixels)) {
        const around = hole.map((pixel) => neighboursOf(pixel, width, height));
        if (hole.length <= 2 && around.every((near) => near.length === 4)) {
          const edge = around.flat().filter((near) => !hole.includes(near));
          for (const pixel of hole) {
            for (const channel of [0, 1, 2]) {
              expected[pixel * 4 + channel] =
                edge.reduce((sum, near) => sum + (pixels.rgba[near * 4 + channel] ?? 0), 0) / edge.length;
            }
            expected[pixel * 4 + 3] = 255;
          }
        }
      }
      assertPixels(whole, { width, height, rgba: expected });
    }
  });

  it('may have more pixels in a larger picture', () => {
    // A pinhole of two by two, and something that was meant.
    const pixels = alphas(500, 400, (x, y) =>
      (x >= 100 && x < 102 && y >= 70 && y < 72) || (x >= 200 && x < 203 && y >= 70 && y < 73) ? 0 : 255,
    );
    const whole = filled(pixels);
    assert.equal(whole.rgba.filter((level, at) => at % 4 === 3 && level < 255).length, 9);
  });

  it('are none of the half-transparent places in something half-transparent', () => {
    const glass = alphas(19, 16, (x, y) => (x % 4 === 2 && y % 4 === 2 ? 20 : 150));
    assertPixels(filled(glass), glass);
  });

  it('are no seams of two colours, which keep theirs', () => {
    for (const alpha of [128, 200, 250]) {
      for (let y = 2; y < 6; y++) {
        for (let x = 2; x < 7; x++) {
          const seam = paint(9, 8, seamAt(x, y, alpha));
          assertPixels(filled(seam), paint(9, 8, seamAt(x, y, 255)));
        }
      }
    }
    const diagonal = alphas(30, 20, (x, y) => (x - y === 5 && y > 1 && y < 18 ? 180 : 255));
    assertPixels(
      filled(diagonal),
      alphas(30, 20, () => 255),
    );
  });
});
