import assert from 'node:assert/strict';
import type { Dimensions } from '../../../src/images/formats/dimensions.ts';
import type { Pixels } from '../../../src/images/finish/codecs.ts';

/** One pixel: red, green, blue, alpha. */
export type Color = readonly [number, number, number, number];

/** A picture by what each of its pixels is. */
export function paint(width: number, height: number, colorAt: (x: number, y: number) => Color): Pixels {
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rgba.set(colorAt(x, y), (y * width + x) * 4);
    }
  }
  return { width, height, rgba };
}

export function colorAt({ width, rgba }: Pixels, x: number, y: number): number[] {
  const at = (y * width + x) * 4;
  return [...rgba.subarray(at, at + 4)];
}

/** How many pixels of two pictures of one size differ, of those that are asked for. */
export function differing(
  one: Pixels,
  other: Pixels,
  counts: (x: number, y: number) => boolean = () => true,
): number {
  let differing = 0;
  for (let y = 0; y < one.height; y++) {
    for (let x = 0; x < one.width; x++) {
      if (counts(x, y) && colorAt(one, x, y).join() !== colorAt(other, x, y).join()) {
        differing++;
      }
    }
  }
  return differing;
}

/** Asserts that two pictures are the same but for so many levels; what failed is told in a line, however large they are. */
export function assertPixels(read: Pixels, expected: Pixels, slack = 0): void {
  assert.deepEqual(
    [read.width, read.height, read.rgba.length],
    [expected.width, expected.height, expected.rgba.length],
  );
  const off = expected.rgba.findIndex((level, at) => Math.abs((read.rgba[at] ?? 0) - level) > slack);
  assert.equal(off, -1, `byte ${off} is ${read.rgba[off]}, not ${expected.rgba[off]}`);
}

/** What pictures of random tests show. */
export const contents = ['flat', 'gradient', 'noise', 'opaque noise', 'half', 'unseen'] as const;

/** What a picture of a random test is made of: small to print, where the pixels would fill the screen. */
export interface Recipe {
  content: (typeof contents)[number];
  size: Dimensions;
  seed: number;
}

/** The picture of a recipe; `unseen` has colors under full transparency, `half` alpha 128. */
export function pictureOf({ content, size: { width, height }, seed }: Recipe): Pixels {
  return paint(width, height, (x, y) => {
    const [red, green, blue, alpha] = noiseAt(seed, y * width + x);
    switch (content) {
      case 'flat':
        return noiseAt(seed, 0);
      case 'gradient':
        return [(x * 255) / width, (y * 255) / height, seed & 255, 255];
      case 'noise':
        return [red, green, blue, alpha];
      case 'opaque noise':
        return [red, green, blue, 255];
      case 'half':
        return [red, green, blue, 128];
      case 'unseen':
        return [red, green, blue, 0];
    }
  });
}

/** A color that looks random. */
function noiseAt(seed: number, index: number): [number, number, number, number] {
  let mixed = Math.imul(seed ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  mixed ^= mixed >>> 16;
  return [mixed & 255, (mixed >>> 8) & 255, (mixed >>> 16) & 255, mixed >>> 24];
}
