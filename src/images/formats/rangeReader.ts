import { setImmediate } from 'node:timers/promises';
import type { ReadableFile } from './dimensions.ts';

/** Bytes of a file that are read at once, and of which one such piece is kept. */
const pieceLength = 64 * 1024;
/** Bytes in memory are read without a pause, but for one after so many reads, in which others get their turn. */
const readsAtOnce = 10_000;

/** Reads ranges of an open file piece by piece, or of bytes that are in memory anyway. */
export class RangeReader {
  readonly #file: ReadableFile | undefined;
  #piece: Buffer;
  /** Where the piece begins in the file. */
  #start = 0;
  #reads = 0;

  constructor(file: ReadableFile | Uint8Array) {
    const isInMemory = file instanceof Uint8Array;
    this.#file = isInMemory ? undefined : file;
    this.#piece = isInMemory ? Buffer.from(file.buffer, file.byteOffset, file.byteLength) : Buffer.alloc(0);
  }

  /** Reads `length` bytes from `position`, or as many as there are before the end of the file. */
  async read(position: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, length);
    await this.#pause();
    if (position < this.#start || position + wanted > this.#start + this.#piece.length) {
      await this.#load(position, wanted);
    }
    return this.#piece.subarray(position - this.#start, position - this.#start + wanted);
  }

  /** Reads what can be had at once from `position`: at least one byte, unless the file ends there. */
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
    const piece = Buffer.allocUnsafe(Math.max(length, pieceLength));
    let filled = 0;
    while (filled < piece.length) {
      const { bytesRead } = await this.#file.read(piece, filled, piece.length - filled, position + filled);
      if (bytesRead === 0) {
        break;
      }
      filled += bytesRead;
    }
    this.#piece = piece.subarray(0, filled);
    this.#start = position;
  }
}
