import { decodeUpright } from '../applyOrientation.ts';
import { hasRealAlpha, isWhiteEnough, measureGround } from '../matte/matte.ts';
import { release } from '../pixels.ts';

/** What is behind the subject of an image: nothing, white, one flat colour that isn't, or anything else. */
export type Background = 'transparent' | 'white' | 'colour' | 'scene';

/** Tells what is behind the subject of an image that was to be on white. @throws CodecError as `decode` */
export async function backgroundOf(bytes: Uint8Array): Promise<Background> {
  const pixels = await decodeUpright(bytes);
  try {
    if (hasRealAlpha(pixels)) {
      return 'transparent';
    }
    const ground = measureGround(pixels);
    return ground ? (isWhiteEnough(ground) ? 'white' : 'colour') : 'scene';
  } finally {
    release(pixels.rgba);
  }
}
