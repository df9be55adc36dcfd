import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import * as fc from 'fast-check';
import {
  blankMask,
  copyRow,
  coverageOf,
  isBlank,
  type MaskPixels,
} from '../../../../src/studio/maskPixels/maskPixels.ts';
import { MaskWriter } from '../../../../src/studio/maskPixels/maskWriter.ts';
import { drawn, type DrawnOperation } from '../../../../src/studio/maskPixels/operation.ts';
import { drawStroke, type Stroke } from '../../../../src/studio/maskPixels/stroke.ts';

const size = { width: 300, height: 280 };
const blank = blankMask(size);

describe('what is drawn on a mask', () => {
  it('covers by a stroke what is near enough to the way of the brush, and nothing else', () => {
    fc.assert(
      fc.property(strokes(), (stroke) => {
        const pixels = flat(drawn(blank, stroke));
        for (let y = 0; y < size.height; y += 3) {
          for (let x = 0; x < size.width; x += 3) {
            const expected = expectedCoverage(stroke, x + 0.5, y + 0.5);
            const actual = pixels[y * size.width + x] ?? -1;
            assert.ok(Math.abs(actual - expected) <= 1, `${x}, ${y}: ${actual}, not ${expected}`);
          }
        }
      }),
      { numRuns: fuzzRuns(20, 300) },
    );
  });

  it('comes out the same from a stroke that grows as from the whole stroke', () => {
    fc.assert(
      fc.property(strokes({ pressures: true }), (stroke) => {
        const writer = new MaskWriter(blank);
        const growing: Stroke = { ...stroke, points: [] };
        for (let at = 0; at < stroke.points.length; at += 3) {
          growing.points.push(...stroke.points.slice(at, at + 3));
          drawStroke(writer, growing, at / 3);
        }
        assertSame(flat(writer.finish()), flat(drawn(blank, stroke)));
      }),
      { numRuns: fuzzRuns(20, 300) },
    );
  });

  it('comes out the same from a stroke that is turned or mirrored, however the pen was pressed', () => {
    const coordinate = fc.integer({ min: -200, max: 900 }).map((value) => value / 10 + 0.037);
    // Often the same twice, for ways that go straight down or across.
    const place = fc.oneof(coordinate, fc.constantFrom(20.237, 31.737));
    const pressure = fc.integer({ min: 5, max: 100 }).map((value) => value / 100);
    const [across, down] = [70, 50];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(place, place, pressure), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom(0, 0.4, 1),
        (places, brush, hardness) => {
          const draw = (
            width: number,
            height: number,
            turn: (x: number, y: number) => number[],
          ): Uint8Array => {
            const points = places.flatMap(([x, y, force]) => [...turn(x, y), force]);
            const stroke = { kind: 'stroke', mode: 'add', size: brush, hardness, points } as const;
            return flat(drawn(blankMask({ width, height }), stroke));
          };
          const plain = draw(across, down, (x, y) => [x, y]);
          const turned = draw(down, across, (x, y) => [y, x]);
          const mirrored = draw(across, down, (x, y) => [across - x, down - y]);
          for (let y = 0; y < down; y++) {
            for (let x = 0; x < across; x++) {
              const value = plain[y * across + x] ?? 0;
              const others = [turned[x * down + y], mirrored[(down - 1 - y) * across + across - 1 - x]];
              assert.ok(
                others.every((other) => Math.abs((other ?? 0) - value) <= 1),
                `${x}, ${y}: ${value}, ${others.join()}`,
              );
            }
          }
        },
      ),
      { numRuns: fuzzRuns(10, 400) },
    );
  });

  it('makes a stroke thinner where a pen presses less', () => {
    const stroke: Stroke = {
      kind: 'stroke',
      mode: 'add',
      size: 40,
      hardness: 1,
      points: [50, 100, 1, 250, 100, 0.25],
    };
    const pixels = flat(drawn(blank, stroke));
    const heightAt = (x: number): number =>
      Array.from({ length: size.height }, (_, y) => pixels[y * size.width + x] ?? 0).filter(
        (value) => value > 127,
      ).length;
    assert.deepEqual([heightAt(50), heightAt(150), heightAt(250)], [40, 24, 10]);
  });

  it('draws a rectangle to the pixel, from any of its corners, cut at the borders', () => {
    const cases: [from: [number, number], to: [number, number], area: [number, number, number, number]][] = [
      [
        [10, 20],
        [270, 265],
        [10, 20, 270, 265],
      ],
      [
        [270, 265],
        [10, 20],
        [10, 20, 270, 265],
      ],
      [
        [-10, -10],
        [5, 400],
        [0, 0, 5, 280],
      ],
      [
        [10.4, 20.6],
        [30.6, 40.4],
        [10, 21, 31, 40],
      ],
      [
        [10.6, 20.4],
        [30.4, 40.6],
        [11, 20, 30, 41],
      ],
    ];
    for (const [from, to, [left, top, right, bottom]] of cases) {
      const pixels = flat(drawn(blank, { kind: 'rectangle', mode: 'add', from, to }));
      const expected = Uint8Array.from(pixels, (_, index) => {
        const [x, y] = [index % size.width, Math.floor(index / size.width)];
        return x >= left && x < right && y >= top && y < bottom ? 255 : 0;
      });
      assertSame(pixels, expected);
    }
  });

  it('covers each pixel by a lasso as much as lies inside, where it goes around more or less often', () => {
    const coordinate = fc.integer({ min: -40, max: 90 }).map((value) => value / 2 + 0.3);
    const small = blankMask({ width: 37, height: 23 });
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 9 }), (points) => {
        const pixels = flat(drawn(small, { kind: 'lasso', mode: 'add', points }));
        for (let y = 0; y < small.height; y++) {
          for (let x = 0; x < small.width; x++) {
            // As many places of the pixel as are enough to tell halves of it.
            const places = Array.from({ length: 80 }, (_, at): [number, number] => [
              x + ((at % 20) + 0.5) / 20,
              y + (Math.floor(at / 20) + 0.5) / 4,
            ]);
            const inside = places.filter((place) => windingAround(place, points) !== 0).length;
            const found = pixels[y * small.width + x] ?? -1;
            assert.ok(
              Math.abs(found - (255 * inside) / 80) <= 26,
              `${x}, ${y}: ${found}, not ${inside} of 80`,
            );
          }
        }
      }),
      { numRuns: fuzzRuns(8, 500) },
    );
  });

  it('counts both sides of a lasso that crosses itself, and what it goes around twice', () => {
    const twice = drawn(blank, {
      kind: 'lasso',
      mode: 'add',
      points: [...square(10, 20), ...square(10, 20)],
    });
    assert.equal(sum(flat(twice)), 100 * 255);
    const eight: [number, number][] = [
      [10, 10],
      [20, 20],
      [20, 10],
      [10, 20],
    ];
    const pixels = flat(drawn(blank, { kind: 'lasso', mode: 'add', points: eight }));
    assert.equal(pixels[15 * size.width + 11], 255);
    assert.equal(pixels[15 * size.width + 18], 255);
    assert.equal(pixels[11 * size.width + 15], 0);
  });

  it('takes away by the same shapes', () => {
    const full = drawn(blank, { kind: 'fill' });
    for (const shape of shapes) {
      const taken = flat(drawn(full, { ...shape, mode: 'subtract' }));
      const added = flat(drawn(blank, { ...shape, mode: 'add' }));
      assertSame(
        taken,
        added.map((value) => 255 - value),
        shape.kind,
      );
    }
  });

  it('inverts, fills and clears everything, and leaves the state before as it was', () => {
    const before = drawn(blank, shapes[0]);
    const kept = flat(before);
    assertSame(
      flat(drawn(before, { kind: 'invert' })),
      kept.map((value) => 255 - value),
    );
    assert.ok(flat(drawn(before, { kind: 'fill' })).every((value) => value === 255));
    assert.ok(isBlank(drawn(before, { kind: 'clear' })));
    drawn(before, { kind: 'stroke', mode: 'subtract', size: 90, hardness: 1, points: [100, 100, 1] });
    assertSame(flat(before), kept);
  });

  it('draws in the image what is led around it, however far away, and nothing of what stays outside', () => {
    const whole = 255 * size.width * size.height;
    for (const far of [1e3, 1e9, 1e15, 1e300, Number.MAX_VALUE]) {
      const corners: [number, number][] = [
        [-far, -far],
        [far, -far],
        [far, far],
        [-far, far],
      ];
      const [from, , to] = corners;
      assert.ok(from && to);
      assert.equal(sum(flat(drawn(blank, { kind: 'rectangle', mode: 'add', from, to }))), whole);
      assert.equal(sum(flat(drawn(blank, { kind: 'lasso', mode: 'add', points: corners }))), whole);
      for (const side of [-far, far]) {
        const points = [side, -far, 1, side, far, 1];
        assert.ok(isBlank(drawn(blank, { kind: 'stroke', mode: 'add', size: 100, hardness: 0.5, points })));
        const beside: [number, number][] = [
          [side, -far],
          [side, far],
          [side * 0.9, far],
        ];
        assert.ok(isBlank(drawn(blank, { kind: 'lasso', mode: 'add', points: beside })));
      }
    }
  });

  it('says how much of it is marked, to its very edges', () => {
    const { width, height } = blank;
    const full = drawn(blank, { kind: 'fill' });
    const half: DrawnOperation = {
      kind: 'rectangle',
      mode: 'subtract',
      from: [0, 0],
      to: [width / 2, height],
    };
    assert.equal(coverageOf(blank), 0);
    assert.equal(coverageOf(full), 1);
    assert.equal(coverageOf(drawn(full, half)), 0.5);
    assert.equal(coverageOf(drawn(drawn(full, half), { kind: 'invert' })), 0.5);
  });
});

