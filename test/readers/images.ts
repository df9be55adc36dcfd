import { PNG } from 'pngjs';
import sharp, { type Sharp } from 'sharp';
import type { Pixels } from '../../src/images/codecs/pixels.ts';

/**
 * Decodes a PNG by pngjs, which counts every checksum and takes nothing behind the end.
 * @throws Error for anything that is damaged
 */
export function readByPngjs(file: Uint8Array): Pixels {
  const { width, height, data } = PNG.sync.read(Buffer.from(file), { checkCRC: true });
  return { width, height, rgba: new Uint8Array(data) };
}

/**
 * Decodes a PNG, JPEG or WebP by libvips as stored: no orientation applied, no color profile, alpha straight.
 * @throws Error for everything that its libraries so much as warn of
 */
export async function readBySharp(file: Uint8Array): Promise<Pixels> {
  return rgbaOf(strictly(file));
}

/**
 * Decodes as `readBySharp`, with the EXIF orientation applied.
 * @throws Error as `readBySharp`
 */
export async function readUprightBySharp(file: Uint8Array): Promise<Pixels> {
  return rgbaOf(strictly(file).autoOrient());
}

/** The picture of straight pixels, for libvips to write. */
export function toSharp({ width, height, rgba }: Pixels): Sharp {
  return sharp(rgba, { raw: { width, height, channels: 4 } });
}

function strictly(file: Uint8Array): Sharp {
  return sharp(file, { failOn: 'warning', ignoreIcc: true });
}

async function rgbaOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgba: new Uint8Array(data) };
}
