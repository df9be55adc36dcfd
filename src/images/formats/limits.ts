import type { Dimensions } from './dimensions.ts';

/** Maximum number of pixels to decode or create. Beyond it, a file of some kilobytes could take gigabytes. */
export const maxPixels = 100_000_000;

/** Maximum number of pixels in a row: some are held as eight bytes per channel. */
export const maxRow = 65_535;

/** The greatest width and height in pixels. Beyond it, the encoders fail without a reason. */
export const maxSide = { png: 2 ** 31 - 1, jpeg: 65_500, webp: 16_383 } as const;

/** Maximum memory for processing an image that nobody waits for, in bytes. */
export const maxMemory = 500_000_000;

/** Number of pixels beyond which the encoders for the smallest files take seconds, and hundreds of megabytes. */
const largeImage = 6_000_000;

export function isLarge({ width, height }: Dimensions): boolean {
  return width * height > largeImage;
}

/** An image file to decode; `rows`: a PNG file of the kind that is read row by row. */
export interface Source extends Dimensions {
  way: 'rows' | 'png' | 'jpeg' | 'webp';
  /** In bytes. */
  length: number;
}

/** Memory of the codecs besides images, in bytes. */
const leastMemory = 40_000_000;

/** Bytes per pixel while decoding, and those still in use while encoding. */
const decoding = { rows: [4, 4], png: [12, 12], jpeg: [9, 4], webp: [9, 4] } as const;
/** The same for small images, whose decoders stay loaded. */
const decodingSmall = { rows: [4, 4], png: [15, 15], jpeg: [17, 17], webp: [10, 10] } as const;

/** Bytes per pixel that the encoder takes for a large image, and for a small one. */
const encoding = { png: [4, 4], jpeg: [19, 18], webp: [11, 13], lossless: [3, 40] } as const;

/**
 * Returns the approximate maximum memory to create an image from others, in bytes, measured as the growth of the
 * process.
 *
 * @param sources in the order in which they are decoded
 * @param work bytes of working memory per pixel of the last one
 */
export function memoryFor(
  sources: readonly Source[],
  work: number,
  made: Dimensions & { format: keyof typeof encoding },
): number {
  let files = 0;
  let held = 0;
  let peak = 0;
  for (const source of sources) {
    const pixels = source.width * source.height;
    const [most, rest] = (isLarge(source) ? decoding : decodingSmall)[source.way];
    files += source.length;
    peak = Math.max(peak, held + most * pixels);
    held += rest * pixels;
  }
  const last = sources.at(-1) ?? made;
  const isScaled = last.width !== made.width || last.height !== made.height;
  const [large, small] = encoding[made.format];
  const written = made.width * made.height * ((isLarge(made) ? large : small) + (isScaled ? 4 : 0));
  held += work * last.width * last.height + written + (isScaled ? rowsToScale(last, made) : 0);
  return leastMemory + files + Math.max(peak, held);
}

/** Returns the bytes of the source rows for scaling. */
function rowsToScale(from: Dimensions, to: Dimensions): number {
  const rows = Math.min(128, Math.ceil(4 * Math.max(1, from.height / to.height)));
  return 32 * (from.width + rows * to.width);
}
