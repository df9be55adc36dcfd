import { once } from 'node:events';
import { crc32, createInflate } from 'node:zlib';
import { type Chunk, pngChunks } from '../formats/containers.ts';
import { maxPixels } from '../formats/limits.ts';
import { DamageFound, type DamageKind } from './damage.ts';
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
/** Bytes that are decompressed at once. Many programs write chunks of 8 kB. */
const gatheredLength = 128 * 1024;

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

/** How a PNG file is checked. */
export interface PngCheck {
  /** Whether faults count that decoders read over, such as transparency in the wrong place. */
  isStrict: boolean;
  /** Whether the pixels are decompressed, too. */
  withPixels: boolean;
}

/**
 * Reads a PNG file up to its end once: its pixels are decompressed while the checksums around them are computed. What
 * follows its end doesn't matter.
 *
 * @throws DamageFound for the first thing that is wrong with the file; for its pixels only if nothing else is
 */
export async function checkPng(
  reader: RangeReader,
  { isStrict, withPixels }: PngCheck = { isStrict: true, withPixels: true },
): Promise<void> {
  const harmless = (what: DamageKind, chunk: Chunk): void => {
    if (isStrict) {
      throw new DamageFound(what, chunk);
    }
  };
  let header: PngHeader | undefined;
  let colours: number | undefined;
  let hasTransparency = false;
  let hasPixels = false;
  let pixels: PixelCheck | undefined;
  let last = { type: 'signature', offset: 0 };
  for await (const chunk of pngChunks(reader)) {
    const { type, offset, start, length } = chunk;
    if (!/[A-Za-z]{4}/u.test(type)) {
      throw new DamageFound('unknown', chunk);
    }
    // The third letter is uppercase in all existing versions of the format.
    if (!/^..[A-Z]/u.test(type)) {
      harmless('unknown', chunk);
    }
    if (length > longest) {
      throw new DamageFound('contents', chunk);
    }
    const isFirst = type === 'IDAT' && !hasPixels && withPixels;
    if (isFirst && header && header.width * header.height <= maxPixels) {
      pixels = new PixelCheck(header, chunk, isStrict);
    }
    await checkSum(reader, chunk, type === 'IDAT' ? pixels : undefined);
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
        if (colours !== undefined || hasTransparency || hasPixels) {
          harmless('order', chunk);
        }
        const most = header?.colourType === 3 ? 2 ** header.bitDepth : 256;
        colours = length / 3;
        const isPalette = Number.isInteger(colours) && colours >= 1;
        if (header?.colourType === 3 && !isPalette) {
          throw new DamageFound('contents', chunk);
        }
        if (isGrey(header) || !isPalette || colours > most) {
          harmless('contents', chunk);
        }
        break;
      }
      case 'tRNS':
        if (hasTransparency || hasPixels || (header?.colourType === 3 && colours === undefined)) {
          harmless('order', chunk);
        }
        hasTransparency = true;
        if (!isTransparency(length, header?.colourType, colours ?? 0)) {
          harmless('contents', chunk);
        }
        break;
      case 'IDAT':
        if (header?.colourType === 3 && colours === undefined) {
          throw new DamageFound('missing', { type: 'PLTE', offset });
        }
        if (hasPixels && last.type !== 'IDAT') {
          throw new DamageFound('order', chunk);
        }
        hasPixels = true;
        break;
      case 'IEND': {
        if (length > 0) {
          harmless('contents', chunk);
        }
        if (!hasPixels) {
          throw new DamageFound('missing', { type: 'IDAT', offset });
        }
        await pixels?.end();
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

/** Compares the checksum of a chunk, and hands over its data where they are pixels. */
async function checkSum(reader: RangeReader, chunk: Chunk, pixels?: PixelCheck): Promise<void> {
  const end = chunk.start + chunk.length;
  let sum = 0;
  // The checksum covers the type and the data.
  for (let position = chunk.start - 4; position < end;) {
    const piece = (await reader.readSome(position)).subarray(0, end - position);
    if (piece.length === 0) {
      throw new DamageFound('truncated', chunk);
    }
    const decompressed = pixels?.write(piece.subarray(Math.max(0, chunk.start - position)));
    sum = crc32(piece, sum);
    await decompressed;
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

/** Decompresses pixels while they are read, and compares their number with the header. */
class PixelCheck {
  readonly #first: Chunk;
  readonly #isStrict: boolean;
  readonly #rows: Generator<number, undefined>;
  readonly #inflate = createInflate({ chunkSize: inflatedLength });
  readonly #inflated = once(this.#inflate, 'end');
  /** Compressed bytes that wait for more: each trip to the thread that decompresses them takes a while. */
  readonly #gathered = Buffer.allocUnsafe(gatheredLength);
  #filled = 0;
  #leftInRow = 0;
  #compressed = 0;
  #written: () => void = () => {};

  /** @param first chunk of the pixels, which is named when they are damaged */
  constructor(header: PngHeader, first: Chunk, isStrict: boolean) {
    this.#first = first;
    this.#isStrict = isStrict;
    this.#rows = rowLengths(header);
    this.#inflate.on('data', (piece: Buffer) => {
      this.#walk(piece);
      // Until its end is reached, zlib goes on writing to the same memory.
      if (
        piece.byteOffset + piece.length === piece.buffer.byteLength &&
        piece.buffer instanceof ArrayBuffer
      ) {
        piece.buffer.transfer(0);
      }
    });
    // Damage leaves a write unanswered.
    this.#inflate.once('close', () => this.#written());
    // What is wrong with the chunks comes first.
    this.#inflated.catch(() => {});
  }

  /** Resolves when more can be written, also after damage. */
  async write(compressed: Buffer): Promise<void> {
    this.#compressed += compressed.length;
    for (let at = 0; at < compressed.length;) {
      const copied = compressed.copy(this.#gathered, this.#filled, at);
      this.#filled += copied;
      at += copied;
      if (this.#filled === this.#gathered.length) {
        await this.#flush();
      }
    }
  }

  /** Decompresses what was gathered. */
  async #flush(): Promise<void> {
    const gathered = this.#gathered.subarray(0, this.#filled);
    this.#filled = 0;
    if (gathered.length === 0 || this.#inflate.readableEnded || this.#inflate.destroyed) {
      return;
    }
    await new Promise<void>((resolve) => {
      this.#written = resolve;
      this.#inflate.write(gathered, () => resolve());
    });
  }

  /** @throws DamageFound */
  async end(): Promise<void> {
    await this.#flush();
    this.#inflate.end();
    try {
      await this.#inflated;
    } catch (error) {
      const isMore = error instanceof DamageFound && error.damage.what === 'tooManyPixels';
      const isWithoutEnd = isZlibError(error) && error.code === 'Z_BUF_ERROR' && this.#hasAll();
      if (!this.#isStrict && (isMore || isWithoutEnd)) {
        return;
      }
      throw isZlibError(error)
        ? new DamageFound(error.code === 'Z_BUF_ERROR' ? 'tooFewPixels' : 'pixels', this.#first)
        : error;
    }
    if (!this.#hasAll()) {
      throw new DamageFound('tooFewPixels', this.#first);
    }
    if (this.#isStrict && this.#inflate.bytesWritten < this.#compressed) {
      throw new DamageFound('tooManyPixels', this.#first);
    }
  }

  /** Whether every row has come; asked once. */
  #hasAll(): boolean {
    return this.#leftInRow === 0 && this.#rows.next().done === true;
  }

  #walk(piece: Buffer): void {
    for (let at = 0; at < piece.length;) {
      if (this.#leftInRow === 0) {
        this.#leftInRow = this.#rows.next().value ?? 0;
        if (this.#leftInRow === 0) {
          this.#inflate.destroy(new DamageFound('tooManyPixels', this.#first));
          return;
        }
        if ((piece[at] ?? 0) > maxFilter) {
          this.#inflate.destroy(new DamageFound('pixels', this.#first));
          return;
        }
      }
      const taken = Math.min(this.#leftInRow, piece.length - at);
      this.#leftInRow -= taken;
      at += taken;
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
