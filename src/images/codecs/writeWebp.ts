import { type Pixels, asPixelWords, isOpaque } from './pixels.ts';
import { BitWriter, PrefixCode } from './prefixCode.ts';

/** The predictors used, by their WebP numbers: the mean of left and above, and the nearer of them. */
const [mean, nearer] = [7, 11] as const;
export type Predictor = typeof mean | typeof nearer;

const black = 0xff000000 | 0;
/** Sampling interval in rows for choosing the predictor. */
const sampling = 61;
/** Every second channel, and the bits above them for carries. */
const [channels, carries] = [0x00ff00ff, 0x01000100];

/** The rows of an image as lossless WebP stores them: with green subtracted, as differences from a prediction. */
export class PredictedRows {
  readonly predictor: Predictor;
  readonly #words: Int32Array;
  readonly #width: number;
  readonly #height: number;

  constructor({ width, height, rgba }: Pixels) {
    const { buffer, byteOffset, length } = asPixelWords(rgba);
    this.#words = new Int32Array(buffer, byteOffset, length);
    this.#width = width;
    this.#height = height;
    this.predictor = this.#sizeBy(mean) < this.#sizeBy(nearer) ? mean : nearer;
  }

  /** Visits all rows from the top. Each is valid only until the next one. */
  forEach(visit: (row: Int32Array) => void): void {
    let [line, above] = [new Int32Array(this.#width), new Int32Array(this.#width)];
    const row = new Int32Array(this.#width);
    for (let y = 0; y < this.#height; y++) {
      [line, above] = [above, line];
      this.#readWithoutGreen(y, line);
      predict(line, y === 0 ? undefined : above, this.predictor, row);
      visit(row);
    }
  }

  /** Returns the total difference for a predictor, in a sample of the rows. */
  #sizeBy(predictor: Predictor): number {
    const [line, above] = [new Int32Array(this.#width), new Int32Array(this.#width)];
    const row = new Int32Array(this.#width);
    let sum = 0;
    for (let y = 1; y < this.#height; y += sampling) {
      this.#readWithoutGreen(y - 1, above);
      this.#readWithoutGreen(y, line);
      predict(line, above, predictor, row);
      for (let x = 0; x < row.length; x++) {
        const difference = row[x] ?? 0;
        sum +=
          sizeOf(difference) + sizeOf(difference >> 8) + sizeOf(difference >> 16) + sizeOf(difference >> 24);
      }
    }
    return sum;
  }

  /** Reads a row, and subtracts green from red and blue. */
  #readWithoutGreen(y: number, line: Int32Array): void {
    const words = this.#words;
    for (let x = 0, at = y * this.#width; x < line.length; x++, at++) {
      const word = words[at] ?? 0;
      const green = (word >>> 8) & 255;
      const others = (word & channels) + carries - (green | (green << 16));
      line[x] = (word & ~channels) | (others & channels);
    }
  }
}

function sizeOf(difference: number): number {
  return Math.abs((difference << 24) >> 24);
}

function predict(
  line: Int32Array,
  above: Int32Array | undefined,
  predictor: Predictor,
  row: Int32Array,
): void {
  let left = line[0] ?? 0;
  row[0] = minus(left, above?.[0] ?? black);
  if (!above) {
    for (let x = 1; x < line.length; x++) {
      const word = line[x] ?? 0;
      row[x] = minus(word, left);
      left = word;
    }
    return;
  }
  let corner = above[0] ?? 0;
  for (let x = 1; x < line.length; x++) {
    const word = line[x] ?? 0;
    const over = above[x] ?? 0;
    row[x] = minus(word, predictor === mean ? meanOf(left, over) : nearerOf(left, over, corner));
    left = word;
    corner = over;
  }
}

function minus(one: number, other: number): number {
  const high = ((one >>> 8) & channels) + carries - ((other >>> 8) & channels);
  const low = (one & channels) + carries - (other & channels);
  return ((high & channels) << 8) | (low & channels);
}

function meanOf(one: number, other: number): number {
  return ((((one ^ other) & 0xfefefefe) >>> 1) + (one & other)) | 0;
}

/** Returns the color nearer to left + above − corner. */
function nearerOf(left: number, over: number, corner: number): number {
  return distance(over, corner) < distance(left, corner) ? left : over;
}

function distance(one: number, other: number): number {
  return (
    Math.abs((one & 255) - (other & 255)) +
    Math.abs(((one >>> 8) & 255) - ((other >>> 8) & 255)) +
    Math.abs(((one >>> 16) & 255) - ((other >>> 16) & 255)) +
    Math.abs((one >>> 24) - (other >>> 24))
  );
}

const signature = 0x2f;
const [prediction, withoutGreen] = [0, 2];
/** The side of the squares with their own predictor, as a power of 2: the maximum. */
const squareBits = 9;

/** The shortest and the longest run of equal differences that is encoded as one. */
const [shortestRun, longestRun] = [4, 4096];
/** Number of levels in each channel. The green code also has symbols for run lengths. */
const [levels, lengthSymbols] = [256, 24];
/** The symbol of the distance to the previous pixel, and the number of distance symbols. */
const [pixelBefore, distanceSymbols] = [1, 40];

/**
 * Encodes pixels as lossless WebP, row by row, with one code for the whole image, as differences from predictions. Of
 * all repetitions, only runs are used.
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

/** Receives the differences of an image in order. */
interface Visitor {
  single(difference: number): void;
  /** A number of differences equal to the previous one. */
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

/** The codes for green and run lengths, red, blue, alpha, and distances, in the order of the file. */
type Codes = readonly [
  green: PrefixCode,
  red: PrefixCode,
  blue: PrefixCode,
  alpha: PrefixCode,
  distance: PrefixCode,
];

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
    // The distance is constant and needs no bits.
    this.#to.write((length - 1) & ((1 << restBits) - 1), restBits);
  }
}

/** Returns the symbol of a length: its two highest bits, and its number of bits. */
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
  to.write(0, 3);
  writeTransform(to, withoutGreen);
  writeTransform(to, prediction);
  to.write(squareBits - 2, 3);
  writePredictor(to, predictor);
  // No more transforms, no cache of colors, one group of codes.
  to.write(0, 3);
}

function writeTransform(to: BitWriter, transform: number): void {
  to.write(1, 1);
  to.write(transform, 2);
}

/** Writes an image whose green is everywhere the number of the predictor. It needs no bits except for its codes. */
function writePredictor(to: BitWriter, predictor: Predictor): void {
  // No cache of colors.
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
