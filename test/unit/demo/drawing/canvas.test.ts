import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { Canvas } from '../../../../src/demo/drawing/canvas.ts';
import type { Colour } from '../../../../src/demo/drawing/colour.ts';
import { resize } from '../../../../src/demo/drawing/scalePixels.ts';
import { colourAt, paint } from '../../../support/images/pictures.ts';

const black: Colour = [0, 0, 0];
const [width, height] = [37, 23];
/** Places in and around the canvas. */
const place = fc.record({
  x: fc.double({ min: -8, max: width + 8, noNaN: true }),
  y: fc.double({ min: -8, max: height + 8, noNaN: true }),
});
const length = fc.double({ min: 1, max: 14, noNaN: true });

/** Checks that a black shape covers what is inside of it, nothing else, and pixels on its edge in part. */
function assertShape(
  draw: (canvas: Canvas) => void,
  isInside: (x: number, y: number) => boolean,
  corners: readonly (readonly [number, number])[] = [],
): void {
  const canvas = new Canvas(width, height);
  draw(canvas);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const samples = Array.from({ length: 64 }, (_, at) =>
        isInside(x + ((at % 8) + 0.5) / 8, y + (Math.floor(at / 8) + 0.5) / 8),
      ).filter(Boolean).length;
      const [red = 0, green, blue, alpha] = colourAt(canvas, x, y);
      const far = [-1, 0, 1].every((down) =>
        [-1, 0, 1].every(
          (across) => isInside(x + 0.5 + across, y + 0.5 + down) === isInside(x + 0.5, y + 0.5),
        ),
      );
      const isAtCorner = corners.some(([cx, cy]) => Math.hypot(cx - x - 0.5, cy - y - 0.5) < 3);
      const isWhole = far && !isAtCorner && (samples === 0 || samples === 64);
      const allowed = isWhole ? 8 : 150;
      assert.ok(
        Math.abs(255 - red - (255 * samples) / 64) <= allowed,
        `${x}, ${y}: ${red}, ${samples} of 64`,
      );
      assert.deepEqual([green, blue, alpha], [red, red, 255]);
    }
  }
}