const shapes: [Stroke, ...DrawnShape[]] = [
  { kind: 'stroke', mode: 'add', size: 60, hardness: 0.3, points: [40, 40, 1, 270, 250, 0.5] },
  { kind: 'rectangle', mode: 'add', from: [200, 200], to: [290, 270] },
  {
    kind: 'lasso',
    mode: 'add',
    points: [
      [10.2, 10.7],
      [280, 40],
      [120, 275.5],
    ],
  },
];
type DrawnShape = Extract<DrawnOperation, { mode: unknown }>;

function square(left: number, right: number): [number, number][] {
  return [
    [left, 10],
    [right, 10],
    [right, 20],
    [left, 20],
  ];
}

/** Strokes in and around the image. */
function strokes({ pressures = false } = {}): fc.Arbitrary<Stroke> {
  // Often the same twice, for ways that go straight down or across.
  const coordinate = fc.oneof(
    fc.integer({ min: -300, max: 3300 }).map((value) => value / 10),
    fc.constantFrom(60, 140.5),
  );
  const pressure = pressures ? fc.integer({ min: 5, max: 100 }).map((value) => value / 100) : fc.constant(1);
  return fc
    .record({
      size: fc.integer({ min: 1, max: 160 }),
      hardness: fc.constantFrom(0, 0.3, 0.8, 1),
      points: fc.array(fc.tuple(coordinate, coordinate, pressure), { minLength: 1, maxLength: 6 }),
    })
    .map(({ size, hardness, points }) => ({
      kind: 'stroke',
      mode: 'add',
      size,
      hardness,
      points: points.flat(),
    }));
}

