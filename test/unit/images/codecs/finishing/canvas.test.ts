import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { channelsOf, cut, flatten, surround } from '../../../../../src/images/codecs/finishing/canvas.ts';
import { seenPart } from '../../../../../src/images/codecs/finishing/trimming.ts';
import { mainColours } from '../../../../../src/images/codecs/matte/matte.ts';
import type { Pixels } from '../../../../../src/images/codecs/pixels.ts';
import { assertPixels, type Colour, colourAt, paint } from '../../../../support/images/pictures.ts';
import { Random } from '../../../../support/random.ts';

/** A picture of which every pixel has another colour and alpha, that begins in the middle of a buffer. */
function mixed(width: number, height: number): Pixels {
  const { rgba } = paint(width, height, (x, y) => [11 * x, 13 * y, x * y, (x * 31 + y * 57) & 255]);
  const buffer = new Uint8Array(rgba.length + 7);
  buffer.set(rgba, 3);
  return { width, height, rgba: buffer.subarray(3, 3 + rgba.length) };
}

function colourOf(pixels: Pixels, x: number, y: number): Colour {
  const [red = 0, green = 0, blue = 0, alpha = 0] = colourAt(pixels, x, y);
  return [red, green, blue, alpha];
}

const within = (value: number, length: number): number => Math.max(0, Math.min(length - 1, value));

describe('a part of a picture', () => {
  it('has the pixels that were there', () => {
    const pixels = mixed(19, 12);
    for (const part of [
      { left: 0, top: 0, width: 19, height: 12 },
      { left: 4, top: 2, width: 7, height: 9 },
      { left: 18, top: 11, width: 1, height: 1 },
    ]) {
      assertPixels(
        cut(pixels, part),
        paint(part.width, part.height, (x, y) => colourOf(pixels, part.left + x, part.top + y)),
      );
    }
  });
});

describe('a picture on a larger one', () => {
  it('is surrounded by nothing, by a colour, or by its own edge', () => {
    const pixels = mixed(7, 5);
    for (const [canvas, { left, top }] of [
      [
        { width: 18, height: 11 },
        { left: 4, top: 3 },
      ],
      [
        { width: 18, height: 5 },
        { left: 11, top: 0 },
      ],
      [
        { width: 7, height: 13 },
        { left: 0, top: 8 },
      ],
    ] as const) {
      const isInside = (x: number, y: number): boolean =>
        x >= left && x < left + 7 && y >= top && y < top + 5;
      for (const [fill, around] of [
        ['transparent', [0, 0, 0, 0]],
        ['#0a6bf4', [10, 107, 244, 255]],
        ['edge', undefined],
      ] as const) {
        assertPixels(
          surround(pixels, { left, top }, canvas, fill),
          paint(canvas.width, canvas.height, (x, y) =>
            isInside(x, y) || !around ? colourOf(pixels, within(x - left, 7), within(y - top, 5)) : around,
          ),
        );
      }
    }
  });

  it('has a colour behind it as it was written', () => {
    for (const [text, channels] of [
      ['#ff8800', [255, 136, 0]],
      ['#0102f3', [1, 2, 243]],
      ['#80FE7f', [128, 254, 127]],
    ] as const) {
      assert.deepEqual(channelsOf(text), channels);
    }
  });
});

describe('a picture laid on a colour', () => {
  it('shows as much of it as it is see-through, and is opaque', () => {
    const pixels = paint(256, 3, (x, y) => [200, 100 * y, 255 - x, x]);
    const flat = { ...pixels, rgba: pixels.rgba.slice() };
    flatten(flat, [20, 30, 240]);
    for (let y = 0; y < 3; y++) {
      for (let x = 0; x < 256; x++) {
        const [red, green, blue, alpha] = colourOf(flat, x, y);
        const mix = (level: number, under: number): number => (level * x) / 255 + under * (1 - x / 255);
        assert.equal(alpha, 255);
        assert.ok(Math.abs(red - mix(200, 20)) <= 0.501, `${red} at ${x}`);
        assert.ok(Math.abs(green - mix(100 * y, 30)) <= 0.501, `${green} at ${x}`);
        assert.ok(Math.abs(blue - mix(255 - x, 240)) <= 0.501, `${blue} at ${x}`);
      }
    }
    const opaque = paint(5, 4, (x, y) => [x, y, 9, 255]);
    const kept = { ...opaque, rgba: opaque.rgba.slice() };
    flatten(kept, [255, 255, 255]);
    assertPixels(kept, opaque);
  });
});

describe('what is seen of a picture', () => {
  it('is all between its first and last pixels that are seen', () => {
    for (let seed = 0; seed < 150; seed++) {
      const random = new Random(seed);
      const [width, height] = [1 + random.below(17), 1 + random.below(12)];
      const count = random.below(4);
      const seen = Array.from({ length: count }, () => [random.below(width), random.below(height)] as const);
      const pixels = paint(width, height, () => [9, 9, 9, random.below(5)]);
      for (const [x, y] of seen) {
        pixels.rgba[(y * width + x) * 4 + 3] = random.pick([5, 60, 255]);
      }
      const [xs, ys] = [seen.map(([x]) => x), seen.map(([, y]) => y)];
      const [left, top] = [Math.min(...xs), Math.min(...ys)];
      assert.deepEqual(
        seenPart(pixels),
        count === 0
          ? undefined
          : { left, top, width: Math.max(...xs) - left + 1, height: Math.max(...ys) - top + 1 },
      );
    }
  });

  it('may be what has some alpha at least', () => {
    const pixels = paint(20, 15, (x, y) => [
      0,
      0,
      0,
      x > 3 && x < 9 && y > 1 ? (x > 5 && y < 7 ? 200 : 80) : 9,
    ]);
    assert.deepEqual(seenPart(pixels, 80), { left: 4, top: 2, width: 5, height: 13 });
    assert.deepEqual(seenPart(pixels, 81), { left: 6, top: 2, width: 3, height: 5 });
    assert.equal(seenPart(pixels, 201), undefined);
  });
});

describe('the main colours of a large picture', () => {
  it('are found in a sample of its pixels', () => {
    const picture = paint(640, 500, (x, y) =>
      y < 125 ? [200, 10, 30, 255] : [20, 30, 240, x % 2 === 0 ? 255 : 100],
    );
    const [blue, red, ...others] = mainColours(picture);
    assert.deepEqual([blue?.colour, red?.colour, others], [[20, 30, 240], [200, 10, 30], []]);
    assert.ok(Math.abs((red?.share ?? 0) - 0.4) < 0.01, String(red?.share));
  });
});
