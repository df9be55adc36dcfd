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

/** How much of the image a mask edits. */
export type MaskedShare = 'nothing' | 'part' | 'everything';

/** What a mask edits, by what it could be meant by. */
export interface MaskFacts {
  byTransparency: MaskedShare;
  byLightness: MaskedShare;
  /** Whether it has no colors, but for what lossy formats add. */
  isGray: boolean;
}

/** The most that the channels of a gray pixel differ by. */
const grayNoise = 16;

/**
 * Reads what a mask edits. Pixels count as those of `editedLevels` do: what is less than a sixteenth transparent, as
 * lossy formats and soft brushes leave it, edits nothing.
 * @throws CodecError as `decodeImage`
 */
export async function maskFacts(bytes: Uint8Array): Promise<MaskFacts> {
  const { rgba } = await decodeUpright(bytes);
  const shareOf = (isByAlpha: boolean): MaskedShare => {
    const first = maskLevel(rgba, 0, isByAlpha);
    for (let at = 4; at < rgba.length; at += 4) {
      if (maskLevel(rgba, at, isByAlpha) !== first) {
        return 'part';
      }
    }
    return first === 0 ? 'nothing' : first === 255 ? 'everything' : 'part';
  };
  return { byTransparency: shareOf(true), byLightness: shareOf(false), isGray: isGray(rgba) };
}

function isGray(rgba: Uint8Array): boolean {
  for (let at = 0; at < rgba.length; at += 4) {
    const [red, green, blue] = [rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0];
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > grayNoise) {
      return false;
    }
  }
  return true;
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
