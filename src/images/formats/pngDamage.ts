import { pipeline } from 'node:stream/promises';
import { crc32, createInflate } from 'node:zlib';
import * as english from '../../common/english.ts';
import { type Chunk, pngChunks, type RangeReader } from './containers.ts';
import { DamageFound } from './damage.ts';

export interface PngHeader {
  width: number;
  height: number;
  bitDepth: number;
  colorType: number;
  interlaced: boolean;
}

const headerLength = 13;
const longest = 2 ** 31 - 1;
/** Bytes of pixels to decompress at once. */
const inflatedLength = 128 * 1024;

const bitDepths = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
]);
/** The numbers per pixel of each color type. */
const channels = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);
/** The start and step of the columns, then of the rows, of each pass of an interlaced image. */
const passes = [
  [0, 8, 0, 8],
  [4, 8, 0, 8],
  [0, 4, 4, 8],
  [2, 4, 0, 4],
  [0, 2, 2, 4],
  [1, 2, 0, 2],
  [0, 1, 1, 2],
] as const;

/** The input for the check of the pixels. */
export interface PngLayout {
  header: PngHeader;
  /** The first chunk of pixels, which is named when they are damaged. */
  pixels: Chunk;
}

/**
 * Checks a PNG file up to its end: the order of its chunks, their checksums, and its header. Ignores what decoders
 * ignore, such as transparency in the wrong place.
 *
 * @throws DamageFound for the first fault
 */
export async function checkPng(reader: RangeReader): Promise<PngLayout> {
  let header: PngHeader | undefined;
  let hasPalette = false;
  let pixels: Chunk | undefined;
  let last = { type: 'signature', offset: 0 };
  for await (const chunk of pngChunks(reader)) {
    const { type, offset, start, length } = chunk;
    if (!/[A-Za-z]{4}/u.test(type)) {
      throw new DamageFound('unknown', chunk);
    }
    if (length > longest) {
      throw new DamageFound('contents', chunk);
    }
    await checkSum(reader, chunk);
    if ((header === undefined) !== (type === 'IHDR')) {
      throw new DamageFound('order', chunk);
    }
    switch (type) {
      case 'IHDR':
        header = pngHeader(await reader.read(start, Math.min(length, headerLength + 1)));
        if (!header) {
          throw new DamageFound('contents', chunk);
        }
        break;
      case 'PLTE':
        hasPalette = true;
        if (header?.colorType === 3 && (length === 0 || length % 3 > 0)) {
          throw new DamageFound('contents', chunk);
        }
        break;
      case 'IDAT':
        if (header?.colorType === 3 && !hasPalette) {
          throw new DamageFound('missing', { type: 'PLTE', offset });
        }
        if (pixels && last.type !== 'IDAT') {
          throw new DamageFound('order', chunk);
        }
        pixels ??= chunk;
        break;
      case 'IEND':
        if (!header || !pixels) {
          throw new DamageFound('missing', { type: 'IDAT', offset });
        }
        return { header, pixels };
      default:
        // An uppercase letter marks a chunk without which the image cannot be read.
        if (/^[A-Z]/u.test(type)) {
          throw new DamageFound('unknown', chunk);
        }
    }
    last = chunk;
  }
  throw new DamageFound('truncated', last);
}

/** @throws DamageFound for a chunk that is truncated, or has a wrong checksum */
async function checkSum(reader: RangeReader, chunk: Chunk): Promise<void> {
  let sum = 0;
  // The checksum covers the type and the data.
  for await (const piece of piecesOf(reader, chunk, chunk.start - 4)) {
    sum = crc32(piece, sum);
  }
  const written = await reader.read(chunk.start + chunk.length, 4);
  if (written.length < 4) {
    throw new DamageFound('truncated', chunk);
  }
  if (written.readUInt32BE() !== sum) {
    throw new DamageFound('checksum', chunk);
  }
}

/** Yields a chunk piece by piece, each valid until the next. @throws DamageFound if truncated */
async function* piecesOf(reader: RangeReader, chunk: Chunk, from = chunk.start): AsyncGenerator<Buffer> {
  const end = chunk.start + chunk.length;
  for (let position = from; position < end;) {
    const piece = (await reader.readSome(position)).subarray(0, end - position);
    if (piece.length === 0) {
      throw new DamageFound('truncated', chunk);
    }
    yield piece;
    position += piece.length;
  }
}

/**
 * Decompresses the pixels of a PNG file whose chunks are in order, and compares their number with the header. Ignores
 * extra pixels, as decoders do.
 *
 * @throws DamageFound if they can't be decompressed, or are too few
 */
export async function checkPngPixels(reader: RangeReader, { header, pixels }: PngLayout): Promise<void> {
  let left = pixelsLength(header);
  const inflate = createInflate({ chunkSize: inflatedLength });
  const compressed = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of pngChunks(reader)) {
      if (chunk.type === 'IEND' || inflate.readableEnded) {
        return;
      }
      if (chunk.type === 'IDAT') {
        for await (const piece of piecesOf(reader, chunk)) {
          // The reader reuses its memory.
          yield Buffer.from(piece);
        }
      }
    }
  };
  try {
    await pipeline(compressed, inflate, async (inflated: AsyncIterable<Buffer>) => {
      for await (const piece of inflated) {
        left -= piece.length;
        if (left < 0) {
          throw new RangeError(english.t('There are more pixels than the header says.'));
        }
        // A piece that fills its memory shares it with nothing: free it at once.
        if (piece.length >= inflatedLength && piece.buffer instanceof ArrayBuffer) {
          piece.buffer.transfer(0);
        }
      }
    });
  } catch (error) {
    if (!isZlibError(error) && left >= 0) {
      throw error;
    }
    // Decoders ignore the end of the compressed data after the last pixel.
    if (left < 0 || (left === 0 && isZlibError(error) && error.code === 'Z_BUF_ERROR')) {
      return;
    }
    throw new DamageFound('pixels', pixels);
  }
  if (left > 0) {
    throw new DamageFound('pixels', pixels);
  }
}

/** Reads the data of an IHDR chunk. Returns `undefined` if it is invalid. */
export function pngHeader(data: Buffer | undefined): PngHeader | undefined {
  if (data?.length !== headerLength) {
    return undefined;
  }
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const [bitDepth = 0, colorType = 0, compression, filter, interlace = 0] = data.subarray(8);
  const isSize = Math.min(width, height) > 0 && Math.max(width, height) <= longest;
  const isKind = bitDepths.get(colorType)?.includes(bitDepth) === true;
  return isSize && isKind && compression === 0 && filter === 0 && interlace <= 1
    ? { width, height, bitDepth, colorType, interlaced: interlace === 1 }
    : undefined;
}

/** Returns the bytes in a row of pixels, including its filter byte. */
export function rowLength(columns: number, { bitDepth, colorType }: PngHeader): number {
  return 1 + Math.ceil((columns * bitDepth * (channels.get(colorType) ?? 0)) / 8);
}

/** Returns the bytes of all rows of an image. */
function pixelsLength(header: PngHeader): number {
  const { width, height, interlaced } = header;
  return (interlaced ? passes : ([[0, 1, 0, 1]] as const)).reduce((sum, [left, across, top, down]) => {
    const columns = Math.ceil((width - left) / across);
    const rows = Math.ceil((height - top) / down);
    // A pass without columns has no rows.
    return columns > 0 && rows > 0 ? sum + rows * rowLength(columns, header) : sum;
  }, 0);
}

function isZlibError(error: unknown): error is Error & { code: string } {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')
  );
}
