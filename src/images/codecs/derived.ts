import { CodecError, isOpaque, type Pixels } from './pixels.ts';
import type { Encoding } from '../formats/finish.ts';
import { withColorsOf } from './colorProfile.ts';
import { encodeImage, formatOf, imageSize } from './codecSet.ts';
import { resize } from './resize.ts';
import { decodeUpright } from './applyOrientation.ts';

/** Maximum number of pixels for a thumbnail. Nobody asked for it, so it must not take much memory. */
const maxPixelsOfThumbnail = 40_000_000;

/**
 * Returns an image as a small WebP file, scaled down to fit a square.
 *
 * @param side of the square, in pixels
 * @throws CodecError as `decodeImage`, and for more than 40 megapixels
 */
export async function thumbnail(bytes: Uint8Array, side: number): Promise<Uint8Array> {
  return withColorsOf(
    await encodeImage(await scaledDown(bytes, side), { format: 'webp', quality: 80 }),
    bytes,
  );
}

/**
 * Returns an image as a small file that every program can show: JPEG, or PNG where it is transparent.
 *
 * @param side of the square that it fits into, in pixels
 * @throws CodecError as `thumbnail`
 */
export async function preview(
  bytes: Uint8Array,
  side: number,
): Promise<{ data: Uint8Array; mediaType: string }> {
  const small = await scaledDown(bytes, side);
  const format = isOpaque(small) ? 'jpeg' : 'png';
  const encoded = await encodeImage(small, format === 'jpeg' ? { format, quality: 80 } : { format });
  return { data: await withColorsOf(encoded, bytes), mediaType: `image/${format}` };
}

async function scaledDown(bytes: Uint8Array, side: number): Promise<Pixels> {
  const size = imageSize(bytes);
  if (size.width * size.height > maxPixelsOfThumbnail) {
    throw new CodecError(`${size.width} × ${size.height} pixels are too many for a thumbnail.`);
  }
  const pixels = await decodeUpright(bytes);
  const scale = Math.min(1, side / Math.max(pixels.width, pixels.height));
  const scaled = (length: number): number => Math.max(1, Math.round(length * scale));
  const [width, height] = [scaled(pixels.width), scaled(pixels.height)];
  const whole = { left: 0, top: 0, width: pixels.width, height: pixels.height };
  return resize(pixels, whole, { width, height });
}

/** Converts an image, with its EXIF orientation applied and its color profile. @throws CodecError */
export async function convert(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return withColorsOf(await encodeImage(await decodeUpright(bytes), encoding), bytes);
}

/**
 * Applies the EXIF orientation of an image and writes it in its own format: PNG and WebP losslessly, JPEG nearly so.
 * Keeps its color profile.
 *
 * @throws CodecError as `decodeImage` and `encodeImage`
 */
export async function turnUpright(bytes: Uint8Array): Promise<Uint8Array> {
  return convert(bytes, uprightEncodings[formatOf(bytes)]);
}

const uprightEncodings = {
  png: { format: 'png' },
  jpeg: { format: 'jpeg', quality: 95 },
  webp: { format: 'webp', lossless: true },
} as const;
