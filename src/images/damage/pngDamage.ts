import { pipeline } from 'node:stream/promises';
import { crc32, createInflate } from 'node:zlib';
import { type Chunk, pngChunks } from '../formats/containers.ts';
import { maxPixels } from '../formats/limits.ts';
import { DamageFound } from './damage.ts';
import type { RangeReader } from '../formats/rangeReader.ts';

export interface PngHeader {
  width: number;
  height: number;
  bitDepth: number;
  colourType: number;
  interlaced: boolean;
}

const headerLength = 13;
const longest = 2 ** 31 - 1;
/** Bytes of pixels that come at once: few enough to be walked through between two frames. */
const inflatedLength = 128 * 1024;

const bitDepths = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
]);
/** The numbers per pixel of each colour type. */
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
const maxFilter = 4;

/** @throws DamageFound for the first thing that is wrong with a PNG file */
export async function checkPng(reader: RangeReader): Promise<void> {
  let header: PngHeader | undefined;
  let colours: number | undefined;
  let hasTransparency = false;
  let pixels: Chunk | undefined;
  let last: Chunk = { type: 'signature', offset: 0, start: 8, length: 0 };
  for await (const chunk of pngChunks(reader)) {
    const { type, offset, start, length } = chunk;
    // The third letter is uppercase in all existing versions of the format.
    if (!/^[A-Za-z]{2}[A-Z][A-Za-z]$/u.test(type)) {
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
      case 'PLTE': {
        if (colours !== undefined || hasTransparency || pixels) {
          throw new DamageFound('order', chunk);
        }
        const most = header?.colourType === 3 ? 2 ** header.bitDepth : 256;
        colours = length / 3;
        if (isGrey(header) || !Number.isInteger(colours) || colours < 1 || colours > most) {
          throw new DamageFound('contents', chunk);
        }
        break;
      }
      case 'tRNS':
        if (hasTransparency || pixels || (header?.colourType === 3 && colours === undefined)) {
          throw new DamageFound('order', chunk);
        }
        hasTransparency = true;
        if (!isTransparency(length, header?.colourType, colours ?? 0)) {
          throw new DamageFound('contents', chunk);
        }
        break;
      case 'IDAT':
        if (header?.colourType === 3 && colours === undefined) {
          throw new DamageFound('missing', { type: 'PLTE', offset });
        }
        if (pixels && last.type !== 'IDAT') {
          throw new DamageFound('order', chunk);
        }
        pixels ??= chunk;
        break;
      case 'IEND': {
        const end = start + length + 4;
        if (length > 0) {
          throw new DamageFound('contents', chunk);
        }
        if (!header || !pixels) {
          throw new DamageFound('missing', { type: 'IDAT', offset });
        }
        if ((await reader.read(end, 1)).length > 0) {
          throw new DamageFound('trailing', { type, offset: end });
        }
        await checkPixels(reader, header, pixels);
        return;
      }
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

async function checkSum(reader: RangeReader, chunk: Chunk): Promise<void> {
  const end = chunk.start + chunk.length;
  let sum = 0;
  // The checksum covers the type and the data.
  for (let position = chunk.start - 4; position < end;) {
    const piece = (await reader.readSome(position)).subarray(0, end - position);
    if (piece.length === 0) {
      throw new DamageFound('truncated', chunk);
    }
    sum = crc32(piece, sum);
    position += piece.length;
  }
  const written = await reader.read(end, 4);
  if (written.length < 4) {
    throw new DamageFound('truncated', chunk);
  }
  if (written.readUInt32BE() !== sum) {
    throw new DamageFound('checksum', chunk);
  }
}

/** Reads the data of an IHDR chunk. Returns `undefined` if it is invalid. */
export function pngHeader(data: Buffer | undefined): PngHeader | undefined {
  if (data?.length !== headerLength) {
    return undefined;
  }
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const [bitDepth = 0, colourType = 0, compression, filter, interlace = 0] = data.subarray(8);
  const isSize = Math.min(width, height) > 0 && Math.max(width, height) <= longest;
  const isKind = bitDepths.get(colourType)?.includes(bitDepth) === true;
  return isSize && isKind && compression === 0 && filter === 0 && interlace <= 1
    ? { width, height, bitDepth, colourType, interlaced: interlace === 1 }
    : undefined;
}

function isGrey(header: PngHeader | undefined): boolean {
  return header?.colourType === 0 || header?.colourType === 4;
}

function isTransparency(length: number, colourType: number | undefined, colours: number): boolean {
  switch (colourType) {
    case 0:
      return length === 2;
    case 2:
      return length === 6;
    case 3:
      return length > 0 && length <= colours;
    default:
      return false;
  }
}

/** Decompresses the pixels and compares their number with the header. */
async function checkPixels(reader: RangeReader, header: PngHeader, first: Chunk): Promise<void> {
  if (header.width * header.height > maxPixels) {
    return;
  }
  const rows = rowLengths(header);
  let leftInRow = 0;
  let compressed = 0;
  const inflate = createInflate({ chunkSize: inflatedLength });
  async function* source(): AsyncGenerator<Buffer> {
    for await (const piece of piecesOf(reader, first)) {
      compressed += piece.length;
      yield piece;
    }
  }
  try {
    await pipeline(source, inflate, async (decompressed: AsyncIterable<Buffer>) => {
      for await (const piece of decompressed) {
        for (let at = 0; at < piece.length;) {
          if (leftInRow === 0) {
            leftInRow = rows.next().value ?? 0;
            if (leftInRow === 0) {
              throw new DamageFound('tooManyPixels', first);
            }
            if ((piece[at] ?? 0) > maxFilter) {
              throw new DamageFound('pixels', first);
            }
          }
          const taken = Math.min(leftInRow, piece.length - at);
          leftInRow -= taken;
          at += taken;
        }
      }
    });
  } catch (error) {
    throw isZlibError(error)
      ? new DamageFound(error.code === 'Z_BUF_ERROR' ? 'tooFewPixels' : 'pixels', first)
      : error;
  }
  if (leftInRow > 0 || rows.next().done !== true) {
    throw new DamageFound('tooFewPixels', first);
  }
  if (inflate.bytesWritten < compressed) {
    throw new DamageFound('tooManyPixels', first);
  }
}

/** Yields the data of consecutive IDAT chunks. */
async function* piecesOf(reader: RangeReader, first: Chunk): AsyncGenerator<Buffer> {
  for await (const { type, start, length } of pngChunks(reader, first.offset)) {
    if (type !== 'IDAT') {
      return;
    }
    for (let position = start; position < start + length;) {
      const piece = (await reader.readSome(position)).subarray(0, start + length - position);
      if (piece.length === 0) {
        return;
      }
      yield piece;
      position += piece.length;
    }
  }
}

/** Returns the bytes in a row of pixels, including the leading one that names its filter. */
export function rowLength(columns: number, { bitDepth, colourType }: PngHeader): number {
  return 1 + Math.ceil((columns * bitDepth * (channels.get(colourType) ?? 0)) / 8);
}

function* rowLengths(header: PngHeader): Generator<number, undefined> {
  const { width, height, interlaced } = header;
  for (const [left, across, top, down] of interlaced ? passes : ([[0, 1, 0, 1]] as const)) {
    const columns = Math.ceil((width - left) / across);
    // A pass without columns has no rows.
    for (let row = columns > 0 ? top : height; row < height; row += down) {
      yield rowLength(columns, header);
    }
  }
}

function isZlibError(error: unknown): error is Error & { code: string } {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')
  );
}
