import { decodeImage } from '../codecs/codecSet.ts';
import { type MainColor, mainColors } from '../cutout/matte.ts';
import { release } from '../codecs/pixels.ts';

/** Returns the main colors of an image, the most frequent first. @throws CodecError as `decode` */
export async function fileColors(bytes: Uint8Array): Promise<MainColor[]> {
  const pixels = await decodeImage(bytes);
  try {
    return mainColors(pixels);
  } finally {
    release(pixels.rgba);
  }
}
