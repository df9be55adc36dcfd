import { decodeUpright } from '../codecs/applyOrientation.ts';
import { hasRealAlpha, isWhiteEnough, measureBackground } from '../cutout/matte.ts';
import { release } from '../codecs/pixels.ts';

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
