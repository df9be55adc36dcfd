import { CodecError, type Encoding } from './pixels.ts';
import { withColoursOf } from './colourProfile.ts';
import { encodeImage, formatOf, MAX_PIXELS } from './codecSet.ts';
import { resize } from './resize.ts';
import { decodeUpright } from './applyOrientation.ts';

/** Lossless where the format allows it, nearly so otherwise. */
const encodings = {
  png: { format: 'png' },
  jpeg: { format: 'jpeg', quality: 92 },
  webp: { format: 'webp', lossless: true },
} as const satisfies Record<string, Encoding>;

/**
 * Scales an image to cover a size, crops it around the centre, and keeps its format.
 * @throws CodecError as `decodeImage`, and for a size of no pixels or of more than 100 megapixels
 */
export async function fit(bytes: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  if (![width, height].every((side) => Number.isInteger(side) && side > 0) || width * height > MAX_PIXELS) {
    throw new CodecError(`${width} × ${height} is not a valid image size.`);
  }
  const pixels = await decodeUpright(bytes);
  const scale = Math.min(pixels.width / width, pixels.height / height);
  const taken = { width: width * scale, height: height * scale };
  const part = { ...taken, left: (pixels.width - taken.width) / 2, top: (pixels.height - taken.height) / 2 };
  const fitted = await encodeImage(resize(pixels, part, { width, height }), encodings[formatOf(bytes)]);
  return withColoursOf(fitted, bytes);
}

/**
 * Converts an image to another format. Its EXIF orientation is applied, and its colour profile is kept.
 * @throws CodecError as `decodeImage` and `encodeImage`
 */
export async function convert(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return withColoursOf(await encodeImage(await decodeUpright(bytes), encoding), bytes);
}
