import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blankMask } from '../../../../src/studio/mask/drawing/maskPixels.ts';
import { drawn } from '../../../../src/studio/mask/drawing/operation.ts';
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
  it('draws a part of the screen as it is in the whole', () => {
    for (const zoom of [
      { scale: 0.3, x: 12.4, y: -3.7 },
      { scale: 1, x: -100, y: -50 },
      { scale: 7.3, x: -1500.2, y: -900.6 },
    ]) {
      const all = overlayPixels(mask, zoom, { left: 0, top: 0, right: 300, bottom: 240 }, style);
      const part = overlayPixels(mask, zoom, { left: 60, top: 70, right: 260, bottom: 200 }, style);
      for (let y = 70; y < 200; y++) {
        const expected = all.subarray(4 * (y * 300 + 60), 4 * (y * 300 + 260));
        const actual = part.subarray(4 * (y - 70) * 200, 4 * (y - 69) * 200);
        assert.deepEqual(actual, expected, `row ${y} at ${zoom.scale}`);
      }
      assert.ok(all.some((value) => value > 0));
    }
  });

  it('leaves untouched what is not to change, and colors what is', () => {
    const area = { left: 0, top: 0, right: 900, bottom: 700 };
    const pixels = overlayPixels(mask, { scale: 1, x: 0, y: 0 }, area, style);
    const at = (x: number, y: number): number[] => [
      ...pixels.subarray(4 * (y * 900 + x), 4 * (y * 900 + x) + 4),
    ];
    assert.deepEqual(at(10, 600), [0, 0, 0, 0]);
    const [red, green, blue, alpha] = at(700, 100);
    assert.deepEqual([red, green, blue], [200, 20, 10]);
    assert.ok(alpha === 153 || alpha === 102, String(alpha));
  });

  it('draws the edge in black and white, where half of a pixel is to change', () => {
    const area = { left: 0, top: 0, right: 900, bottom: 700 };
    const pixels = overlayPixels(mask, { scale: 1, x: 0, y: 0 }, area, style);
    const edge = new Set<string>();
    for (let x = 510; x < 850; x++) {
      edge.add(pixels.subarray(4 * (40 * 900 + x), 4 * (40 * 900 + x) + 4).join());
    }
    assert.deepEqual([...edge].toSorted(), ['0,0,0,255', '255,255,255,255']);
  });

  it('shows nothing outside of the image', () => {
    const full = drawn(blankMask(size), { kind: 'fill' });
    const area = { left: -50, top: 0, right: 0, bottom: 50 };
    assert.ok(overlayPixels(full, { scale: 1, x: 0, y: 0 }, area, style).every((value) => value === 0));
  });
});
