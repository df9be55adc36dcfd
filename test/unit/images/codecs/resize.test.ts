import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { seededRandom } from '../../../../src/demo/http/random.ts';
import type { Dimensions } from '../../../../src/images/formats/dimensions.ts';
import type { Pixels } from '../../../../src/images/codecs/pixels.ts';
import { type Part, resize } from '../../../../src/images/codecs/resize.ts';
import { assertPixels, colorAt, paint } from '../../../support/images/pictures.ts';

/** Scales a whole picture. */
function scaled(pixels: Pixels, width: number, height: number): Pixels {
  return resize(pixels, { left: 0, top: 0, width: pixels.width, height: pixels.height }, { width, height });
}

function turned(pixels: Pixels): Pixels {
  return paint(pixels.height, pixels.width, (x, y) => {
    const [red = 0, green = 0, blue = 0, alpha = 0] = colorAt(pixels, y, x);
    return [red, green, blue, alpha];
  });
}

/** The sRGB level of a light from 0 to 1, as the standard has it. */
function levelOf(light: number): number {
  return 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);
}

/** The light of an sRGB level from 0 to 255. */
function lightOf(level: number): number {
  const value = level / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** Keys' cubic convolution, with -1/2 as its parameter. */
function keys(distance: number): number {
  const a = -1 / 2;
  if (distance < 1) {
    return (a + 2) * distance ** 3 - (a + 3) * distance ** 2 + 1;
  }
  return distance < 2 ? a * (distance ** 3 - 5 * distance ** 2 + 8 * distance - 4) : 0;
}

/** The weights of all pixels in a line for the new pixel of a number. */
function weightsOf(available: number, start: number, length: number, to: number, index: number): number[] {
  const centre = start + ((index + 0.5) * length) / to;
  const weights = Array.from({ length: available }, (_, at) =>
    keys(Math.abs(at + 0.5 - centre) / Math.max(1, length / to)),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** Scales by the definition of the filter: each pixel of the picture lends its light, weighted by its opacity. */
function byDefinition({ width, height, rgba }: Pixels, part: Part, to: Dimensions): Pixels {
  const across = Array.from({ length: to.width }, (_, x) =>
    weightsOf(width, part.left, part.width, to.width, x),
  );
  const down = Array.from({ length: to.height }, (_, y) =>
    weightsOf(height, part.top, part.height, to.height, y),
  );
  return paint(to.width, to.height, (x, y) => {
    const sums = [0, 0, 0];
    let opacity = 0;
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const at = (row * width + column) * 4;
        const weight = (across[x]?.[column] ?? 0) * (down[y]?.[row] ?? 0) * (rgba[at + 3] ?? 0);
        opacity += weight;
        for (let channel = 0; channel < 3; channel++) {
          sums[channel] = (sums[channel] ?? 0) + weight * lightOf(rgba[at + channel] ?? 0);
        }
      }
    }
    const [red = 0, green = 0, blue = 0] = sums.map((sum) =>
      Math.min(255, Math.max(0, Math.round(levelOf(sum / opacity)))),
    );
    return [red, green, blue, Math.min(255, Math.max(0, Math.round(opacity)))];
  });
}

/** Asserts that what can be seen of two pictures is the same but for a level. */
function assertSeen(read: Pixels, expected: Pixels, what: string): void {
  const seen = expected.rgba.map((level, at) => (expected.rgba[at | 3] === 0 && at % 4 < 3 ? 0 : level));
  const own = read.rgba.map((level, at) => (expected.rgba[at | 3] === 0 && at % 4 < 3 ? 0 : level));
  const off = seen.findIndex((level, at) => Math.abs(level - (own[at] ?? 0)) > 1);
  assert.equal(off, -1, `${what}: byte ${off} is ${own[off]}, not ${seen[off]}`);
}

describe('scaling', () => {
  it('is what the filter is defined to be, of all parts, to all sizes, with and without transparency', () => {
    const random = seededRandom(17);
    for (let run = 0; run < 40; run++) {
      // Few high pictures become a few rows: those are added up in another way.
      const isHigh = run % 8 === 7;
      const [width, height] = [
        random.integer(1, 12),
        isHigh ? random.integer(200, 400) : random.integer(1, 30),
      ];
      const isOpaque = run % 3 === 0;
      const picture = paint(width, height, () => [
        random.next() * 255,
        random.chance(0.5) ? 0 : 255,
        random.next() ** 3 * 255,
        isOpaque ? 255 : random.chance(0.4) ? 0 : random.chance(0.5) ? 255 : random.next() * 255,
      ]);
      const [left, top] =
        run % 2 === 0 ? [0, 0] : [random.between(0, width / 2), random.between(0, height / 4)];
      const part = {
        left,
        top,
        width: run % 2 === 0 ? width : random.between(0.2, width - left),
        height: run % 2 === 0 ? height : random.between(0.6 * height, height - top),
      };
      const to = {
        width: random.integer(1, 16),
        height: isHigh ? random.integer(1, 4) : random.integer(1, 20),
      };
      assertSeen(
        resize(picture, part, to),
        byDefinition(picture, part, to),
        `run ${run}: ${width} × ${height}, ${JSON.stringify({ part, to })}`,
      );
    }
  });

  it('not at all, from a part of the picture, copies its pixels', () => {
    const random = seededRandom(11);
    for (const isOpaque of [true, false]) {
      const picture = paint(23, 14, () => [
        random.next() * 255,
        random.next() * 255,
        random.next() * 255,
        isOpaque ? 255 : 1 + random.next() * 254,
      ]);
      for (const [left, top, width, height] of [
        [0, 0, 23, 14],
        [5, 2, 11, 9],
        [20, 1, 3, 13],
      ] as const) {
        const part = paint(width, height, (x, y) => {
          const [red = 0, green = 0, blue = 0, alpha = 0] = colorAt(picture, left + x, top + y);
          return [red, green, blue, alpha];
        });
        assertPixels(resize(picture, { left, top, width, height }, { width, height }), part, 0);
      }
    }
  });

  it('keeps an even slope of light in its place, up and down, from fractional parts', () => {
    const [width, height] = [90, 60];
    const acrossAt = (x: number): number => 0.1 + (0.8 * x) / width;
    const downAt = (y: number): number => 0.9 - (0.8 * y) / height;
    const slope = paint(width, height, (x, y) => [levelOf(acrossAt(x)), levelOf(downAt(y)), 77, 255]);
    for (const to of [
      { width: 51, height: 170 },
      { width: 200, height: 17 },
    ]) {
      const part = { left: 10.25, top: 8.5, width: 70.5, height: 40.75 };
      const scaled = resize(slope, part, to);
      const expected = paint(to.width, to.height, (x, y) => [
        levelOf(acrossAt(part.left + ((x + 0.5) * part.width) / to.width - 0.5)),
        levelOf(downAt(part.top + ((y + 0.5) * part.height) / to.height - 0.5)),
        77,
        255,
      ]);
      assertPixels(scaled, expected, 1);
    }
  });

  it('down makes what another library makes', async () => {
    const random = seededRandom(3);
    for (const [width, height, to, toHeight] of [
      [37, 23, 19, 11],
      [64, 48, 21, 16],
    ] as const) {
      const picture = paint(width, height, (x, y) => [
        128 + 100 * Math.sin(x / 3 + y / 5),
        random.next() * 255,
        (x * 255) / width,
        255,
      ]);
      const read = await sharp(picture.rgba, { raw: { width, height, channels: 4 } })
        .removeAlpha()
        .pipelineColourspace('scrgb')
        .resize(to, toHeight, { kernel: 'cubic', fit: 'fill' })
        .toColourspace('srgb')
        .raw()
        .toBuffer();
      const expected = paint(to, toHeight, (x, y) => {
        const [red = 0, green = 0, blue = 0] = read.subarray((y * to + x) * 3);
        return [red, green, blue, 255];
      });
      // It rounds its weights, and repeats the pixels of the edges.
      assertPixels(scaled(picture, to, toHeight), expected, 8);
    }
  });

  it('far down is the same in both directions, with and without transparency', () => {
    const random = seededRandom(5);
    for (const isOpaque of [true, false]) {
      const high = paint(40, 2000, (x, y) => [
        (x * 6) & 255,
        y >> 3,
        random.next() * 255,
        isOpaque ? 255 : 255 - (y >> 4),
      ]);
      for (const length of [1, 7, 60]) {
        assertPixels(scaled(high, 40, length), turned(scaled(turned(high), length, 40)), 1);
      }
    }
  });

  it('far down takes little more memory than the picture', () => {
    const side = 3000;
    const picture = { width: side, height: side, rgba: new Uint8Array(side * side * 4).fill(255) };
    const before = process.resourceUsage().maxRSS;
    scaled(picture, side, 2);
    const more = (process.resourceUsage().maxRSS - before) / 1024;
    assert.ok(more < 100, `${more} MB`);
  });
});
