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
  for (let y = 0; y < height; y++) {
    const start = y * width * 4 + 3;
    let [first, last] = [0, width - 1];
    while (first < width && (rgba[start + first * 4] ?? 0) < least) {
      first++;
    }
    if (first < width) {
      while ((rgba[start + last * 4] ?? 0) < least) {
        last--;
      }
      left = Math.min(left, first);
      right = Math.max(right, last);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return bottom < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}
