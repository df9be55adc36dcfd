import { isAnimated } from '../formats/animation.ts';
import { findPngFlaw } from '../damage/findDamage.ts';
import { decodeImage, formatOf } from './codecSet.ts';
import { DamagedImage, release } from './pixels.ts';

/**
 * Returns what is wrong with an image file, in English: with its checksums, or with what a decoder reads. Undefined if
 * nothing is, and for files that can't be decoded although they may be whole: animations, CMYK, more than 100 megapixels.
 */
export async function flawOf(bytes: Uint8Array): Promise<string | undefined> {
  if (formatOf(bytes) === 'png') {
    return (await findPngFlaw(bytes))?.message;
  }
  if (await isAnimated(bytes)) {
    return undefined;
  }
  let found: string | undefined;
  try {
    const { rgba } = await decodeImage(bytes, (flaw) => {
      found = flaw;
    });
    release(rgba);
    return found;
  } catch (error) {
    return error instanceof DamagedImage ? error.flaw : undefined;
  }
}
