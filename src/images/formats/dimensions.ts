import { sniffImage, sniffLength, sniffOther } from './sniff.ts';

/** Values for rounding up the sides of a texture: to multiples, or to powers of two. */
export const allMultiples = [16, 'powerOfTwo'] as const;

export type Multiples = (typeof allMultiples)[number];

/** Returns the size with both sides rounded up to multiples, or the size itself without multiples. */
export function roundedUp({ width, height }: Dimensions, multiples: Multiples | undefined): Dimensions {
  const round = (length: number): number => {
    switch (multiples) {
      case undefined:
        return length;
      case 16:
        return Math.ceil(length / 16) * 16;
      case 'powerOfTwo':
        return 2 ** (32 - Math.clz32(length - 1));
    }
  };
  return { width: round(width), height: round(height) };
}

/** The size of an image as stored, in pixels. An EXIF orientation is not applied. */
export interface Dimensions {
  width: number;
  height: number;
}

export type DimensionsFromPrefix =
  | ({ kind: 'known' } & Dimensions)
  /** More bytes are needed: at least this many from the start of the file. */
  | { kind: 'more'; needed: number }
  /** The image is damaged, or Limner does not handle its format. */
  | { kind: 'unknown' };

/** The part of a file handle that `readDimensions` uses; `FileHandle` of `node:fs/promises` fits. */
export interface ReadableFile {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
}

const unknown: DimensionsFromPrefix = { kind: 'unknown' };

const firstRead = 4096;
/** The format's limit: the largest positive number of four signed bytes. */
const maxPngSide = 0x7fffffff;
/** Limits the color profiles and thumbnails that come before the size in a JPEG file. */
const maxPrefixLength = 16 * 1024 * 1024;

/** Reads the size from the first bytes of a PNG, JPEG or WebP file, any number of them. */
export function dimensionsFromPrefix(bytes: Uint8Array): DimensionsFromPrefix {
  if (bytes.length < sniffLength) {
    return { kind: 'more', needed: sniffLength };
  }
  const format = sniffImage(bytes);
  if (format === undefined) {
    return unknown;
  }
  return dimensionReaders[format.extension](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/**
 * Reads width and height of an image file, and no more of it than needed.
 *
 * @returns `undefined` if the file is not a PNG, JPEG or WebP image, or ends before its size
 */
export async function readDimensions(file: ReadableFile): Promise<Dimensions | undefined> {
  let bytes = new Uint8Array(0);
  let wanted = firstRead;
  while (wanted <= maxPrefixLength) {
    const longer = new Uint8Array(wanted);
    longer.set(bytes);
    const length = await fill(file, longer, bytes.length);
    bytes = longer.subarray(0, length);
    const found = dimensionsFromPrefix(bytes);
    if (found.kind === 'known') {
      return { width: found.width, height: found.height };
    }
    if (found.kind === 'unknown' || length < wanted) {
      return undefined;
    }
    wanted = Math.max(found.needed, wanted * 2);
  }
  return undefined;
}

/** Fills `buffer` from `from` on and returns how many bytes it holds then. */
async function fill(file: ReadableFile, buffer: Uint8Array, from: number): Promise<number> {
  let length = from;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) {
      break;
    }
    length += bytesRead;
  }
  return length;
}

function known(width: number, height: number): DimensionsFromPrefix {
  return width > 0 && height > 0 ? { kind: 'known', width, height } : unknown;
}

function pngDimensions(view: DataView): DimensionsFromPrefix {
  if (view.byteLength < 24) {
    return { kind: 'more', needed: 24 };
  }
  if (view.getUint32(12) !== 0x49484452) {
    return unknown;
  }
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  return Math.max(width, height) > maxPngSide ? unknown : known(width, height);
}

function jpegDimensions(view: DataView): DimensionsFromPrefix {
  let position = 2;
  for (;;) {
    if (position + 4 > view.byteLength) {
      return { kind: 'more', needed: position + 4 };
    }
    if (view.getUint8(position) !== 0xff) {
      return unknown;
    }
    const marker = view.getUint8(position + 1);
    if (marker === 0xff) {
      // Any number of fill bytes may precede a marker.
      position += 1;
      continue;
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      position += 2;
      continue;
    }
    // No frame header came before the scan or the end of the image.
    if (marker === 0xd9 || marker === 0xda) {
      return unknown;
    }
    if (isStartOfFrame(marker)) {
      if (position + 9 > view.byteLength) {
        return { kind: 'more', needed: position + 9 };
      }
      return known(view.getUint16(position + 7), view.getUint16(position + 5));
    }
    const length = view.getUint16(position + 2);
    if (length < 2) {
      return unknown;
    }
    position += 2 + length;
  }
}

