import { canonicalCodes, codeLengths } from './codeLengths.ts';

const longestCode = 16;
/** Symbols are bytes. */
const symbols = 256;

/** The code of each symbol in a JPEG file, by how often it comes. */
export class JpegCode {
  readonly lengths: Uint8Array;
  readonly bits: Uint16Array;

  constructor(counts: Uint32Array) {
    // No code may have only ones: one more symbol than there are gets the last of the longest.
    const withLast = new Uint32Array(symbols + 1);
    withLast.set(counts);
    withLast[symbols] = 1;
    const lengths = codeLengths(withLast, longestCode);
    const longest = lengths.reduce((one, other) => Math.max(one, other), 0);
    const deepest = lengths.lastIndexOf(longest);
    [lengths[deepest], lengths[symbols]] = [lengths[symbols] ?? 0, longest];
    this.lengths = lengths.subarray(0, symbols);
    this.bits = canonicalCodes(lengths).subarray(0, symbols);
  }

  /** Returns the segment that defines the code. @param name its kind in the upper four bits, its number in the lower */
  segment(name: number): Buffer {
    const numbers = new Uint8Array(longestCode);
    const inOrder: number[] = [];
    for (let length = 1; length <= longestCode; length++) {
      const own = [...this.lengths.keys()].filter((symbol) => this.lengths[symbol] === length);
      numbers[length - 1] = own.length;
      inOrder.push(...own);
    }
    const head = Buffer.from([0xff, 0xc4, 0, 0, name]);
    head.writeUInt16BE(3 + numbers.length + inOrder.length, 2);
    return Buffer.concat([head, numbers, Buffer.from(inOrder)]);
  }
}
