import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasDarkPlateau } from '../../../../../src/images/codecs/verdict/darkPlateau.ts';
import { paint } from '../../../../support/images/pictures.ts';

type AlphaAt = (x: number, y: number) => number;

/** Whether a plateau is seen in a picture of one dark color. */
function isSeen(
  alphaAt: AlphaAt,
  { width = 200, height = 150, colour = [10, 20, 15] as readonly [number, number, number] } = {},
): boolean {
  return hasDarkPlateau(paint(width, height, (x, y) => [...colour, Math.round(alphaAt(x, y))]));
}

const inRows =
  (from: number, to: number, alphaOf: (x: number) => number): AlphaAt =>
  (x, y) =>
    y >= from && y < to ? Math.max(0, alphaOf(x)) : 0;

// Wider ones in larger pictures.
const wide = (x: number): number => 120 * Math.max(0, Math.min(1, (x - 400) / 5, (1000 - x) / 5));

const beside = (height: number): boolean =>
  hasDarkPlateau(
    paint(200, 151, (x, y) => {
      const isSubject = x >= 10 && x < 110 && y >= 20 && y < 120;
      const isPlateau = x >= 130 && x < 180 && y >= 20 && y < 20 + height;
      return isSubject ? [200, 90, 40, 255] : [5, 5, 5, isPlateau ? 100 : 0];
    }),
  );

describe('something dark that is evenly half-transparent', () => {
  it('is seen by a sharp edge on either side', () => {
    for (const alpha of [45, 100, 190]) {
      assert.ok(isSeen(inRows(30, 120, (x) => (x >= 60 && x < 140 ? alpha : 0))), `both sides of ${alpha}`);
      const left = (x: number): number => (x < 60 ? 0 : x < 90 ? alpha : alpha * (1 - (x - 90) / 60));
      assert.ok(isSeen(inRows(30, 120, left)), `left of ${alpha}`);
      assert.ok(isSeen(inRows(30, 120, (x) => left(199 - x))), `right of ${alpha}`);
    }
  });

  it('is a shadow where it fades out on both sides', () => {
    assert.ok(!isSeen(inRows(30, 120, (x) => Math.min(120, 4 * (60 - Math.abs(x - 100))))));
    assert.ok(!isSeen((x, y) => 150 * Math.max(0, 1 - Math.hypot(x - 100, (y - 75) * 2) / 90)));
  });

  it('may have an edge of a few pixels', () => {
    const edge = [0, 0.35, 0.7, 1];
    const soft = (x: number): number => 120 * (edge[Math.max(0, Math.min(3, x - 60, 139 - x))] ?? 1);
    assert.ok(isSeen(inRows(30, 120, soft)));
    assert.ok(isSeen(inRows(100, 400, wide), { width: 1440, height: 500 }));
    assert.ok(!isSeen(inRows(30, 120, (x) => Math.max(0, Math.min(120, (x - 60) * 8, (140 - x) * 8)))));
  });

  it('is none where it is light, opaque, hardly there, uneven, or narrow', () => {
    const box = (alpha: number): AlphaAt => inRows(30, 120, (x) => (x >= 60 && x < 140 ? alpha : 0));
    for (const colour of [
      [90, 20, 15],
      [10, 90, 15],
      [10, 20, 90],
    ] as const) {
      assert.ok(!isSeen(box(100), { colour }));
    }
    assert.ok(!isSeen(box(255)));
    assert.ok(!isSeen(box(220)));
    assert.ok(!isSeen(box(30)));
    assert.ok(
      !isSeen(inRows(30, 120, (x) => (x < 60 || x >= 140 ? 0 : 60 + 12 * Math.min(x - 60, 139 - x)))),
    );
    assert.ok(!isSeen(inRows(30, 120, (x) => (x >= 60 && x < 66 ? 100 : 0))));
    // Soon something else begins, lighter or fainter.
    assert.ok(
      !isSeen(inRows(30, 120, (x) => (x < 60 || x >= 140 ? 0 : Math.min(x - 60, 139 - x) < 7 ? 100 : 190))),
    );
    assert.ok(
      !isSeen(inRows(30, 120, (x) => (x < 60 || x >= 140 ? 0 : Math.min(x - 60, 139 - x) < 7 ? 100 : 50))),
    );
  });

  it('is looked for away from the sides of the picture', () => {
    assert.ok(
      isSeen(inRows(10, 140, (x) => (x >= 4 && x < 60 ? 120 : 120 * (1 - (x - 60) / 90) * Number(x >= 4)))),
    );
    assert.ok(
      isSeen(inRows(10, 140, (x) => (x < 196 && x >= 140 ? 120 : x < 196 ? (120 * (x - 50)) / 90 : 0))),
    );
    assert.ok(!isSeen(inRows(0, 150, (x) => (x < 60 ? 120 : 120 * (1 - (x - 60) / 90)))));
    // Where the picture ends, nobody knows whether something has an edge.
    assert.ok(!isSeen(inRows(0, 150, (x) => (x >= 140 ? 120 : (120 * (x - 50)) / 90))));
  });

  it('may be a little uneven', () => {
    assert.ok(isSeen(inRows(30, 120, (x) => (x >= 60 && x < 140 ? 100 + (x % 3) * 6 : 0))));
  });

  it('counts by how long its edges are beside the subject', () => {
    assert.deepEqual([12, 24, 60].map(beside), [false, true, true]);
    // The same in rows between which others lie.
    assert.ok(!hasDarkPlateau(paint(200, 151, () => [0, 0, 0, 0])));
  });
});
