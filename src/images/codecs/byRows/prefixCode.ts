import type { BitWriter } from './bitWriter.ts';
import { canonicalCodes, codeLengths } from './codeLengths.ts';

/** The longest codes: of symbols, and of the lengths of those. */
const [longestCode, longestOfLengths] = [15, 7];
/** The order in which the codes of lengths are written; the last three stand for repetitions. */
const lengthOrder = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const;
/** The symbols of short and long runs of lengths that are 0, with the shortest run and the bits that tell the rest. */
const shortRun = { symbol: 17, least: 3, bits: 3 };
const longRun = { symbol: 18, least: 11, most: 138, bits: 7 };

/** The code of each symbol, by how often it comes: frequent symbols have short ones. */
export class PrefixCode {
  /** The number of bits of each symbol's code; 0 for one that doesn't come, and for one that is alone. */
  readonly lengths: Uint8Array;
  /** The bits of each symbol's code, the first one lowest. */
  readonly bits: Uint16Array;
  readonly #only: number | undefined;

  constructor(counts: Uint32Array, longest = longestCode) {
    const used = counts.reduce((sum, count) => sum + Number(count > 0), 0);
    this.#only =
      used < 2
        ? Math.max(
            0,
            counts.findIndex((count) => count > 0),
          )
        : undefined;
    this.lengths = codeLengths(counts, longest);
    this.bits = bitsFor(this.lengths);
  }

  /** Writes what stands for a symbol. */
  writeSymbol(symbol: number, to: BitWriter): void {
    to.write(this.bits[symbol] ?? 0, this.lengths[symbol] ?? 0);
  }

  /** Writes the code as lossless WebP files have it before what it stands for. */
  write(to: BitWriter): void {
    if (this.#only === undefined) {
      this.#writeLengths(to);
      return;
    }
    // One symbol, of eight bits.
    to.write(0b101, 3);
    to.write(this.#only, 8);
  }

  #writeLengths(to: BitWriter): void {
    const runs = [...runsIn(this.lengths)];
    const counts = new Uint32Array(lengthOrder.length);
    for (const { symbol } of runs) {
      counts[symbol] = (counts[symbol] ?? 0) + 1;
    }
    const code = new PrefixCode(counts, longestOfLengths);
    const lengths = lengthOrder.map((symbol) => (symbol === code.#only ? 1 : (code.lengths[symbol] ?? 0)));
    const written = Math.max(4, lengths.findLastIndex((length) => length > 0) + 1);
    to.write(0, 1);
    to.write(written - 4, 4);
    for (const length of lengths.slice(0, written)) {
      to.write(length, 3);
    }
    // The lengths of all symbols follow.
    to.write(0, 1);
    for (const { symbol, rest, restBits } of runs) {
      code.writeSymbol(symbol, to);
      to.write(rest, restBits);
    }
  }
}

/** Turns lengths into symbols: each into itself, runs of 0 into one with the rest of its number. */
function* runsIn(lengths: Uint8Array): Generator<{ symbol: number; rest: number; restBits: number }> {
  for (let at = 0; at < lengths.length;) {
    const run = zerosFrom(lengths, at);
    const kind = run >= longRun.least ? longRun : run >= shortRun.least ? shortRun : undefined;
    yield kind
      ? { symbol: kind.symbol, rest: run - kind.least, restBits: kind.bits }
      : { symbol: lengths[at] ?? 0, rest: 0, restBits: 0 };
    at += kind ? run : 1;
  }
}

/** Returns how many lengths in a row are 0, as far as one symbol can say it. */
function zerosFrom(lengths: Uint8Array, start: number): number {
  let end = start;
  while (lengths[end] === 0 && end - start < longRun.most) {
    end++;
  }
  return end - start;
}

/** Returns the codes as they are written, the first bit lowest. */
function bitsFor(lengths: Uint8Array): Uint16Array {
  return canonicalCodes(lengths).map((code, symbol) => reversed(code, lengths[symbol] ?? 0));
}

function reversed(value: number, length: number): number {
  let bits = 0;
  for (let bit = 0; bit < length; bit++) {
    bits = (bits << 1) | ((value >> bit) & 1);
  }
  return bits;
}
