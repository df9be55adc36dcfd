import type { Pixels } from '../codecs/pixels.ts';
import type { PaintedBackground } from './paintedBackground.ts';
import type { Shift } from './registration.ts';
import { SurfaceRows } from './surface.ts';

/** Two images of one subject, with their backgrounds and the shift of the second one. */
export interface Pair {
  onWhite: Pixels;
  onBlack: Pixels;
  white: PaintedBackground;
  black: PaintedBackground;
  shift: Shift;
}

/** Returns the maximum distance of a background pixel from its smooth color, in levels. */
export function backgroundReach({ noise }: PaintedBackground): number {
  return 2 + 4 * noise;
}

export class PairReader {
  /** The background's share of the pixel read last: the mean of the channels. */
  through = 0;
  /** The spread of the channels' shares. */
  spread = 0;
  readonly #white: SurfaceRows;
  readonly #black: SurfaceRows;
  /** 1 divided by the difference of the backgrounds, for red, green, and blue of each pixel of the row. */
  readonly #scales: Float32Array;
  /** The row of the second image, shifted: red, green, blue, and one more of each pixel. */
  #other: Float32Array | Uint8Array;
  /** The buffer for that row if it lies between pixels of the image. */
  readonly #shifted: Float32Array;
  readonly #pair: Pair;
  #y = 0;

  constructor(pair: Pair) {
    const { width } = pair.onWhite;
    this.#pair = pair;
    this.#white = new SurfaceRows(pair.white.surface, width);
    this.#black = new SurfaceRows(pair.black.surface, width);
    this.#scales = new Float32Array(width * 3);
    this.#shifted = new Float32Array(width * 4);
    this.#other = this.#shifted;
  }

  /** Red, green, and blue of the light background in the row. */
  get white(): Float32Array {
    return this.#white.levels;
  }

  startRow(y: number): void {
    this.#y = y;
    const [isOtherWhite, isOtherBlack] = [this.#white.goTo(y), this.#black.goTo(y)];
    if (isOtherWhite || isOtherBlack) {
      const [white, black] = [this.#white.levels, this.#black.levels];
      for (let at = 0; at < this.#scales.length; at++) {
        this.#scales[at] = 1 / ((white[at] ?? 0) - (black[at] ?? 0));
      }
    }
    this.#readOther(y);
  }

  /** Reads a pixel of the row, and the one in the second image that is `aside` pixels to the right. */
  read(x: number, aside = 0): void {
    const { rgba, width } = this.#pair.onWhite;
    const at = (this.#y * width + x) * 4;
    const [scales, other] = [this.#scales, this.#other];
    const on = x * 3;
    const from = (aside === 0 ? x : this.#inRow(x + aside)) * 4;
    const red = ((rgba[at] ?? 0) - (other[from] ?? 0)) * (scales[on] ?? 0);
    const green = ((rgba[at + 1] ?? 0) - (other[from + 1] ?? 0)) * (scales[on + 1] ?? 0);
    const blue = ((rgba[at + 2] ?? 0) - (other[from + 2] ?? 0)) * (scales[on + 2] ?? 0);
    this.through = (red + green + blue) / 3;
    const [least, most] = red < green ? [red, green] : [green, red];
    this.spread = (blue > most ? blue : most) - (blue < least ? blue : least);
  }

  /** Whether the first image shows only the light background at a pixel. */
  isWhite(x: number): boolean {
    const { onWhite, white } = this.#pair;
    return isNear(onWhite.rgba, (this.#y * onWhite.width + x) * 4, this.white, x * 3, backgroundReach(white));
  }

  /** Whether the second image shows only the dark background at a pixel. */
  isBlack(x: number, aside = 0): boolean {
    const near = this.#inRow(x + aside);
    return isNear(this.#other, near * 4, this.#black.levels, near * 3, backgroundReach(this.#pair.black));
  }

  #inRow(x: number): number {
    return Math.max(0, Math.min(this.#pair.onWhite.width - 1, x));
  }

  #readOther(y: number): void {
    const { onBlack, shift } = this.#pair;
    const { width, height, rgba } = onBlack;
    const exactY = Math.max(0, Math.min(height - 1, y + shift.y));
    const top = Math.floor(exactY);
    const [across, down] = [shift.x - Math.floor(shift.x), exactY - top];
    const start = top * width * 4;
    if (shift.x === 0 && down === 0) {
      this.#other = rgba.subarray(start, start + width * 4);
    } else {
      this.#mixOther(rgba, start, across, down);
      this.#other = this.#shifted;
    }
  }

  /** Interpolates a row of the second image by a fraction to the right and below. */
  #mixOther(rgba: Uint8Array, start: number, across: number, down: number): void {
    const { width } = this.#pair.onBlack;
    const first = Math.floor(this.#pair.shift.x);
    const under = down === 0 ? 0 : width * 4;
    for (let x = 0, to = 0; x < width; x++, to += 4) {
      const left = Math.max(0, Math.min(width - 1, x + first));
      const aside = across === 0 || x + first < 0 || left === width - 1 ? 0 : 4;
      for (let channel = 0; channel < 3; channel++) {
        const from = start + left * 4 + channel;
        const level = rgba[from] ?? 0;
        const upper = level + ((rgba[from + aside] ?? 0) - level) * across;
        const below = rgba[from + under] ?? 0;
        const lower = below + ((rgba[from + under + aside] ?? 0) - below) * across;
        this.#shifted[to + channel] = upper + (lower - upper) * down;
      }
    }
  }
}

function isNear(
  levels: ArrayLike<number>,
  at: number,
  background: Float32Array,
  on: number,
  reach: number,
): boolean {
  for (let channel = 0; channel < 3; channel++) {
    if (Math.abs((levels[at + channel] ?? 0) - (background[on + channel] ?? 0)) > reach) {
      return false;
    }
  }
  return true;
}
