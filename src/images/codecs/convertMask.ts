import { isMaskByAlpha, maskLevel } from '../../common/maskLevels.ts';
import { encodeImage } from './codecSet.ts';
import type { Pixels } from './pixels.ts';
import { decodeUpright } from './applyOrientation.ts';

/** Marks what is edited by transparency, or by white on black. */
export type MaskConvention = 'alpha' | 'white';

/** Returns how much a mask edits each pixel, from 0 to 255. */
export function editedLevels({ rgba }: Pixels): Uint8Array {
  const levels = new Uint8Array(rgba.length / 4);
  const isByAlpha = isMaskByAlpha(rgba);
  for (let pixel = 0, at = 0; pixel < levels.length; pixel++, at += 4) {
    levels[pixel] = maskLevel(rgba, at, isByAlpha);
  }
  return levels;
}

/**
 * Converts a mask of either convention to the given one, as PNG.
 * @throws CodecError as `decodeImage`
 */
export async function convertMask(bytes: Uint8Array, convention: MaskConvention): Promise<Uint8Array> {
  const { width, height, rgba } = await decodeUpright(bytes);
  const levels = editedLevels({ width, height, rgba });
  for (const [pixel, level] of levels.entries()) {
    rgba.set(convention === 'alpha' ? [0, 0, 0, 255 - level] : [level, level, level, 255], pixel * 4);
  }
  return encodeImage({ width, height, rgba }, { format: 'png' });
}
