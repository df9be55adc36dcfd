import { encodeImage } from './codecSet.ts';
import type { Pixels } from './pixels.ts';
import { decodeUpright } from './upright.ts';

/** How a mask says what is edited: by transparency, or white on black. */
export type MaskConvention = 'alpha' | 'white';

/** A little less than all and a little more than nothing: masks that were compressed with loss are not quite either. */
const almostAll = 239;
const almostNothing = 16;

/**
 * How much each pixel of a mask is edited, from 0 to 255: by its transparency, or, in a mask without any, by its
 * lightness.
 */
export function editedLevels({ rgba }: Pixels): Uint8Array {
  const levels = new Uint8Array(rgba.length / 4);
  const byAlpha = hasTransparency(rgba);
  for (let pixel = 0, at = 0; pixel < levels.length; pixel++, at += 4) {
    const level = byAlpha ? 255 - (rgba[at + 3] ?? 0) : lightness(rgba, at);
    levels[pixel] = level < almostNothing ? 0 : level > almostAll ? 255 : level;
  }
  return levels;
}

/**
 * Writes a mask of either convention in the one that is wanted, as PNG.
 * @throws CodecError as `decodeImage`
 */
export async function toMask(bytes: Uint8Array, convention: MaskConvention): Promise<Uint8Array> {
  const { width, height, rgba } = await decodeUpright(bytes);
  const levels = editedLevels({ width, height, rgba });
  for (const [pixel, level] of levels.entries()) {
    rgba.set(convention === 'alpha' ? [0, 0, 0, 255 - level] : [level, level, level, 255], pixel * 4);
  }
  return encodeImage({ width, height, rgba }, { format: 'png' });
}

function hasTransparency(rgba: Uint8Array): boolean {
  for (let at = 3; at < rgba.length; at += 4) {
    if (rgba[at] !== 255) {
      return true;
    }
  }
  return false;
}

function lightness(rgba: Uint8Array, at: number): number {
  return ((rgba[at] ?? 0) * 54 + (rgba[at + 1] ?? 0) * 183 + (rgba[at + 2] ?? 0) * 19) >> 8;
}
