import type { Pixels } from '../codecs/pixels.ts';
import type { Part } from '../codecs/resize.ts';

/** Minimum alpha that counts: fainter pixels are invisible, and background removal leaves some behind. */
const leastSeen = 5;

/**
 * Returns the smallest part with all visible pixels of an image; undefined if there are none.
 *
 * @param least minimum alpha of a pixel that counts
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
