import { type Pixels, wordsOf } from '../pixels.ts';

/** The predictors that are used, by their numbers in WebP files: the mean of left and above, and what is nearer. */
const [mean, nearer] = [7, 11] as const;
export type Predictor = typeof mean | typeof nearer;

/** What is predicted for the first pixel: opaque black. */
const black = 0xff000000 | 0;
/** One in so many rows is looked at to choose the predictor. */
const sampling = 61;
/** Every second channel, and the bits above them, which take what is carried. */
const [channels, carries] = [0x00ff00ff, 0x01000100];

/** The rows of an image as lossless WebP files have them: without green, as differences from what is predicted. */
export class PredictedRows {
  readonly predictor: Predictor;
  readonly #words: Int32Array;
  readonly #width: number;
  readonly #height: number;

  constructor({ width, height, rgba }: Pixels) {
    const { buffer, byteOffset, length } = wordsOf(rgba);
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

  /** Returns how large the differences are with a predictor, by a sample of the rows. */
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

  /** Reads a row, and takes its green from red and blue. */
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

/** Returns the size of the difference in the lowest byte. */
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

/** Takes the channels of one colour from those of another. */
function minus(one: number, other: number): number {
  const high = ((one >>> 8) & channels) + carries - ((other >>> 8) & channels);
  const low = (one & channels) + carries - (other & channels);
  return ((high & channels) << 8) | (low & channels);
}

/** Returns the mean of each channel, rounded down. */
function meanOf(one: number, other: number): number {
  return ((((one ^ other) & 0xfefefefe) >>> 1) + (one & other)) | 0;
}

/** Returns the colour that is nearer to what both predict together with the one between them. */
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
