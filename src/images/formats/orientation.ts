import { jpegSegments, pngChunksBeforePixels, webpChunks } from './containers.ts';
import { type Dimensions, readDimensions, type ReadableFile } from './dimensions.ts';
import { RangeReader } from './rangeReader.ts';
import { sniffImage, sniffLength } from './sniff.ts';

/**
 * The turn from stored to displayed pixels, as EXIF numbers it. 1: none · 2: mirrored · 3: upside down ·
 * 4: upside down, mirrored · 6: a quarter turn clockwise · 8: a quarter turn back · 5 and 7: those two, mirrored
 * first.
 */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** The usual limit, one JPEG segment. The orientation comes early in the data. */
const maxExifLength = 64 * 1024;

/**
 * Reads the EXIF orientation of a JPEG, PNG or WebP file from its headers. Without one, it is 1.
 *
 * Chromium applies it to JPEG, to PNG if the `eXIf` chunk comes before the pixels, and never to WebP. Other programs
 * apply it to WebP, too. Only a file that was turned upright looks the same everywhere.
 *
 * @param file the bytes, or an open file, of which only the headers are read
 */
export async function readOrientation(file: ReadableFile | Uint8Array): Promise<Orientation> {
  const reader = new RangeReader(file);
  const format = sniffImage(await reader.read(0, sniffLength));
  const exif = await (format && exifReaders[format.extension](reader));
  return exif ? orientationIn(exif) : 1;
}

/** Returns the size of an image as displayed, for its size as stored. */
export async function upright(size: Dimensions, file: ReadableFile | Uint8Array): Promise<Dimensions> {
  const { width, height } = size;
  return isQuarterTurn(await readOrientation(file)) ? { width: height, height: width } : { width, height };
}

/** Reads the size of an image file as displayed; undefined as for `readDimensions`. */
export async function readUprightSize(file: ReadableFile): Promise<Dimensions | undefined> {
  const size = await readDimensions(file);
  return size && upright(size, file);
}

/** Whether width and height are swapped. */
export function isQuarterTurn(orientation: Orientation): boolean {
  return orientation >= 5;
}

const exifMark = 'Exif\0\0';

async function jpegExif(reader: RangeReader): Promise<Buffer | undefined> {
  for await (const { type, start, length } of jpegSegments(reader)) {
    if (type === 'SOS') {
      return undefined;
    }
    const exif = type === 'APP1' ? await reader.read(start, length) : undefined;
    if (exif && hasExifMark(exif)) {
      return exif.subarray(exifMark.length);
    }
  }
  return undefined;
}

async function pngExif(reader: RangeReader): Promise<Buffer | undefined> {
  for await (const { type, start, length } of pngChunksBeforePixels(reader)) {
    if (type === 'eXIf') {
      return reader.read(start, Math.min(length, maxExifLength));
    }
  }
  return undefined;
}

async function webpExif(reader: RangeReader): Promise<Buffer | undefined> {
  for await (const { type, start, length } of webpChunks(reader)) {
    if (type === 'EXIF') {
      const exif = await reader.read(start, Math.min(length, maxExifLength));
      // Some programs write the mark of JPEG files here, too.
      return hasExifMark(exif) ? exif.subarray(exifMark.length) : exif;
    }
  }
  return undefined;
}

function hasExifMark(data: Buffer): boolean {
  return data.toString('latin1', 0, exifMark.length) === exifMark;
}

const exifReaders = { jpg: jpegExif, png: pngExif, webp: webpExif };

/** Reads the orientation from EXIF data: entry 0x0112 of the first directory. */
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
      const value = view.getUint16(entry + 8, little);
      return isOrientation(value) ? value : 1;
    }
  }
  return 1;
}

function isOrientation(value: number): value is Orientation {
  return value >= 1 && value <= 8;
}
