import type { Dimensions } from '../dimensions.ts';
import { isQuarterTurn, readOrientation } from '../orientation.ts';
import { profileOf, withProfile } from './colourProfile.ts';
import { decodeImage, encodeImage, imageSize } from './codecSet.ts';
import type { Pixels } from './pixels.ts';
import { turn } from './turn.ts';

/**
 * Size of a picture as it is seen, by its headers.
 * @throws CodecError as `imageSize`
 */
export async function uprightSize(bytes: Uint8Array): Promise<Dimensions> {
  const { width, height } = imageSize(bytes);
  return isQuarterTurn(await readOrientation(bytes)) ? { width: height, height: width } : { width, height };
}

/**
 * Decodes a picture as it is seen: its EXIF orientation is applied.
 * @throws CodecError as `decodeImage`
 */
export async function decodeUpright(bytes: Uint8Array): Promise<Pixels> {
  return turn(await decodeImage(bytes), await readOrientation(bytes));
}

/**
 * Turns a picture to how it is seen, and writes it as PNG without an orientation.
 * @throws CodecError as `decodeImage`
 */
export async function upright(bytes: Uint8Array): Promise<Uint8Array> {
  return withProfile(
    await encodeImage(await decodeUpright(bytes), { format: 'png' }),
    await profileOf(bytes),
  );
}
