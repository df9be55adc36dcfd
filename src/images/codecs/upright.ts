import type { Dimensions } from '../formats/dimensions.ts';
import { isQuarterTurn, readOrientation } from '../formats/orientation.ts';
import { decodeImage, imageSize } from './codecSet.ts';
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