/** By the distance to the nearest place on the way, one segment after the other. */
function expectedCoverage({ size, hardness, points }: Stroke, x: number, y: number): number {
  let nearest = Infinity;
  for (let at = 0; at < points.length; at += 3) {
    const [bx = 0, by = 0] = points.slice(at, at + 2);
    const [ax = 0, ay = 0] = points.slice(Math.max(0, at - 3), Math.max(0, at - 3) + 2);
    const length = (bx - ax) ** 2 + (by - ay) ** 2;
    const along = length === 0 ? 0 : ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length;
    const t = Math.min(1, Math.max(0, along));
    nearest = Math.min(nearest, Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)));
  }
  const radius = Math.max(0.5, size / 2);
  const inner = Math.min(hardness * radius, radius - 0.5);
  const depth = Math.min(1, Math.max(0, (radius + 0.5 - nearest) / (radius + 0.5 - inner)));
  return 255 * depth * depth * (3 - 2 * depth);
}

/** Returns how often a closed line goes around a place. */
function windingAround([x, y]: [number, number], points: readonly [number, number][]): number {
  return points.reduce((turns, [toX, toY], index) => {
    const [fromX, fromY] = points.at(index - 1) ?? [0, 0];
    const isCrossing = fromY <= y !== toY <= y;
    const isLeft = isCrossing && fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX) < x;
    return isLeft ? turns + (toY > fromY ? 1 : -1) : turns;
  }, 0);
}

/** Names the first pixel that is different, and does not list all of them. */
function assertSame(actual: Uint8Array, expected: Uint8Array, what = 'the mask'): void {
  const index = actual.findIndex((value, at) => value !== expected[at]);
  assert.ok(actual.length === expected.length && index === -1, `${what} differs at ${index}`);
}

function flat(mask: MaskPixels): Uint8Array {
  const pixels = new Uint8Array(mask.width * mask.height);
  for (let y = 0; y < mask.height; y++) {
    copyRow(mask, y, pixels.subarray(y * mask.width, (y + 1) * mask.width));
  }
  return pixels;
}

function sum(pixels: Uint8Array): number {
  return pixels.reduce((total, value) => total + value, 0);
}
