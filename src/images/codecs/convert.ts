import { withColoursOf } from './colourProfile.ts';
import { encodeImage } from './codecSet.ts';
import type { Encoding } from './pixels.ts';
import { decodeUpright } from './upright.ts';

/**
 * Writes a picture in another format, as it is seen: its EXIF orientation is applied, and its colours mean what they did.
 * @throws CodecError as `decodeImage` and `encodeImage`
 */
export async function convert(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return withColoursOf(await encodeImage(await decodeUpright(bytes), encoding), bytes);
}
