import type { Pixels } from '../pixels.ts';
import { clear, isShadow } from './alphaMap.ts';

/** The least alpha of something whose edge is looked for. */
const least = 40;
/** How far alpha may change inside it, as a share of it. */
const evenness = 0.2;
/** The distance over which an edge is sharp: a share of the longer side, in pixels. */
const edgeShare = 1 / 240;
/** The least length of sharp edges, in square roots of the number of pixels that are not clear. */
const leastLength = 0.3;

/**
 * Whether something dark with sharp edges is evenly half-transparent. Shadows are dark and half-transparent, too, but
 * most fade out; a solid part in a dark shade of the ground's colour looks like this once the ground is removed.
 */
export function hasDarkPlateau(pixels: Pixels): boolean {
  const { width, height, rgba } = pixels;
  const step = Math.max(3, Math.round(Math.max(width, height) * edgeShare));
  const alphaAt = (x: number, y: number): number => rgba[(y * width + x) * 4 + 3] ?? 0;
  // Some rows tell enough: edges that are sharp go on.
  let [length, filled] = [0, 0];
  for (let y = step >> 1; y < height; y += step) {
    for (let x = 0; x < width; x++) {
      const alpha = alphaAt(x, y);
      if (alpha <= clear) {
        continue;
      }
      filled++;
      if (alpha < least || x < 2 * step || x >= width - 2 * step || !isShadow(rgba, (y * width + x) * 4)) {
        continue;
      }
      const isEven = (inside: number): boolean =>
        [inside, 2 * inside].every((way) => Math.abs(alphaAt(x + way, y) - alpha) <= evenness * alpha);
      // Of all pixels of a row that are this near to an edge, the last one before it counts.
      const isEdge = (outside: number): boolean =>
        alphaAt(x + outside, y) <= clear && alphaAt(x + outside - Math.sign(outside), y) > clear;
      if ((isEdge(-step) && isEven(step)) || (isEdge(step) && isEven(-step))) {
        length++;
      }
    }
  }
  return length * step > leastLength * Math.sqrt(filled * step);
}
