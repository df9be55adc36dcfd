import { type Damage, DamageFound } from './damage.ts';
import type { ReadableFile } from './dimensions.ts';
import { checkJpeg } from './jpegDamage.ts';
import { checkPng, checkPngPixels } from './pngDamage.ts';
import { maxPixels } from './limits.ts';
import { RangeReader, type Chunk, jpegSegments, pngChunks } from './containers.ts';
import { sniffImage, sniffLength } from './sniff.ts';
import { checkWebp } from './webpDamage.ts';

const checks = {
  png: checkPng,
  jpg: checkJpeg,
  webp: checkWebp,
};

/**
 * Finds damage in a PNG, JPEG or WebP file: chunks that are missing, truncated, or out of order, wrong checksums, and
 * impossible sizes. Pixels are neither decompressed nor decoded. Data after the image's end isn't damage: all readers
 * stop there.
 *
 * @param file the bytes, or an open file, which is read piece by piece
 * @returns `undefined` for an undamaged file
 */
export async function findDamage(file: ReadableFile | Uint8Array): Promise<Damage | undefined> {
  return found(async () => {
    const reader = new RangeReader(file);
    const format = sniffImage(await reader.read(0, sniffLength));
    if (!format) {
      throw new DamageFound('format', { type: 'file', offset: 0 });
    }
    await checks[format.extension](reader);
  });
}

/**
 * Finds damage in a PNG file, including pixels that can't be decompressed or are too few, up to 100 megapixels. Damage
 * in other formats shows when they are decoded.
 *
 * @param file the bytes, or an open file, which is read piece by piece
 * @returns `undefined` for an undamaged file
 */
export async function findPngFlaw(file: ReadableFile | Uint8Array): Promise<Damage | undefined> {
  return found(async () => {
    const reader = new RangeReader(file);
    const layout = await checkPng(reader);
    if (layout.header.width * layout.header.height <= maxPixels) {
      await checkPngPixels(reader, layout);
    }
  });
}

/** Returns the damage that a check throws. */
async function found(check: () => Promise<void>): Promise<Damage | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (error instanceof DamageFound) {
      return error.damage;
    }
    throw error;
  }
}

/** The end of a PNG file, unless data follows its image. */
const pngEnd = Buffer.from('0000000049454e44ae426082', 'hex');
const jpegEnd = Buffer.from('ffd9', 'hex');

/**
 * Whether a PNG, JPEG or WebP file ends before its image does. Its pixels are not decoded, and bytes after the image
 * do not matter.
 *
 * @param file the bytes, or an open file
 * @param size in bytes
 */
export async function isCut(file: ReadableFile | Uint8Array, size: number): Promise<boolean> {
  const reader = new RangeReader(file);
  const start = await reader.read(0, sniffLength);
  const endsIn = async (end: Buffer): Promise<boolean> =>
    (await reader.read(Math.max(0, size - end.length), end.length)).equals(end);
  switch (sniffImage(start)?.extension) {
    case 'png':
      return !((await endsIn(pngEnd)) || (await holds(pngChunks(reader), 'IEND', size - 4)));
    case 'jpg':
      return !((await endsIn(jpegEnd)) || (await holds(jpegSegments(reader), 'EOI', size)));
    case 'webp':
      return start.readUInt32LE(4) + 8 > size;
    case undefined:
      return false;
  }
}

/** Whether the first chunk of this type ends by this position. */
async function holds(chunks: AsyncIterable<Chunk>, type: string, end: number): Promise<boolean> {
  for await (const chunk of chunks) {
    if (chunk.type === type) {
      return chunk.start + chunk.length <= end;
    }
  }
  return false;
}