describe('a shape on a canvas', () => {
  it('is a disc or an ellipse wherever it is', () => {
    fc.assert(
      fc.property(place, length, length, ({ x, y }, across, up) => {
        assertShape(
          (canvas) => canvas.disc(x, y, across, black),
          (px, py) => Math.hypot(px - x, py - y) < across,
        );
        // Long ones have softer ends.
        if (Math.max(across, up) < 1.5 * Math.min(across, up)) {
          assertShape(
            (canvas) => canvas.ellipse(x, y, across, up, black),
            (px, py) => Math.hypot((px - x) / across, (py - y) / up) < 1,
          );
        }
      }),
      { numRuns: 25 },
    );
  });

  it('is a rectangle whose border covers as much of a pixel as lies inside', () => {
    fc.assert(
      fc.property(place, length, length, ({ x, y }, across, down) => {
        const box = { left: x, top: y, right: x + across, bottom: y + down };
        const canvas = new Canvas(width, height);
        canvas.rectangle(box, black);
        for (let row = 0; row < height; row++) {
          for (let column = 0; column < width; column++) {
            const expected = 255 * part(column, box.left, box.right) * part(row, box.top, box.bottom);
            assert.ok(Math.abs(255 - (colourAt(canvas, column, row)[0] ?? 0) - expected) <= 1);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('is a polygon, with a hole where its line goes around twice', () => {
    fc.assert(
      fc.property(place, length, ({ x, y }, reach) => {
        const corners = [0.2, 2.4, 4.1].map(
          (turn) => [x + 1.6 * reach * Math.cos(turn), y + reach * Math.sin(turn)] as const,
        );
        const isLeftOf = (px: number, py: number, index: number): boolean => {
          const [fromX, fromY] = corners[index] ?? [0, 0];
          const [toX, toY] = corners[(index + 1) % 3] ?? [0, 0];
          return (toX - fromX) * (py - fromY) - (toY - fromY) * (px - fromX) > 0;
        };
        assertShape(
          (canvas) => canvas.polygon(corners, black),
          (px, py) => [0, 1, 2].every((index) => isLeftOf(px, py, index)),
          corners,
        );
      }),
      { numRuns: 25 },
    );
    const ring = [
      ...([
        [2, 2],
        [30, 2],
        [30, 20],
        [2, 20],
        [2, 2],
      ] as const),
      ...([
        [9, 7],
        [9, 15],
        [23, 15],
        [23, 7],
        [9, 7],
      ] as const),
    ];
    const canvas = new Canvas(width, height);
    canvas.polygon(ring, black);
    assert.deepEqual(
      [5, 15, 26, 33].map((x) => colourAt(canvas, x, 11)[0]),
      [0, 255, 0, 255],
    );
  });

  it('is mixed with what is below by its opacity, and brightens it as light', () => {
    const canvas = new Canvas(8, 4);
    canvas.shade(() => [100, 50, 200]);
    canvas.rectangle({ left: 0, top: 0, right: 4, bottom: 4 }, [200, 150, 0], 0.25);
    assert.deepEqual(colourAt(canvas, 1, 1), [125, 75, 150, 255]);
    assert.deepEqual(colourAt(canvas, 6, 1), [100, 50, 200, 255]);
    canvas.disc(6, 2, 1.6, [0, 0, 0], 0.5);
    assert.deepEqual(colourAt(canvas, 6, 1), [50, 25, 100, 255]);
    canvas.light({ left: 0, top: 0, right: 8, bottom: 2 }, [255, 255, 0], () => 0.2);
    // A fifth of what is missing to white, in red and green.
    assert.deepEqual(colourAt(canvas, 1, 1), [151, 111, 150, 255]);
    assert.deepEqual(colourAt(canvas, 1, 3), [125, 75, 150, 255]);
  });

  it('is filled below an edge, which covers a part of the pixels that it cuts', () => {
    const canvas = new Canvas(width, height);
    const tops: number[] = [];
    canvas.below(
      (x) => x / 3 + 0.5,
      20.2,
      (x, y, top) => {
        assert.ok(y > top - 0.5 && y <= 20.5 && y % 1 === 0.5 && Math.abs(top - x / 3 - 0.5) < 1e-9);
        tops.push(top);
        return black;
      },
    );
    for (let x = 0; x < width; x++) {
      const edge = (x + 0.5) / 3 + 0.5;
      for (let y = 0; y < height; y++) {
        const expected = y > 20 ? 255 : 255 * Math.min(1, Math.max(0, edge - y));
        assert.ok(Math.abs((colourAt(canvas, x, y)[0] ?? 0) - expected) <= 1, `${x}, ${y}`);
      }
    }
  });

  it('has its colour from the middle of each pixel', () => {
    const canvas = new Canvas(5, 3);
    canvas.shade((x, y) => [40 * x, 40 * y, 300]);
    assert.equal(canvas.unit, 3);
    assert.equal(canvas.rgba.length, 4 * 5 * 3);
    assert.deepEqual(colourAt(canvas, 4, 1), [180, 60, 255, 255]);
    assert.deepEqual(colourAt(canvas, 0, 2), [20, 100, 255, 255]);
  });
});

describe('an image of another size', () => {
  it('has its slopes in the same places, up to its border', () => {
    const side = fc.integer({ min: 1, max: 24 });
    fc.assert(
      fc.property(side, side, side, side, (fromWidth, fromHeight, toWidth, toHeight) => {
        const slope = paint(fromWidth, fromHeight, (x, y) => [
          Math.round(level(x, fromWidth, 250)),
          Math.round(level(y, fromHeight, 250)),
          77,
          Math.round(level(x, fromWidth, 100) + level(y, fromHeight, 100)),
        ]);
        const resized = resize(slope, toWidth, toHeight);
        assert.deepEqual([resized.width, resized.height], [toWidth, toHeight]);
        for (let y = 0; y < toHeight; y++) {
          for (let x = 0; x < toWidth; x++) {
            const [across, down] = [
              within((x + 0.5) / toWidth, fromWidth),
              within((y + 0.5) / toHeight, fromHeight),
            ];
            const expected = [250 * across, 250 * down, 77, 100 * (across + down)];
            for (const [channel, value] of colourAt(resized, x, y).entries()) {
              assert.ok(Math.abs(value - (expected[channel] ?? 0)) <= 1.5, `${x}, ${y}: ${value}`);
            }
          }
        }
      }),
    );
  });

  it('is the same at its own size', () => {
    const noise = paint(7, 5, (x, y) => [(x * 91 + y * 37) % 256, (x * 13) % 256, (y * 201) % 256, x * 30]);
    assert.deepEqual(resize(noise, 7, 5), noise);
  });
});

/** Returns how much of the pixel at a place lies between two others. */
function part(at: number, from: number, to: number): number {
  return Math.max(0, Math.min(at + 1, to) - Math.max(at, from));
}

/** Returns how high a slope is in the middle of a pixel. */
function level(at: number, all: number, most: number): number {
  return (most * (at + 0.5)) / all;
}

/** Returns the nearest place between the middles of the first and the last pixel. */
function within(value: number, all: number): number {
  return Math.min(1 - 0.5 / all, Math.max(0.5 / all, value));
}
