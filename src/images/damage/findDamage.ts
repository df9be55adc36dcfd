import { type Damage, DamageFound } from './damage.ts';
import type { ReadableFile } from '../formats/dimensions.ts';
import { checkJpeg } from './jpegDamage.ts';
import { checkPng } from './pngDamage.ts';
import { RangeReader } from '../formats/rangeReader.ts';
import { sniffImage, sniffLength } from '../formats/sniff.ts';
import { checkWebp } from './webpDamage.ts';

const checks = { png: checkPng, jpg: checkJpeg, webp: checkWebp };

/**
 * Looks for what a strict service would refuse a PNG, JPEG or WebP file for: all of its structure, and of a PNG the
 * checksums and the compressed pixels, too. Pixels of JPEG and WebP are not decoded.
 *
 * @param file the bytes, or an open file, which is read piece by piece
 * @returns `undefined` when nothing is wrong
 */
export async function findDamage(file: ReadableFile | Uint8Array): Promise<Damage | undefined> {
  const reader = new RangeReader(file);
  try {
    const format = sniffImage(await reader.read(0, sniffLength));
    if (!format) {
      throw new DamageFound('format', { type: 'file', offset: 0 });
    }
    await checks[format.extension](reader);
    return undefined;
  } catch (error) {
    if (error instanceof DamageFound) {
      return error.damage;
    }
    throw error;
  }
}
