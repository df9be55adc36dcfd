import { decodeImage } from '../codecSet.ts';
import { type MainColour, mainColours } from '../matte/matte.ts';
import { release } from '../pixels.ts';

/** Returns the main colours of an image, the most frequent first. @throws CodecError as `decode` */
export async function fileColours(bytes: Uint8Array): Promise<MainColour[]> {
  const pixels = await decodeImage(bytes);
  try {
    return mainColours(pixels);
  } finally {
    release(pixels.rgba);
  }
}
