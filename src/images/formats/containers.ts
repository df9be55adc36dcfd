import { setImmediate } from 'node:timers/promises';
import type { ReadableFile } from './dimensions.ts';
import { sniffImage, sniffLength } from './sniff.ts';

/** The size of the part of a file kept in memory, at first and after many reads. */
const firstLength = 64 * 1024;
const mostLength = 256 * 1024;
/** The number of reads after which the event loop gets a turn. */
const readsAtOnce = 10_000;

/**
 * Reads ranges of an open file, piece by piece, or of bytes in memory. Pieces of a file share the same memory: a
 * result is valid only until the next read.
 */
export class RangeReader {
  readonly #file: ReadableFile | undefined;
  #piece: Buffer;
  #memory = Buffer.alloc(0);
  #start = 0;
  #length = firstLength;
  #reads = 0;

  constructor(file: ReadableFile | Uint8Array) {
    const isInMemory = file instanceof Uint8Array;
    this.#file = isInMemory ? undefined : file;
    this.#piece = isInMemory ? Buffer.from(file.buffer, file.byteOffset, file.byteLength) : Buffer.alloc(0);
  }

  /** Reads `length` bytes from `position`, or fewer at the end of the file. */
  async read(position: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, length);
    await this.#pause();
    if (position < this.#start || position + wanted > this.#start + this.#piece.length) {
      await this.#load(position, wanted);
    }
    return this.#piece.subarray(position - this.#start, position - this.#start + wanted);
  }

  /** Reads the bytes in memory from `position`: at least one, unless the file ends there. */
  async readSome(position: number): Promise<Buffer> {
    await this.#pause();
    if (position < this.#start || position >= this.#start + this.#piece.length) {
      await this.#load(position, 1);
    }
    return this.#piece.subarray(position - this.#start);
  }

  async #pause(): Promise<void> {
    this.#reads += 1;
    if (this.#reads % readsAtOnce === 0) {
      await setImmediate();
    }
  }

  async #load(position: number, length: number): Promise<void> {
    if (this.#file === undefined) {
      return;
    }
    const wanted = Math.max(length, this.#length);
    if (this.#memory.length < wanted) {
      this.#memory = Buffer.allocUnsafe(wanted);
    }
    this.#length = Math.min(2 * this.#length, mostLength);
    let filled = 0;
    while (filled < wanted) {
      const { bytesRead } = await this.#file.read(this.#memory, filled, wanted - filled, position + filled);
      if (bytesRead === 0) {
        break;
      }
      filled += bytesRead;
    }
    this.#piece = this.#memory.subarray(0, filled);
    this.#start = position;
  }
}

/** A chunk of a PNG or WebP file, or a segment of a JPEG file. */
export interface Chunk {
  /** Four characters; in a JPEG file, a name like `SOF0`. */
  type: string;
  /** The position in the file, including its type and length. */
  offset: number;
  start: number;
  /** The stated number of data bytes. The file may end earlier, and a damaged JPEG may state a negative number. */
  length: number;
}

export async function* pngChunks(reader: RangeReader, position = 8): AsyncGenerator<Chunk, void> {
  for (let offset = position; ;) {
    const head = await reader.read(offset, 8);
    if (head.length < 8) {
      return;
    }
    const length = head.readUInt32BE(0);
    yield { type: head.toString('latin1', 4), offset, start: offset + 8, length };
    offset += length + 12;
  }
}

/** Walks the chunks before the pixels of a PNG file, and none of any other file. */
export async function* pngChunksBeforePixels(reader: RangeReader): AsyncGenerator<Chunk, void> {
  if (sniffImage(await reader.read(0, sniffLength))?.extension !== 'png') {
    return;
  }
  for await (const chunk of pngChunks(reader)) {
    if (chunk.type === 'IDAT') {
      return;
    }
    yield chunk;
  }
}

/** Walks the chunks of a WebP file, or of a frame in it, between two positions. */
export async function* webpChunks(
  reader: RangeReader,
  position = 12,
  end = Number.POSITIVE_INFINITY,
): AsyncGenerator<Chunk, void> {
  for (let offset = position; offset + 8 <= end;) {
    const head = await reader.read(offset, 8);
    if (head.length < 8) {
      return;
    }
    const length = head.readUInt32LE(4);
    yield { type: head.toString('latin1', 0, 4), offset, start: offset + 8, length };
    offset += 8 + length + (length & 1);
  }
}

/**
 * Walks the segments of a JPEG file to the end of the image, including the restart markers among the pixels. Ends
 * early where no segment follows.
 */
export async function* jpegSegments(reader: RangeReader): AsyncGenerator<Chunk, void> {
  let position = 2;
  let amongPixels = false;
  for (;;) {
    const offset = await nextMarker(reader, position, amongPixels);
    const head = offset === undefined ? undefined : await reader.read(offset, 4);
    const marker = head?.[1];
    if (offset === undefined || head === undefined || marker === undefined) {
      return;
    }
    const type = markerName(marker);
    if (/TEM|RST|SOI|EOI/u.test(type)) {
      yield { type, offset, start: offset + 2, length: 0 };
      if (type === 'EOI') {
        return;
      }
      position = offset + 2;
      continue;
    }
    if (head.length < 4) {
      return;
    }
    const length = head.readUInt16BE(2) - 2;
    yield { type, offset, start: offset + 4, length };
    position = offset + 4 + length;
    amongPixels = type === 'SOS';
  }
}

/**
 * Finds the last FF before a marker. Before it, only fill bytes (also FF) are allowed or, among pixels, any bytes, in
 * which 00 follows each FF.
 */
async function nextMarker(
  reader: RangeReader,
  from: number,
  amongPixels: boolean,
): Promise<number | undefined> {
  let isAfterFill = false;
  for (let position = from; ;) {
    const piece = await reader.readSome(position);
    if (piece.length === 0) {
      return undefined;
    }
    for (let at = 0; at < piece.length; at++) {
      if (!isAfterFill && amongPixels) {
        at = piece.indexOf(0xff, at);
        if (at < 0) {
          break;
        }
      }
      const byte = piece[at];
      if (isAfterFill && byte !== 0xff && byte !== 0) {
        return position + at - 1;
      }
      isAfterFill = byte === 0xff;
      if (!isAfterFill && !amongPixels) {
        return undefined;
      }
    }
    position += piece.length;
  }
}

const markerNames = new Map([
  [0x01, 'TEM'],
  [0xc4, 'DHT'],
  [0xc8, 'JPG'],
  [0xcc, 'DAC'],
  [0xd8, 'SOI'],
  [0xd9, 'EOI'],
  [0xda, 'SOS'],
  [0xdb, 'DQT'],
  [0xdc, 'DNL'],
  [0xdd, 'DRI'],
  [0xde, 'DHP'],
  [0xdf, 'EXP'],
  [0xfe, 'COM'],
]);

function markerName(marker: number): string {
  const name = markerNames.get(marker);
  if (name !== undefined) {
    return name;
  }
  switch (marker >> 4) {
    case 0xc:
      return `SOF${marker & 15}`;
    case 0xd:
      return `RST${marker & 15}`;
    case 0xe:
      return `APP${marker & 15}`;
    default:
      return `FF${marker.toString(16).toUpperCase().padStart(2, '0')}`;
  }
}
