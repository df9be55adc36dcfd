/** Levels this close to nothing or everything count as it: lossy compression blurs both. */
const almostNothing = 16;
const almostAll = 239;

type Rgba = Uint8Array | Uint8ClampedArray;

/** Whether transparency says what a mask edits; in a mask without any that counts, lightness does. */
export function isMaskByAlpha(rgba: Rgba): boolean {
  for (let at = 0; at < rgba.length; at += 4) {
    if (maskLevel(rgba, at, true) > 0) {
      return true;
    }
  }
  return false;
}

/** Returns how much a mask edits the pixel whose bytes begin at `at`, from 0 to 255. */
export function maskLevel(rgba: Rgba, at: number, isByAlpha: boolean): number {
  const level = isByAlpha ? 255 - (rgba[at + 3] ?? 0) : lightness(rgba, at);
  return level < almostNothing ? 0 : level > almostAll ? 255 : level;
}

function lightness(rgba: Rgba, at: number): number {
  return ((rgba[at] ?? 0) * 54 + (rgba[at + 1] ?? 0) * 183 + (rgba[at + 2] ?? 0) * 19) >> 8;
}
