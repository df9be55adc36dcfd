import { open } from 'node:fs/promises';
import type { Codecs } from './codecs/codecs.ts';
import { findPngFlaw } from './damage/findDamage.ts';
import { readDimensions } from './formats/dimensions.ts';
import { sniffImage, sniffLength } from './formats/sniff.ts';

/** The most pixels that are decoded only to see whether they can be, and the largest file of them, in bytes. */
const maxPixels = 40_000_000;
const maxFileSize = 64 * 1024 * 1024;

/**
 * Returns what is wrong with the bytes of an image file on disk, in English, to follow "The image is damaged: ".
 * Checksums and pixels of a PNG file are checked as it is read; a JPEG or WebP file has to be decoded, in the thread of the codecs.
 *
 * @returns undefined when nothing is wrong, and when that can't be told: for other files, and for those too large
 */
export async function findFlaw(
  path: string,
  codecs: () => Promise<Pick<Codecs, 'flawOf'>>,
): Promise<string | undefined> {
  const file = await open(path, 'r');
  try {
    const start = new Uint8Array(sniffLength);
    const { bytesRead } = await file.read(start, 0, sniffLength, 0);
    const format = sniffImage(start.subarray(0, bytesRead));
    if (format?.extension === 'png') {
      return (await findPngFlaw(file))?.message;
    }
    const { width = 0, height = 0 } = (await readDimensions(file)) ?? {};
    const isTooLarge = width * height > maxPixels || (await file.stat()).size > maxFileSize;
    return format && !isTooLarge ? await (await codecs()).flawOf(await file.readFile()) : undefined;
  } finally {
    await file.close();
  }
}
