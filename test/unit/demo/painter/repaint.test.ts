import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cutOutMiddle, flatGroundOf, replaceGround } from '../../../../src/demo/painter/flatGround.ts';
import { paint } from '../../../../src/demo/painter/painter.ts';
import { repaint } from '../../../../src/demo/painter/repaint.ts';
import { colourAt, differing, paint as imageOf } from '../../../support/images/pictures.ts';

const [width, height] = [90, 60];
const photo = imageOf(width, height, (x, y) => [(x * 31) % 256, (y * 57) % 256, (x * y) % 256, 255]);
const plain = (
  red: number,
  green: number,
  blue: number,
  [across, down]: readonly [number, number] = [20, 30],
) => imageOf(across, down, () => [red, green, blue, 255]);

/** Whether a place is in the hole of a mask. */
function isOpen(x: number, y: number): boolean {
  return x >= 20 && x < 70 && y >= 10 && y < 41;
}

/** Returns a level that is not near another one. */
function farFrom(level: number): number {
  return level < 128 ? 255 : 0;
}

describe('an edit', () => {
  it('changes what the mask lets through, and leaves every byte of the rest', () => {
    const mask = imageOf(width, height, (x, y) => [0, 0, 0, isOpen(x, y) ? 0 : 255]);
    const edited = repaint({ prompt: 'the sea', variant: 0, inputs: [photo], mask });
    assert.equal(
      differing(photo, edited, (x, y) => !isOpen(x, y)),
      0,
    );
    assert.ok(differing(photo, edited, isOpen) > 0.95 * 50 * 31);
    // What is painted has the shape of the hole, with the band along its lower edge.
    const scene = paint({ prompt: 'the sea', variant: 0, width: 50, height: 31 });
    for (let y = 10; y < 41; y++) {
      for (let x = 20; x < 70; x++) {
        assert.deepEqual(colourAt(edited, x, y), colourAt(scene, x - 20, y - 10));
      }
    }
  });

  it('stays inside of its mask, whatever background the prompt asks for', () => {
    const mask = imageOf(width, height, (x, y) => [0, 0, 0, isOpen(x, y) ? 0 : 255]);
    for (const prompt of ['a fox. Background #00FF00', 'Replace the white background with #000000.']) {
      const edited = repaint({ prompt, variant: 0, inputs: [photo], mask });
      assert.equal(
        differing(photo, edited, (x, y) => !isOpen(x, y)),
        0,
      );
      assert.ok(differing(photo, edited, isOpen) > 0.95 * 50 * 31);
      assert.ok(
        differing(photo, repaint({ prompt, variant: 0, inputs: [photo] }), (x, y) => !isOpen(x, y)) > 0,
      );
    }
  });

  it('takes place on the background that its prompt asks for, or replaces the one that is there', () => {
    for (const [prompt, change] of [
      ['A fox. Put it on a #00FF00 background.', cutOutMiddle],
      ['Replace the white background with #000000.', replaceGround],
    ] as const) {
      const ground = flatGroundOf(prompt);
      assert.ok(ground);
      assert.deepEqual(repaint({ prompt, variant: 1, inputs: [photo] }), change(photo, ground, 1));
    }
  });

  it('is mixed with the image where the mask lets a part through', () => {
    const mask = imageOf(width, height, (x) => [0, 0, 0, x < 30 ? 0 : x < 60 ? 102 : 255]);
    const all = imageOf(width, height, () => [0, 0, 0, 0]);
    const whole = { prompt: 'a fox', variant: 1, inputs: [photo] } as const;
    const open = imageOf(width, height, (x) => [0, 0, 0, x < 60 ? 0 : 255]);
    const [part, full] = [repaint({ ...whole, mask }), repaint({ ...whole, mask: open })];
    for (let x = 30; x < 60; x++) {
      const [old, mixed, anew] = [photo, part, full].map((image) => colourAt(image, x, 20));
      const expected = old?.map((value, channel) =>
        Math.round(value + ((anew?.[channel] ?? 0) - value) * 0.6),
      );
      assert.deepEqual(mixed, expected);
    }
    assert.notDeepEqual(repaint({ ...whole, mask: all }), full);
  });

  it('veils all of the image without a mask, but not its band', () => {
    const edited = repaint({ prompt: 'a forest', variant: 0, inputs: [photo] });
    const scene = paint({ prompt: 'a forest', variant: 0, width, height });
    for (let y = 0; y < height - 15; y++) {
      for (let x = 0; x < width; x++) {
        const [old, anew, shown] = [photo, scene, edited].map((image) => colourAt(image, x, y));
        assert.deepEqual(
          shown,
          old?.map((value, channel) => Math.round(value + ((anew?.[channel] ?? 0) - value) / 2)),
        );
      }
    }
    assert.deepEqual(colourAt(edited, 0, height - 1), [255, 198, 66, 255]);
  });

  it('never veils a further image, however near its color is to what is painted there', () => {
    const scene = paint({ prompt: 'a cat', variant: 0, width, height });
    const [red = 0, green = 0, blue = 0] = colourAt(scene, 45, 19);
    for (const color of [
      [farFrom(red), green, blue],
      [red, farFrom(green), blue],
      [red, green, farFrom(blue)],
    ] as const) {
      const edited = repaint({ prompt: 'a cat', variant: 0, inputs: [photo, plain(...color)] });
      assert.deepEqual(colourAt(edited, 45, 19), [...color, 255]);
    }
  });

  it('shows even the thinnest of further images, and those in an image of a few pixels', () => {
    for (const [shape, lines] of [
      [
        [1, 300],
        [1, 24],
      ],
      [
        [300, 1],
        [24, 1],
      ],
      [
        [40, 3],
        [24, 2],
      ],
    ] as const) {
      const inputs = [photo, plain(255, 0, 0, shape)] as const;
      const edited = repaint({ prompt: 'a cat', variant: 0, inputs });
      const places = Array.from(
        { length: width * height },
        (_, at) => [at % width, Math.floor(at / width)] as const,
      );
      const shown = places.filter(([x, y]) => colourAt(edited, x, y).join() === '255,0,0,255');
      assert.deepEqual([new Set(shown.map(([x]) => x)).size, new Set(shown.map(([, y]) => y)).size], lines);
    }
    for (const [across, down] of [
      [1, 1],
      [1, 7],
      [7, 1],
      [3, 2],
    ] as const) {
      const base = plain(9, 9, 9, [across, down]);
      const edited = repaint({ prompt: 'a cat', variant: 0, inputs: [base, base, base, base] });
      assert.deepEqual([edited.width, edited.height, edited.rgba.length], [across, down, 4 * across * down]);
    }
  });

  it('shows each further image in a frame, in a row, as it is, whatever its shape', () => {
    const others = [plain(255, 0, 0), plain(0, 255, 0, [60, 12]), plain(0, 0, 255, [1, 1])];
    const shapes = others.map((_, count) => {
      const shown = others.slice(0, count + 1);
      const edited = repaint({ prompt: 'a cat', variant: 0, inputs: [photo, ...shown] });
      return shown.map((other) => {
        const colour = colourAt(other, 0, 0).join();
        const places = Array.from({ length: width * height }, (_, at) => at).filter(
          (at) => colourAt(edited, at % width, Math.floor(at / width)).join() === colour,
        );
        const [xs, ys] = [places.map((at) => at % width), places.map((at) => Math.floor(at / width))];
        const [left, right, top, bottom] = [
          Math.min(...xs),
          Math.max(...xs),
          Math.min(...ys),
          Math.max(...ys),
        ];
        const [across, down] = [right - left + 1, bottom - top + 1];
        assert.equal(places.length, across * down);
        // Its proportions are right to half a pixel.
        const most = Math.max(across, down);
        const longest = Math.max(other.width, other.height);
        assert.ok(Math.abs(across - (most * other.width) / longest) <= 0.5);
        assert.ok(Math.abs(down - (most * other.height) / longest) <= 0.5);
        for (const [x, y] of [
          [left - 1, top],
          [right + 1, top],
          [left, top - 1],
          [right, bottom + 1],
        ] as const) {
          assert.deepEqual(colourAt(edited, x, y), [250, 248, 240, 255]);
        }
        return { middle: (left + right + 1) / 2, top, size: Math.max(across, down) };
      });
    });
    for (const [count, row] of shapes.entries()) {
      const [first] = row;
      for (const [index, { middle, top, size }] of row.entries()) {
        assert.ok(Math.abs(middle - (width * (index + 1)) / (count + 2)) <= 1);
        assert.deepEqual([top, size], [first?.top, first?.size]);
        assert.ok(size > 0.8 * Math.min(width / (count + 2), height / 2.5));
      }
    }
  });
});
