import * as english from '../../common/english.ts';
import { amountAt, leastChange } from '../../common/requestValues.ts';
import type { Dimensions } from '../formats/dimensions.ts';
import { decodeUpright, uprightSize } from '../codecs/applyOrientation.ts';
import { CodecError, release } from '../codecs/pixels.ts';

/** How the pixels of two images differ. */
export interface ChangedPixels {
  before: Dimensions;
  after: Dimensions;
  /** How many of the pixels differ visibly; undefined for images of different sizes. */
  changed: number | undefined;
}

/** Maximum number of pixels. Lists compare many images that nobody asked for. */
const maxPixelsCompared = 40_000_000;

/**
 * Counts the pixels that differ between two images, with their EXIF orientations applied.
 *
 * @throws CodecError as `decodeImage`, and for more than 40 megapixels
 */
export async function changedPixels(before: Uint8Array, after: Uint8Array): Promise<ChangedPixels> {
  const sizes = { before: await uprightSize(before), after: await uprightSize(after) };
  const { width, height } = sizes.after;
  if (width !== sizes.before.width || height !== sizes.before.height) {
    return { ...sizes, changed: undefined };
  }
  if (width * height > maxPixelsCompared) {
    throw new CodecError(english.t('The images have too many pixels to be compared one by one.'));
  }
  const [{ rgba: one }, { rgba: other }] = [await decodeUpright(before), await decodeUpright(after)];
  let changed = 0;
  for (let at = 0; at < other.length; at += 4) {
    changed += amountAt(one, other, at) >= leastChange ? 1 : 0;
  }
  release(one);
  release(other);
  return { ...sizes, changed };
}
