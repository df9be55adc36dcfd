import { isOpaque, type Pixels } from '../pixels.ts';
import { BitWriter } from './bitWriter.ts';
import { PredictedRows, type Predictor } from './predictedRows.ts';
import { PrefixCode } from './prefixCode.ts';

const signature = 0x2f;
/** The transforms that are used, by their numbers. */
const [prediction, withoutGreen] = [0, 2];
/** The side of the squares that have a predictor of their own, as a power of 2: as large as they can be. */
const squareBits = 9;

/** The shortest and the longest run of equal differences that is written as one. */
const [shortestRun, longestRun] = [4, 4096];
/** Each of a pixel's four channels has so many levels. With green, there are symbols for the lengths of runs. */
const [levels, lengthSymbols] = [256, 24];
/** The symbol of the distance to the pixel before, and how many distances have one. */
const [pixelBefore, distanceSymbols] = [1, 40];

/**
 * Encodes pixels as WebP without loss, row by row, with one code for the whole image: as differences from what their
 * neighbours predict. Of all that repeats only runs are found.
 */
export function writeWebp(pixels: Pixels): Uint8Array {
  const rows = new PredictedRows(pixels);
  const counter = new Counter();
  rows.forEach((row) => visitSymbols(row, counter));
  const codes = counter.codes();
  const to = new BitWriter();
  writeHead(to, pixels, rows.predictor);
  writeCodes(to, codes);
  const writer = new Writer(to, codes);
  rows.forEach((row) => visitSymbols(row, writer));
  return fileOf(to.bytes());
}

/** Takes the differences of an image in order. */
interface Visitor {
  /** A difference, alone. */
  single(difference: number): void;
  /** So many differences that are like the one before. */
  run(length: number): void;
}

function visitSymbols(row: Int32Array, visitor: Visitor): void {
  for (let x = 0; x < row.length;) {
    const before = row[x - 1] ?? 0;
    let end = x;
    if (x > 0) {
      const most = Math.min(row.length, x + longestRun);
      while (end < most && row[end] === before) {
        end++;
      }
    }
    if (end - x >= shortestRun) {
      visitor.run(end - x);
      x = end;
    } else {
      visitor.single(row[x++] ?? 0);
    }
  }
}

/** The codes of green with the lengths of runs, red, blue, alpha, and distances: as they come in files. */
type Codes = readonly [
  green: PrefixCode,
  red: PrefixCode,
  blue: PrefixCode,
  alpha: PrefixCode,
  distance: PrefixCode,
];

/** Counts how often each symbol comes. */
class Counter implements Visitor {
  readonly #green = new Uint32Array(levels + lengthSymbols);
  readonly #red = new Uint32Array(levels);
  readonly #blue = new Uint32Array(levels);
  readonly #alpha = new Uint32Array(levels);
  readonly #distance = new Uint32Array(distanceSymbols);

  single(difference: number): void {
    count(this.#green, (difference >>> 8) & 255);
    count(this.#red, difference & 255);
    count(this.#blue, (difference >>> 16) & 255);
    count(this.#alpha, difference >>> 24);
  }

  run(length: number): void {
    count(this.#green, levels + symbolOfLength(length));
    count(this.#distance, pixelBefore);
  }

  codes(): Codes {
    return [
      new PrefixCode(this.#green),
      new PrefixCode(this.#red),
      new PrefixCode(this.#blue),
      new PrefixCode(this.#alpha),
      new PrefixCode(this.#distance),
    ];
  }
}

function count(counts: Uint32Array, symbol: number): void {
  counts[symbol] = (counts[symbol] ?? 0) + 1;
}

/** Writes each symbol. */
class Writer implements Visitor {
  readonly #to: BitWriter;
  readonly #codes: Codes;

  constructor(to: BitWriter, codes: Codes) {
    this.#to = to;
    this.#codes = codes;
  }

  single(difference: number): void {
    const [green, red, blue, alpha] = this.#codes;
    const to = this.#to;
    green.writeSymbol((difference >>> 8) & 255, to);
    red.writeSymbol(difference & 255, to);
    blue.writeSymbol((difference >>> 16) & 255, to);
    alpha.writeSymbol(difference >>> 24, to);
  }

  run(length: number): void {
    const [green] = this.#codes;
    const symbol = symbolOfLength(length);
    green.writeSymbol(levels + symbol, this.#to);
    const restBits = (symbol - 2) >> 1;
    // The distance is always the same, and needs no bits.
    this.#to.write((length - 1) & ((1 << restBits) - 1), restBits);
  }
}

/** Returns the symbol of a length: its two highest bits, and how many there are. */
function symbolOfLength(length: number): number {
  const value = length - 1;
  const highest = 31 - Math.clz32(value);
  return 2 * highest + ((value >> (highest - 1)) & 1);
}

function writeHead(to: BitWriter, pixels: Pixels, predictor: Predictor): void {
  to.write(signature, 8);
  to.write(pixels.width - 1, 14);
  to.write(pixels.height - 1, 14);
  to.write(isOpaque(pixels) ? 0 : 1, 1);
  // The version.
  to.write(0, 3);
  writeTransform(to, withoutGreen);
  writeTransform(to, prediction);
  to.write(squareBits - 2, 3);
  writePredictor(to, predictor);
  // No more transforms, no cache of colours, one group of codes.
  to.write(0, 3);
}

function writeTransform(to: BitWriter, transform: number): void {
  to.write(1, 1);
  to.write(transform, 2);
}

/** Writes an image in which the green of all pixels is the number of the predictor: it needs no bits but its codes. */
function writePredictor(to: BitWriter, predictor: Predictor): void {
  // No cache of colours.
  to.write(0, 1);
  const green = new Uint32Array(levels);
  green[predictor] = 1;
  const none = new PrefixCode(new Uint32Array(levels));
  writeCodes(to, [new PrefixCode(green), none, none, none, none]);
}

function writeCodes(to: BitWriter, codes: Codes): void {
  for (const code of codes) {
    code.write(to);
  }
}

function fileOf(pieces: readonly Uint8Array[]): Uint8Array {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const padding = length & 1;
  const head = Buffer.alloc(20);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(12 + length + padding, 4);
  head.write('WEBPVP8L', 8, 'latin1');
  head.writeUInt32LE(length, 16);
  return new Uint8Array(Buffer.concat([head, ...pieces, Buffer.alloc(padding)]));
}
