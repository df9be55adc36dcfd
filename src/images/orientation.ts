import type { ReadableFile } from './dimensions.ts';
import { sniffImage, sniffLength } from './sniff.ts';

/**
 * How stored pixels are turned to be seen, as EXIF numbers it. 1: as they are · 2: mirrored · 3: upside down ·
 * 4: upside down, mirrored · 6: a quarter turn clockwise · 8: a quarter turn back · 5 and 7: those two, mirrored
 * first.
 */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** EXIF data is at most one JPEG segment long, as a rule; the orientation comes first in it. */
const longestExif = 64 * 1024;
/** More parts than this before the EXIF data are no photograph. */
const mostParts = 10_000;

/**
 * Reads the EXIF orientation of a JPEG, PNG or WebP file from its headers: 1 where it says none.
 *
 * Chromium applies it to JPEG and PNG, to the latter only from an `eXIf` chunk before the pixels, and never to WebP;
 * other programs apply it to WebP as well. Whoever turns a file upright by it has a file that all show alike.
 *
 * @param file the bytes, or an open file, of which only the headers are read
 */
export async function readOrientation(file: ReadableFile | Uint8Array): Promise<Orientation> {
  const parts = new Parts(file);
  const format = sniffImage(await parts.read(0, sniffLength));
  const exif = await (format && exifReaders[format.extension](parts));
  return exif ? orientationIn(exif) : 1;
}

/** Whether width and height change places. */
export function isQuarterTurn(orientation: Orientation): boolean {
  return orientation >= 5;
}

/** A file that is read in parts. */
class Parts {
  readonly #file: ReadableFile | Uint8Array;

  constructor(file: ReadableFile | Uint8Array) {
    this.#file = file;
  }

  /** At most so many bytes from there: fewer where the file ends. */
  async read(position: number, length: number): Promise<Buffer> {
    if (this.#file instanceof Uint8Array) {
      return Buffer.from(this.#file.subarray(position, position + length));
    }
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await this.#file.read(bytes, 0, length, position);
    return bytes.subarray(0, bytesRead);
  }

  async exif(position: number, length: number): Promise<Buffer> {
    return this.read(position, Math.min(length, longestExif));
  }
}

const exifMark = 'Exif\0\0';

async function jpegExif(parts: Parts): Promise<Buffer | undefined> {
  let position = 2;
  for (let count = 0; count < mostParts; count++) {
    const head = await parts.read(position, 4 + exifMark.length);
    const marker = head[1];
    if (head.length < 4 || head[0] !== 0xff || marker === undefined) {
      return undefined;
    }
    if (marker === 0xff) {
      // Any number of fill bytes may stand before a marker.
      position += 1;
      continue;
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      position += 2;
      continue;
    }
    if (marker === 0xd9 || marker === 0xda) {
      return undefined;
    }
    const length = head.readUInt16BE(2);
    const exif = length - 2 - exifMark.length;
    if (marker === 0xe1 && exif >= 0 && head.toString('latin1', 4) === exifMark) {
      return parts.exif(position + 4 + exifMark.length, exif);
    }
    position += 2 + length;
  }
  return undefined;
}

async function pngExif(parts: Parts): Promise<Buffer | undefined> {
  let position = 8;
  for (let count = 0; count < mostParts; count++) {
    const head = await parts.read(position, 8);
    const type = head.toString('latin1', 4);
    if (head.length < 8 || type === 'IDAT') {
      return undefined;
    }
    const length = head.readUInt32BE(0);
    if (type === 'eXIf') {
      return parts.exif(position + 8, length);
    }
    position += 12 + length;
  }
  return undefined;
}

async function webpExif(parts: Parts): Promise<Buffer | undefined> {
  let position = 12;
  for (let count = 0; count < mostParts; count++) {
    const head = await parts.read(position, 8);
    if (head.length < 8) {
      return undefined;
    }
    const length = head.readUInt32LE(4);
    if (head.toString('latin1', 0, 4) === 'EXIF') {
      const exif = await parts.exif(position + 8, length);
      // Some programs write the mark of JPEG files here, too.
      return exif.toString('latin1', 0, exifMark.length) === exifMark ? exif.subarray(exifMark.length) : exif;
    }
    position += 8 + length + (length & 1);
  }
  return undefined;
}

const exifReaders = { jpg: jpegExif, png: pngExif, webp: webpExif };

/** The orientation in EXIF data: entry 0x0112 of its first directory. */
function orientationIn(exif: Buffer): Orientation {
  const order = exif.toString('latin1', 0, 2);
  if ((order !== 'II' && order !== 'MM') || exif.length < 8) {
    return 1;
  }
  const little = order === 'II';
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength);
  const directory = view.getUint32(4, little);
  if (directory + 2 > exif.length) {
    return 1;
  }
  const count = view.getUint16(directory, little);
  for (let entry = directory + 2; entry < directory + 2 + count * 12; entry += 12) {
    if (entry + 12 > exif.length) {
      return 1;
    }
    if (view.getUint16(entry, little) === 0x0112) {
      return asOrientation(view.getUint16(entry + 8, little));
    }
  }
  return 1;
}

function asOrientation(value: number): Orientation {
  return isOrientation(value) ? value : 1;
}

function isOrientation(value: number): value is Orientation {
  return Number.isInteger(value) && value >= 1 && value <= 8;
}
