import type { Pixels } from '../pixels.ts';
import { clear } from './alphaMap.ts';

/** The side of the corners that are looked at, as a share of the shorter side. */
const cornerShare = 0.03;
/** The greatest share of a corner that is not clear, for stray pixels. */
const strayShare = 0.03;
/** The alpha of what is left of a ground, and from which it is a subject's. */
const [faintest, firm] = [6, 140];

const sides = ['top', 'bottom', 'left', 'right'] as const;
export type Side = (typeof sides)[number];

/** Counts the corners of an image that are not clear. */
export function filledCorners({ width, height, rgba }: Pixels): number {
  const side = Math.max(2, Math.round(Math.min(width, height) * cornerShare));
  let count = 0;
  for (const top of [0, height - side]) {
    for (const left of [0, width - side]) {
      let filled = 0;
      for (let y = Math.max(0, top); y < Math.min(height, top + side); y++) {
        for (let x = Math.max(0, left); x < Math.min(width, left + side); x++) {
          filled += Number((rgba[(y * width + x) * 4 + 3] ?? 0) > clear);
        }
      }
      count += Number(filled > strayShare * side * side);
    }
  }
  return count;
}

/** Returns the sides of an image of which the subject touches more than a share. */
export function touchedSides(pixels: Pixels, share: number): Side[] {
  return sides.filter((side) => {
    const alphas = alphasOf(pixels, side);
    return alphas.filter((alpha) => alpha >= firm).length > share * alphas.length;
  });
}

/** Returns the share of the border that is neither clear nor the subject's. */
export function faintBorder(pixels: Pixels): number {
  const alphas = sides.flatMap((side) => alphasOf(pixels, side));
  return alphas.filter((alpha) => alpha >= faintest && alpha < firm).length / alphas.length;
}

function alphasOf({ width, height, rgba }: Pixels, side: Side): number[] {
  const isRow = side === 'top' || side === 'bottom';
  const start = side === 'bottom' ? (height - 1) * width : side === 'right' ? width - 1 : 0;
  const [length, step] = isRow ? [width, 1] : [height, width];
  return Array.from({ length }, (_, index) => rgba[(start + index * step) * 4 + 3] ?? 0);
}
