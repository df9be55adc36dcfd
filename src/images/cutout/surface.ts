import type { Dimensions } from '../formats/dimensions.ts';
import type { Pixels } from '../codecs/pixels.ts';

/** Red, green, and blue, each from 0 to 255, not necessarily whole. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Positions of sampled pixels. */
export type Sample = readonly number[];

/** Number of terms of a smoothly changing color: 1, x, y, x², xy, y². Coordinates go from -1 to 1. */
const termCount = 6;

/** The color behind a subject at each pixel of an image. */
export interface Ground {
  at(pixel: number): Rgb;
  /** Writes the red, green, and blue of each pixel of a row, from 0 to 255. */
  readRow(row: number, to: Float32Array): void;
  /** The maximum change of a level from one row to the next. */
  readonly steepness: number;
}

/** A color that changes smoothly over an image. */
export class Surface implements Ground {
  readonly #size: Dimensions;
  readonly #weights: Float64Array;
  readonly #terms = new Float64Array(termCount);

  constructor({ width, height }: Dimensions, color: Rgb) {
    this.#size = { width, height };
    this.#weights = new Float64Array(3 * termCount);
    for (const [channel, level] of color.entries()) {
      this.#weights[channel * termCount] = level;
    }
  }

  at(pixel: number): Rgb {
    this.#lookAt(pixel);
    return [this.#level(0), this.#level(1), this.#level(2)];
  }

  readRow(row: number, to: Float32Array): void {
    const { width, height } = this.#size;
    const y = (2 * row + 1) / height - 1;
    // Evaluates the parabolas by adding up their differences.
    let [red, redDifference, redChange] = this.#parabola(0, y);
    let [green, greenDifference, greenChange] = this.#parabola(1, y);
    let [blue, blueDifference, blueChange] = this.#parabola(2, y);
    for (let index = 0; index < 3 * width; index += 3) {
      to[index] = red < 0 ? 0 : red > 255 ? 255 : red;
      to[index + 1] = green < 0 ? 0 : green > 255 ? 255 : green;
      to[index + 2] = blue < 0 ? 0 : blue > 255 ? 255 : blue;
      red += redDifference;
      green += greenDifference;
      blue += blueDifference;
      redDifference += redChange;
      greenDifference += greenChange;
      blueDifference += blueChange;
    }
  }

  get steepness(): number {
    const slopes = [0, 1, 2].map((channel) => {
      const [, , slope = 0, , twist = 0, curve = 0] = this.#weights.subarray(channel * termCount);
      return Math.abs(slope) + Math.abs(twist) + 2 * Math.abs(curve);
    });
    return (2 / this.#size.height) * Math.max(...slopes);
  }

  /** Returns a channel at the first pixel of a row, its first difference, and its second difference. */
  #parabola(channel: number, y: number): [first: number, difference: number, change: number] {
    const at = channel * termCount;
    const [constant = 0, slopeX = 0, slopeY = 0, curveX = 0, twist = 0, curveY = 0] = this.#weights.subarray(
      at,
      at + termCount,
    );
    const step = 2 / this.#size.width;
    const slope = slopeX + y * twist;
    const first = step / 2 - 1;
    return [
      constant + y * (slopeY + y * curveY) + first * (slope + first * curveX),
      step * (slope + curveX * (2 * first + step)),
      2 * curveX * step * step,
    ];
  }

