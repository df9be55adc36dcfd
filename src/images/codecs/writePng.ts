import { constants, crc32, createDeflate, type Deflate, deflateSync, type ZlibOptions } from 'node:zlib';
import { isLarge } from '../formats/limits.ts';
import { isOpaque, type Pixels } from './pixels.ts';
import { applyFilter, bestFilter } from './pngFilters.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes of filtered rows to compress at once, and of compressed ones per chunk. */
const pieceLength = 512 * 1024;
/** Number of samples on which both compression methods are tried, and the bytes of rows in each. */
const trials = 8;
const trialLength = 64 * 1024;
/** Compresses photos, in which nothing repeats, equally well in a fraction of the time. */
const forPhotos: ZlibOptions = { level: 6, strategy: constants.Z_RLE };
const forDrawings: ZlibOptions = { level: 6 };
/** Takes a seventh of the time, for files that are a sixth larger. */
const forLargeDrawings: ZlibOptions = { level: 1 };
/** Ratio of sizes below which the slow method is used. */
const worthwhile = 0.85;

/** Encodes pixels as PNG losslessly, without alpha if all of them are opaque. */
export async function writePng(pixels: Pixels): Promise<Uint8Array> {
  const rows = new FilteredRows(pixels);
  const way = wayToCompress(rows, isLarge(pixels) ? forLargeDrawings : forDrawings);
  const deflate = createDeflate({ ...way, memLevel: 9, chunkSize: pieceLength });
  const [chunks] = await Promise.all([dataChunks(deflate), writeRows(rows, deflate)]);
  return joined([
    signature,
    pngChunk('IHDR', headerOf(pixels, rows.step)),
    ...chunks.flat(),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Writes all rows to a stream, which compresses some in another thread while the next ones are filtered. */
async function writeRows(rows: FilteredRows, deflate: Deflate): Promise<void> {
  let written = Promise.resolve();
  for (const piece of rows.all()) {
    await written;
    written = new Promise((resolve, reject) => {
      deflate.write(piece, (error) => (error ? reject(error) : resolve()));
    });
  }
  await written;
  deflate.end();
}

/** Returns the output of a stream as chunks, in parts. */
async function dataChunks(deflate: Deflate): Promise<Uint8Array[][]> {
  const chunks: Uint8Array[][] = [];
  for await (const data of deflate as AsyncIterable<Buffer>) {
    chunks.push(framed('IDAT', data));
  }
  return chunks;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function pngChunk(type: string, data: Uint8Array): Buffer {
  return Buffer.concat(framed(type, data));
}

function framed(type: string, data: Uint8Array): [head: Buffer, data: Uint8Array, checksum: Buffer] {
  const [head, checksum] = [Buffer.alloc(8), Buffer.alloc(4)];
  head.writeUInt32BE(data.length);
  head.write(type, 4, 'latin1');
  checksum.writeUInt32BE(crc32(data, crc32(type)));
  return [head, data, checksum];
}

function headerOf({ width, height }: Pixels, step: 3 | 4): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, step === 4 ? 6 : 2], 8);
  return header;
}

function wayToCompress(rows: FilteredRows, slow: ZlibOptions): ZlibOptions {
  const sample = rows.sample();
  const isWorthIt = deflateSync(sample, slow).length < deflateSync(sample, forPhotos).length * worthwhile;
  return isWorthIt ? slow : forPhotos;
}

/** The rows of an image as PNG files store them before compression: as differences from their neighbors. */
class FilteredRows {
  /** Bytes per pixel. */
  readonly step: 3 | 4;
  readonly #pixels: Pixels;
  /** Bytes per row, without its filter byte. */
  readonly #stride: number;
  #line: Uint8Array;
  #above: Uint8Array;

  constructor(pixels: Pixels) {
    this.#pixels = pixels;
    this.step = isOpaque(pixels) ? 3 : 4;
    this.#stride = pixels.width * this.step;
    this.#line = new Uint8Array(this.#stride);
    this.#above = new Uint8Array(this.#stride);
  }

  /** Yields all rows, several at a time, alternating between two buffers. */
  *all(): Generator<Buffer> {
    const { height } = this.#pixels;
    const count = Math.min(height, Math.max(1, Math.floor(pieceLength / this.#stride)));
    let [buffer, other] = [this.#bufferFor(count), this.#bufferFor(count)];
    for (let row = 0; row < height; row += count) {
      yield this.#filter(row, Math.min(height, row + count), buffer);
      [buffer, other] = [other, buffer];
    }
  }

  /** Returns rows from all over the image, or all rows of a small one. */
  sample(): Buffer {
    const { height } = this.#pixels;
    const count = Math.max(1, Math.floor(trialLength / this.#stride));
    if (count * trials >= height) {
      return this.#filter(0, height, this.#bufferFor(height));
    }
    const starts = Array.from({ length: trials }, (_, trial) => Math.floor((height * trial) / trials));
    return Buffer.concat(
      starts.map((start) => this.#filter(start, Math.min(height, start + count), this.#bufferFor(count))),
    );
  }

  #bufferFor(count: number): Buffer {
    return Buffer.alloc(count * (this.#stride + 1));
  }

  /** Writes some rows to a buffer, each with the filter that makes it smallest, and returns them. */
  #filter(from: number, to: number, buffer: Buffer): Buffer {
    const filtered = buffer.subarray(0, (to - from) * (this.#stride + 1));
    this.#read(from - 1);
    for (let row = from, at = 0; row < to; row++, at += this.#stride + 1) {
      [this.#above, this.#line] = [this.#line, this.#above];
      this.#read(row);
      const filter = bestFilter(this.#line, this.#above, this.step);
      filtered[at] = filter;
      applyFilter(
        filter,
        this.#line,
        this.#above,
        this.step,
        filtered.subarray(at + 1, at + 1 + this.#stride),
      );
    }
    return filtered;
  }

  #read(row: number): void {
    const { width, rgba } = this.#pixels;
    const line = this.#line;
    if (row < 0) {
      line.fill(0);
      return;
    }
    const start = row * width * 4;
    if (this.step === 4) {
      line.set(rgba.subarray(start, start + line.length));
      return;
    }
    for (let from = start, to = 0; to < line.length; from += 4, to += 3) {
      line[to] = rgba[from] ?? 0;
      line[to + 1] = rgba[from + 1] ?? 0;
      line[to + 2] = rgba[from + 2] ?? 0;
    }
  }
}
