import type { Dimensions } from './dimensions.ts';

/** The most pixels that are decoded or made. Beyond it, a file of some kilobytes could take gigabytes. */
export const maxPixels = 100_000_000;

/** The most pixels in a row that are decoded or made: some are held as eight bytes for each of their channels. */
export const maxRow = 65_535;

/** The greatest width and height in pixels. Beyond it, the encoders fail without a reason. */
export const maxSide = { png: 2 ** 31 - 1, jpeg: 65_500, webp: 16_383 } as const;

/** The most memory that may be taken to make something of an image that nobody waits for, in bytes. */
export const maxMemory = 500_000_000;

/** Pixels beyond which the encoders that make the smallest files take seconds, and hundreds of megabytes. */
const largeImage = 6_000_000;

export function isLarge({ width, height }: Dimensions): boolean {
  return width * height > largeImage;
}

/** An image file that is decoded; `rows`: a PNG file of the kind that is read row by row. */
export interface Source extends Dimensions {
  way: 'rows' | 'png' | 'jpeg' | 'webp';
  /** In bytes. */
  length: number;
}

/** What codecs take beside images, in bytes. */
const leastMemory = 40_000_000;

/** Bytes that a pixel takes while it is decoded, and those of them that are still taken when it is written. */
const decoding = { rows: [4, 4], png: [12, 12], jpeg: [9, 4], webp: [9, 4] } as const;
/** Of small images, whose decoders stay. */
const decodingSmall = { rows: [4, 4], png: [15, 15], jpeg: [17, 17], webp: [10, 10] } as const;

/** Bytes that the encoder takes for a pixel of a large image, and of a small one. */
const encoding = { png: [4, 4], jpeg: [19, 18], webp: [11, 13], lossless: [3, 40] } as const;

/**
 * Returns about how much memory it takes to make an image of others, at most, in bytes: measured as the growth of the
 * process.
 *
 * @param sources in the order in which they are decoded
 * @param work bytes that are noted for each pixel of the last of them
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

/** Returns the bytes of the rows from which others are scaled. */
function rowsToScale(from: Dimensions, to: Dimensions): number {
  const rows = Math.min(128, Math.ceil(4 * Math.max(1, from.height / to.height)));
  return 32 * (from.width + rows * to.width);
}
