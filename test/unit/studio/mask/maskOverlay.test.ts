import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { blankMask, copyRow } from '../../../../src/studio/mask/drawing/maskPixels.ts';
import { drawn } from '../../../../src/studio/mask/drawing/operation.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { overlayStyle, overlayPixels } from '../../../../src/studio/mask/surface/overlay.ts';

const size = { width: 900, height: 700 };
const style = overlayStyle([200, 20, 10], [0.6, 0.4]);
const mask = drawn(
  drawn(blankMask(size), {
    kind: 'stroke',
    mode: 'add',
    size: 240,
    hardness: 0.4,
    points: [200, 200, 1, 640, 420, 1],
  }),
  { kind: 'rectangle', mode: 'add', from: [500, 40], to: [860, 200] },
);

describe('how a mask is seen', () => {
  it('is on each pixel of the screen what four places of the mask say that it covers', () => {
    const small = drawn(
      drawn(blankMask({ width: 300, height: 270 }), {
        kind: 'rectangle',
        mode: 'add',
        from: [0, 0],
        to: [280, 40],
      }),
      { kind: 'stroke', mode: 'add', size: 90, hardness: 0.2, points: [250, 100, 1, 60, 260, 1] },
    );
    // Three of its four tiles are full.
    const holed = drawn(drawn(blankMask({ width: 300, height: 270 }), { kind: 'fill' }), {
      kind: 'rectangle',
      mode: 'subtract',
      from: [20, 30],
      to: [90.5, 77],
    });
    const masks = [small, holed].map((shown) => ({ shown, rows: rowsOf(shown) }));
    const near = fc.double({ min: -60, max: 60, noNaN: true });
    const scale = fc.double({ min: 0.2, max: 6, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom(...masks), scale, near, near, ({ shown, rows }, scale, x, y) => {
        const area = { left: 3, top: 7, right: 83, bottom: 57 };
        const pixels = new Uint32Array(overlayPixels(shown, { scale, x, y }, area, style).buffer);
        assert.equal(pixels.length, 80 * 50);
        const sumAt = (across: number, down: number): number =>
          [0.25, 0.75].reduce((sum, part) => {
            const row = rows[Math.floor((down + part - y) / scale)];
            return [0.25, 0.75].reduce(
              (inRow, other) => inRow + (row?.[Math.floor((across + other - x) / scale)] ?? 0),
              sum,
            );
          }, 0);
        const isInside = (across: number, down: number): boolean => sumAt(across, down) >= 510;
        for (let down = area.top; down < area.bottom; down++) {
          for (let across = area.left; across < area.right; across++) {
            const pixel = pixels[(down - area.top) * 80 + across - area.left] ?? 0;
            const inside = isInside(across, down);
            const isEdge = inside !== isInside(across - 1, down) || inside !== isInside(across, down - 1);
            const isBlack = (Math.floor(across / 4) + Math.floor(down / 4)) % 2 === 0;
            const strength = Math.floor((across + down) / 6) % 2 === 0 ? 0.6 : 0.4;
            const alpha = Math.round(Math.round(sumAt(across, down) / 4) * strength);
            const expected = isEdge ? (isBlack ? 0 : 0xffffff) : 0x0a14c8;
            const found = [pixel >>> 24, pixel & 0xffffff];
            const what = `${across}, ${down} at ${scale}`;
            assert.equal(found[0], isEdge ? 255 : alpha, what);
            assert.ok(found[0] === 0 || found[1] === expected, what);
          }
        }
      }),
      { numRuns: fuzzRuns(6, 40) },
    );
  });
});

/** Returns the rows of a mask, a byte for each pixel. */
function rowsOf(of: typeof mask): Uint8Array[] {
  return Array.from({ length: of.height }, (_, y) => {
    const row = new Uint8Array(of.width);
    copyRow(of, y, row);
    return row;
  });
}
