import { decodeUpright } from '../codecs/applyOrientation.ts';
import { decodeImage } from '../codecs/codecSet.ts';
import { release } from '../codecs/pixels.ts';
import {
  hasRealAlpha,
  isWhiteEnough,
  type MainColor,
  mainColors,
  measureBackground,
} from '../cutout/matte.ts';

/** Returns the main colors of an image, the most frequent first. @throws CodecError as `decode` */
export async function fileColors(bytes: Uint8Array): Promise<MainColor[]> {
  const pixels = await decodeImage(bytes);
  try {
    return mainColors(pixels);
  } finally {
    release(pixels.rgba);
  }
}

/** The background of a subject: transparent, white, another flat color, or a scene. */
export type Background = 'transparent' | 'white' | 'color' | 'scene';

/** Tells the background of a subject that was requested on white. @throws CodecError as `decode` */
export async function backgroundOf(bytes: Uint8Array): Promise<Background> {
  const pixels = await decodeUpright(bytes);
  try {
    if (hasRealAlpha(pixels)) {
      return 'transparent';
    }
    const background = measureBackground(pixels);
    return background ? (isWhiteEnough(background) ? 'white' : 'color') : 'scene';
  } finally {
    release(pixels.rgba);
  }
}
