import { pngChunksBeforePixels, RangeReader, jpegSegments, webpChunks } from './containers.ts';
import { sniffImage, sniffLength } from './sniff.ts';
import { type Dimensions, readDimensions, type ReadableFile } from './dimensions.ts';

/** The bit of an extended WebP file's flags that announces frames. */
const animationFlag = 0b10;

/** Whether a PNG or WebP file is animated. Only its first frame would be decoded. */
export async function isAnimated(bytes: Uint8Array): Promise<boolean> {
  switch (sniffImage(bytes)?.extension) {
    case 'png':
      for await (const { type } of pngChunksBeforePixels(new RangeReader(bytes))) {
        if (type === 'acTL') {
          return true;
        }
      }
      return false;
    case 'webp': {
      const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return head.toString('latin1', 12, 16) === 'VP8X' && ((head[20] ?? 0) & animationFlag) !== 0;
    }
    case 'jpg':
    case undefined:
      return false;
  }
}

/**
 * The rotation from stored to displayed pixels, as EXIF numbers it. 1: none · 2: mirrored · 3: upside down · 4: upside
 * down, mirrored · 6: a quarter turn clockwise · 8: a quarter turn back · 5 and 7: those two, mirrored first.
 */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** The usual limit, one JPEG segment. The orientation comes early in the data. */
const maxExifLength = 64 * 1024;

/**
 * Reads the EXIF orientation of a JPEG, PNG or WebP file from its headers; 1 by default.
 *
 * Chromium applies it to JPEG, to PNG if the `eXIf` chunk comes before the pixels, and never to WebP. Other programs
 * apply it to WebP, too. Only an upright file looks the same everywhere.
 *
 * @param file the bytes, or an open file, of which only the headers are read
 */
export async function readOrientation(file: ReadableFile | Uint8Array): Promise<Orientation> {
  const reader = new RangeReader(file);
  const format = sniffImage(await reader.read(0, sniffLength));
  const exif = await (format && exifReaders[format.extension](reader));
  return exif ? orientationIn(exif) : 1;
}

export async function upright(size: Dimensions, file: ReadableFile | Uint8Array): Promise<Dimensions> {
  const { width, height } = size;
  return isQuarterTurn(await readOrientation(file)) ? { width: height, height: width } : { width, height };
}

/** Reads the size of an image file as displayed; undefined as for `readDimensions`. */
export async function readUprightSize(file: ReadableFile): Promise<Dimensions | undefined> {
  const size = await readDimensions(file);
  return size && upright(size, file);
}

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

async function pngExif(reader: RangeReader, most = maxExifLength): Promise<Buffer | undefined> {
  for await (const { type, start, length } of pngChunksBeforePixels(reader)) {
    if (type === 'eXIf') {
      return reader.read(start, Math.min(length, most));
    }
  }
  return undefined;
}

