import type { Pixels } from '../pixels.ts';
import type { Rgb } from './surface.ts';

/** One of the main colours of an image, with its share of the pixels from 0 to 1. */
export interface MainColour {
  colour: Rgb;
  share: number;
}

const samples = 100_000;
const mostColours = 12;

/** Returns the main colours of what isn't transparent, at most twelve, the most frequent first. */
export function mainColours({ width, height, rgba }: Pixels): MainColour[] {
  /** The number of pixels, and the sums of red, green and blue, of each cell of a grid of colours. */
  const cells = new Map<number, [count: number, red: number, green: number, blue: number]>();
  const step = Math.max(1, Math.floor((width * height) / samples));
  let total = 0;
  for (let pixel = 0; pixel < width * height; pixel += step) {
    const at = pixel * 4;
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(at, at + 4);
    if (alpha < 128) {
      continue;
    }
    const cell = ((red >> 5) << 6) | ((green >> 5) << 3) | (blue >> 5);
    const sums = cells.get(cell) ?? [0, 0, 0, 0];
    cells.set(cell, [sums[0] + 1, sums[1] + red, sums[2] + green, sums[3] + blue]);
    total++;
  }
  return [...cells.values()]
    .toSorted(([one], [other]) => other - one)
    .slice(0, mostColours)
    .map(([count, red, green, blue]) => ({
      colour: [red / count, green / count, blue / count],
      share: count / total,
    }));
}
