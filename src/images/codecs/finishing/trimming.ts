import type { Pixels } from '../pixels.ts';
import type { Part } from '../resize.ts';

/** The least alpha that counts: what is fainter nobody sees, and background removal leaves some of it behind. */
const leastSeen = 5;

/**
 * Returns the smallest part that holds all that is seen of a picture, in whole pixels; undefined if nothing is.
 *
 * @param least the alpha from which a pixel counts
 */
export function seenPart({ width, height, rgba }: Pixels, least = leastSeen): Part | undefined {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0, at = 3; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      if ((rgba[at] ?? 0) >= least) {
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = y;
      }
    }
  }
  return bottom < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}