function isStartOfFrame(marker: number): boolean {
  // C4, C8 and CC are tables.
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function webpDimensions(view: DataView): DimensionsFromPrefix {
  if (view.byteLength < 30) {
    return { kind: 'more', needed: 30 };
  }
  const head = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  const size = webpSize(head.toString('latin1', 12, 16), head.subarray(20));
  return size ? known(size.width, size.height) : unknown;
}

/**
 * Reads width and height from a chunk of a WebP file.
 *
 * @param data the first 10 bytes of the chunk's data, or 5 of a lossless image's
 * @returns `undefined` for other chunks and for an invalid one
 */
export function webpSize(type: string, data: Buffer): Dimensions | undefined {
  switch (type) {
    case 'VP8 ':
      // A frame tag of three bytes and a start code come before the two 14-bit numbers.
      return data.readUIntBE(3, 3) === 0x9d012a
        ? { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
        : undefined;
    case 'VP8L': {
      // One signature byte, then both numbers less one in 14 bits each.
      const bits = data.readUInt32LE(1);
      return data[0] === 0x2f
        ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
        : undefined;
    }
    case 'VP8X':
      // The canvas, both numbers less one in 24 bits each.
      return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
    default:
      return undefined;
  }
}

const dimensionReaders = { png: pngDimensions, jpg: jpegDimensions, webp: webpDimensions };

/** Whether an image has a single pixel. @param bytes its beginning */
export function isSinglePixel(bytes: Uint8Array): boolean {
  const found = dimensionsFromPrefix(bytes);
  return found.kind === 'known' && found.width === 1 && found.height === 1;
}

/** The part of a file in which the size of an AVIF or SVG image is searched for, in bytes. */
const reach = 64 * 1024;

/**
 * Reads the size of an image that Limner handles or only recognizes; undefined where that takes more than its headers.
 */
export function sizeIn(bytes: Uint8Array): Dimensions | undefined {
  const found = dimensionsFromPrefix(bytes);
  if (found.kind === 'known') {
    return found;
  }
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = file.length < 26 ? undefined : otherReaders[sniffOther(bytes)?.extension ?? '']?.(file);
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

const otherReaders: Readonly<Record<string, (file: Buffer) => Dimensions | undefined>> = {
  gif: (file) => ({ width: file.readUInt16LE(6), height: file.readUInt16LE(8) }),
  bmp: (file) =>
    file.readUInt32LE(14) === 12
      ? { width: file.readUInt16LE(18), height: file.readUInt16LE(20) }
      : { width: file.readInt32LE(18), height: Math.abs(file.readInt32LE(22)) },
  ico: (file) => {
    const sizes = Array.from({ length: file.readUInt16LE(4) }, (_, index) => 6 + 16 * index)
      .filter((at) => at + 2 <= file.length)
      .map((at) => ({ width: file[at] || 256, height: file[at + 1] || 256 }));
    return largestOf(sizes);
  },
  avif: heifSize,
  heic: heifSize,
  heif: heifSize,
  svg: (file) => {
    const [tag = ''] = /<(?:\w+:)?svg[\s>][^>]*>/su.exec(file.toString('utf8', 0, reach)) ?? [];
    const length = (name: string): number =>
      Number(new RegExp(`\\s${name}\\s*=\\s*["']([\\d.]+)(?:px)?["']`, 'u').exec(tag)?.[1] ?? 0);
    const [, width, height] =
      /\sviewBox\s*=\s*["'][-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/u.exec(tag) ?? [];
    return length('width') > 0 && length('height') > 0
      ? { width: length('width'), height: length('height') }
      : { width: Number(width ?? 0), height: Number(height ?? 0) };
  },
};

/** Reads the size of the largest image in an HEIF container; others are thumbnails or tiles. */
function heifSize(file: Buffer): Dimensions | undefined {
  const sizes: Dimensions[] = [];
  const end = Math.min(reach, file.length - 16);
  for (let at = file.indexOf('ispe'); at >= 0 && at < end; at = file.indexOf('ispe', at + 4)) {
    sizes.push({ width: file.readUInt32BE(at + 8), height: file.readUInt32BE(at + 12) });
  }
  return largestOf(sizes);
}

function largestOf(sizes: readonly Dimensions[]): Dimensions | undefined {
  return sizes.toSorted((one, other) => other.width * other.height - one.width * one.height)[0];
}