async function webpExif(reader: RangeReader, most = maxExifLength): Promise<Buffer | undefined> {
  for await (const { type, start, length } of webpChunks(reader)) {
    if (type === 'EXIF') {
      const exif = await reader.read(start, Math.min(length, most));
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
  const tags = new ExifTags(exif);
  const entry = tags.entry(tags.first, 0x0112);
  const value = entry === undefined ? 1 : tags.number(entry + 8, 2);
  return isOrientation(value) ? value : 1;
}

/** Entries of EXIF data in which other programs write their parameters: description, make, model, and comment. */
const textTags = [0x010e, 0x010f, 0x0110, 0x9286];
const exifDirectory = 0x8769;
/** The longest EXIF data in which texts are looked for, in bytes. */
const maxTextsLength = 16 * 1024 * 1024;

/** Returns the texts in a file's EXIF data in which other programs write their parameters. */
export async function readExifTexts(bytes: Uint8Array): Promise<string[]> {
  const format = sniffImage(bytes);
  const exif = await (format && exifReaders[format.extension](new RangeReader(bytes), maxTextsLength));
  if (!exif) {
    return [];
  }
  const tags = new ExifTags(exif);
  const pointer = tags.entry(tags.first, exifDirectory);
  const directories = [tags.first, ...(pointer === undefined ? [] : [tags.number(pointer + 8, 4)])];
  return directories.flatMap((directory) =>
    textTags.flatMap((tag) => {
      const entry = tags.entry(directory, tag);
      const start = entry === undefined ? 0 : tags.number(entry + 8, 4);
      return entry === undefined ? [] : exifText(exif.subarray(start, start + tags.number(entry + 4, 4)));
    }),
  );
}

/** Decodes a text, which may have a mark of its encoding in front of it. */
function exifText(data: Buffer): string {
  const text = data.subarray(8);
  switch (data.toString('latin1', 0, 8)) {
    case 'UNICODE\0': {
      // Which byte comes first is the program's choice, whatever the order of the rest. Most characters are those of settings.
      const zerosAt = (parity: number): number =>
        text.filter((byte, index) => byte === 0 && index % 2 === parity).length;
      return new TextDecoder(zerosAt(0) > zerosAt(1) ? 'utf-16be' : 'utf-16le').decode(text);
    }
    case 'ASCII\0\0\0':
    case '\0\0\0\0\0\0\0\0':
      return text.toString('utf8');
    default:
      return data.toString('utf8');
  }
}

/** Reads entries of EXIF data. Whatever lies behind its end is zero. */
class ExifTags {
  readonly #exif: Buffer;
  readonly #order: string;

  constructor(exif: Buffer) {
    this.#exif = exif;
    this.#order = exif.toString('latin1', 0, 2);
  }

  /** The position of the first directory; undefined in data of another kind. */
  get first(): number | undefined {
    return this.#order === 'II' || this.#order === 'MM' ? this.number(4, 4) : undefined;
  }

  /** Returns the position of an entry in a directory. */
  entry(directory: number | undefined, tag: number): number | undefined {
    if (directory === undefined) {
      return undefined;
    }
    const end = directory + 2 + this.number(directory, 2) * 12;
    for (let entry = directory + 2; entry < end && entry + 12 <= this.#exif.length; entry += 12) {
      if (this.number(entry, 2) === tag) {
        return entry;
      }
    }
    return undefined;
  }

  number(position: number, length: 2 | 4): number {
    if (position + length > this.#exif.length) {
      return 0;
    }
    return this.#order === 'II'
      ? this.#exif.readUIntLE(position, length)
      : this.#exif.readUIntBE(position, length);
  }
}

function isOrientation(value: number): value is Orientation {
  return value >= 1 && value <= 8;
}

/** The contents of color chunks that mean sRGB, in hex. Other formats mean sRGB when they have no profile. */
const ordinary = new Map([
  ['cICP', '010d0001'],
  ['gAMA', '0000b18f'],
  ['cHRM', '00007a26000080840000fa00000080e8000075300000ea6000003a9800001770'],
]);
/** The chunks that override gamma and primaries. */
const weightier = ['cICP', 'iCCP', 'sRGB'];

const colorTypes = new Set([...ordinary.keys(), ...weightier]);

export async function pngColorChunks(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  const reader = new RangeReader(bytes);
  const found = new Map<string, Buffer>();
  for await (const { type, start, length } of pngChunksBeforePixels(reader)) {
    if (colorTypes.has(type)) {
      found.set(type, await reader.read(start, length));
    }
  }
  return found;
}

/** Whether only PNG can express a file's colors, which are neither sRGB nor described by a profile. */
export async function hasPngColors(bytes: Uint8Array): Promise<boolean> {
  const found = await pngColorChunks(bytes);
  const isSpecial = (type: string): boolean =>
    found.has(type) && found.get(type)?.toString('hex') !== ordinary.get(type);
  return (
    isSpecial('cICP') ||
    (!weightier.some((type) => found.has(type)) && (isSpecial('gAMA') || isSpecial('cHRM')))
  );
}
