import type { Dimensions } from '../formats/dimensions.ts';
import { CodecError, type Encoding } from './pixels.ts';
import { withColoursOf } from './colourProfile.ts';
import { encodeImage, formatOf, MAX_PIXELS } from './codecSet.ts';
import { resize } from './resize.ts';
import { decodeUpright } from './turn.ts';

/** What loses nothing where the format can, and next to nothing where it cannot. */
const encodings = {
  png: { format: 'png' },
  jpeg: { format: 'jpeg', quality: 92 },
  webp: { format: 'webp', lossless: true },
} as const satisfies Record<string, Encoding>;

/**
 * Scales a picture until it covers a size, and takes the middle of it; in the format that it had.
 * @throws CodecError as `decodeImage`, and for a size of no pixels or of more than 100 megapixels
 */
export async function fit(bytes: Uint8Array, { width, height }: Dimensions): Promise<Uint8Array> {
  if (![width, height].every((side) => Number.isInteger(side) && side > 0) || width * height > MAX_PIXELS) {
    throw new CodecError(`${width} × ${height} is no size for a picture.`);
  }
  const pixels = await decodeUpright(bytes);
  const scale = Math.min(pixels.width / width, pixels.height / height);
  const taken = { width: width * scale, height: height * scale };
  const part = {
    ...taken,
    left: (pixels.width - taken.width) / 2,
    top: (pixels.height - taken.height) / 2,
  };
  const fitted = await encodeImage(resize(pixels, part, { width, height }), encodings[formatOf(bytes)]);
  return withColoursOf(fitted, bytes);
}

/**
 * Writes a picture in another format, as it is seen: its EXIF orientation is applied, and its colours mean what they did.
 * @throws CodecError as `decodeImage` and `encodeImage`
 */
export async function convert(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return withColoursOf(await encodeImage(await decodeUpright(bytes), encoding), bytes);
}