  /** Returns the pixels of a sample with no channel farther from the surface than `reach`. */
  near({ rgba }: Pixels, sample: Sample, reach: number): Sample {
    return sample.filter((pixel) => {
      this.#lookAt(pixel);
      return [0, 1, 2].every(
        (channel) => Math.abs((rgba[pixel * 4 + channel] ?? 0) - this.#level(channel)) <= reach,
      );
    });
  }

  /** Returns the standard deviation of a sample from the surface, robust against outliers. */
  noise({ rgba }: Pixels, sample: Sample): number {
    const errors = new Float32Array(sample.length * 3);
    for (const [index, pixel] of sample.entries()) {
      this.#lookAt(pixel);
      for (let channel = 0; channel < 3; channel++) {
        errors[index * 3 + channel] = Math.abs((rgba[pixel * 4 + channel] ?? 0) - this.#level(channel));
      }
    }
    // Two thirds of a normal distribution lie within one standard deviation.
    return errors.toSorted()[Math.floor(errors.length * 0.68)] ?? 0;
  }

  /** Fits the surface to a sample by least squares, if the sample is sufficient. */
  fit({ rgba }: Pixels, sample: Sample): void {
    if (sample.length < 8 * termCount) {
      return;
    }
    const terms = this.#terms;
    const squares = new Float64Array(termCount * termCount);
    const sums = new Float64Array(3 * termCount);
    for (const pixel of sample) {
      this.#lookAt(pixel);
      for (let row = 0; row < termCount; row++) {
        const weight = terms[row] ?? 0;
        for (let column = 0; column < termCount; column++) {
          const at = row * termCount + column;
          squares[at] = (squares[at] ?? 0) + weight * (terms[column] ?? 0);
        }
        for (let channel = 0; channel < 3; channel++) {
          const at = channel * termCount + row;
          sums[at] = (sums[at] ?? 0) + weight * (rgba[pixel * 4 + channel] ?? 0);
        }
      }
    }
    // Keeps undetermined terms small, such as a change toward a side that the sample lacks.
    for (let term = 1; term < termCount; term++) {
      const at = term * (termCount + 1);
      squares[at] = (squares[at] ?? 0) + sample.length * 1e-3;
    }
    for (let channel = 0; channel < 3; channel++) {
      const from = channel * termCount;
      this.#weights.set(solve(squares.slice(), sums.slice(from, from + termCount)), from);
    }
  }

  #lookAt(pixel: number): void {
    const { width, height } = this.#size;
    const terms = this.#terms;
    const x = (2 * (pixel % width) + 1) / width - 1;
    const y = (2 * Math.floor(pixel / width) + 1) / height - 1;
    terms[0] = 1;
    terms[1] = x;
    terms[2] = y;
    terms[3] = x * x;
    terms[4] = x * y;
    terms[5] = y * y;
  }

  #level(channel: number): number {
    let level = 0;
    for (let term = 0; term < termCount; term++) {
      level += (this.#weights[channel * termCount + term] ?? 0) * (this.#terms[term] ?? 0);
    }
    return level;
  }
}

/** Maximum error of a level when a row of a ground is reused for its neighbor. */
const unseen = 1 / 32;

/** The rows of a ground in order. Rows with invisible differences share their values. */
export class SurfaceRows {
  readonly levels: Float32Array;
  readonly #surface: Ground;
  readonly #reach: number;
  #known: number | undefined;

  constructor(surface: Ground, width: number) {
    this.levels = new Float32Array(width * 3);
    this.#surface = surface;
    this.#reach = unseen / surface.steepness;
  }

  /** Goes to a row. @returns whether its values are different */
  goTo(row: number): boolean {
    if (this.#known !== undefined && Math.abs(row - this.#known) <= this.#reach) {
      return false;
    }
    this.#known = row;
    this.#surface.readRow(row, this.levels);
    return true;
  }
}

/** Solves a symmetric positive definite system. The right sides become the solution. */
function solve(matrix: Float64Array, sides: Float64Array): Float64Array {
  const at = (row: number, column: number): number => matrix[row * termCount + column] ?? 0;
  for (let pivot = 0; pivot < termCount; pivot++) {
    for (let row = pivot + 1; row < termCount; row++) {
      const factor = at(row, pivot) / at(pivot, pivot);
      for (let column = pivot; column < termCount; column++) {
        matrix[row * termCount + column] = at(row, column) - factor * at(pivot, column);
      }
      sides[row] = (sides[row] ?? 0) - factor * (sides[pivot] ?? 0);
    }
  }
  for (let row = termCount - 1; row >= 0; row--) {
    let rest = sides[row] ?? 0;
    for (let column = row + 1; column < termCount; column++) {
      rest -= at(row, column) * (sides[column] ?? 0);
    }
    sides[row] = rest / at(row, row);
  }
  return sides;
}
