import type { Pixels } from '../../../../src/images/codecs/codecs.ts';

/** One pixel: red, green, blue, alpha. */
export type Colour = readonly [number, number, number, number];

/** A picture by what each of its pixels is. */
export function paint(width: number, height: number, colourAt: (x: number, y: number) => Colour): Pixels {
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rgba.set(colourAt(x, y), (y * width + x) * 4);
    }
  }
  return { width, height, rgba };
}

export function colourAt({ width, rgba }: Pixels, x: number, y: number): number[] {
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
      if (counts(x, y) && colourAt(one, x, y).join() !== colourAt(other, x, y).join()) {
        differing++;
      }
    }
  }
  return differing;
}
