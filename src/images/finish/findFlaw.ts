import { open } from 'node:fs/promises';
import type { Codecs } from './codecs.ts';
import { findPngFlaw } from '../formats/findDamage.ts';
import { readDimensions } from '../formats/dimensions.ts';
import { sniffImage, sniffLength } from '../formats/sniff.ts';

/** Maximum number of pixels to decode only for a check, and the largest such file, in bytes. */
const maxPixels = 40_000_000;
const maxFileSize = 64 * 1024 * 1024;

/**
 * Returns the damage in an image file on disk, in English, to follow "The image is damaged: ". Checks checksums and
 * pixels of PNG files while reading; JPEG and WebP files are decoded in the thread of the codecs.
 *
 * @returns undefined for an undamaged file, and for one of another format or too large to check
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
