import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { type Area, touched, union } from '../../../../src/studio/mask/drawing/area.ts';

const side = fc.integer({ min: 0, max: 30 });
const anArea = fc
  .record({
    left: side,
    top: side,
    width: fc.integer({ min: 1, max: 20 }),
    height: fc.integer({ min: 1, max: 20 }),
  })
  .map(({ left, top, width, height }): Area => ({ left, top, right: left + width, bottom: top + height }));

function has({ left, top, right, bottom }: Area, x: number, y: number): boolean {
  return x >= left && x < right && y >= top && y < bottom;
}

it('what is to be drawn again holds both areas, and is no larger than it must be', () => {
  fc.assert(
    fc.property(anArea, anArea, (one, other) => {
      const both = union(one, other);
      assert.ok(both);
      for (const { left, top, right, bottom } of [one, other]) {
        assert.ok(has(both, left, top) && has(both, right - 1, bottom - 1));
      }
      for (const edge of ['left', 'top', 'right', 'bottom'] as const) {
        assert.ok([one[edge], other[edge]].includes(both[edge]), edge);
      }
      assert.deepEqual(union(one, undefined), one);
      assert.deepEqual(union(undefined, other), other);
    }),
  );
});

it('a rectangle touches every pixel of the image of which it holds a part', () => {
  const place = fc.integer({ min: -400, max: 900 }).map((value) => value / 20);
  fc.assert(
    fc.property(place, place, place, place, (left, top, across, down) => {
      const [width, height] = [23, 31];
      const rectangle = { left, top, right: left + Math.abs(across), bottom: top + Math.abs(down) };
      const area = touched(rectangle, { width, height });
      let count = 0;
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const isTouched =
            x + 1 > rectangle.left && x < rectangle.right && y + 1 > rectangle.top && y < rectangle.bottom;
          assert.equal(area !== undefined && has(area, x, y), isTouched, `${x}, ${y}`);
          count += Number(isTouched);
        }
      }
      assert.equal(area === undefined, count === 0);
    }),
  );
});
