import { setImmediate } from 'node:timers/promises';
import type { ReadableFile } from './dimensions.ts';

/** The size of the one piece of a file that is kept in memory: at first, and once much of the file is read. */
const firstLength = 64 * 1024;
const mostLength = 256 * 1024;
/** The number of reads after which other work gets its turn. */
const readsAtOnce = 10_000;

/**
 * Reads ranges of an open file, piece by piece, or of bytes in memory. The pieces of a file take turns in the same memory:
 * what was read holds until the next read.
 */
export class RangeReader {
  readonly #file: ReadableFile | undefined;
  #piece: Buffer;
  #memory = Buffer.alloc(0);
  /** The position of the piece in the file. */
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

  /** Reads the bytes at hand from `position`: at least one, unless the file ends there. */
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
