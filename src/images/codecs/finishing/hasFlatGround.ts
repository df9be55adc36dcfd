import { decodeUpright } from '../applyOrientation.ts';
import { measureGround } from '../matte/matte.ts';
import { release } from '../pixels.ts';

/** Whether the subject of an image is on a flat background, so that it can be told from that. @throws CodecError as `decode` */
export async function hasFlatGround(bytes: Uint8Array): Promise<boolean> {
  const pixels = await decodeUpright(bytes);
  try {
    return measureGround(pixels) !== undefined;
  } finally {
    release(pixels.rgba);
  }
}
