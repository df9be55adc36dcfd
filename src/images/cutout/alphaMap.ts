import { type Pixels, asPixelWords } from '../codecs/pixels.ts';

/** Maximum alpha of a clear pixel, and minimum of an opaque one. */
export const [clear, opaque] = [12, 243];

/** The longer side of the map, in cells. */
const longestSide = 256;
/** Maximum of the strongest channel, and of alpha, in a shadow. */
const [shadowLevel, shadowAlpha] = [40, 192];
/** Minimum number of half-transparent pixels, of 255, in a half-transparent cell. */
const mostlyHalf = 150;
/** Minimum opaque share of a subject that isn't see-through as a whole. */
const leastSolid = 0.08;
/** Width of the frame around a hole that shows its surroundings, in cells. */
const frame = 3;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function isShadow(rgba: Uint8Array, at: number): boolean {
  const level = Math.max(rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0);
  return level <= shadowLevel && (rgba[at + 3] ?? 0) <= shadowAlpha;
}

/** The alpha of an image in a map of few cells, and its measures of the subject's shape. */
export class AlphaMap {
  readonly #pixels: Pixels;
  readonly #words: Uint32Array;
  /** The side of a cell, in pixels. */
  readonly #cell: number;
  readonly #width: number;
  readonly #height: number;
  /** The mean alpha of each cell, and its number of half-transparent pixels, of 255. */
  readonly #mean: Uint8Array;
  readonly #half: Uint8Array;
  /** Number of pixels: clear, not clear, opaque, and pits in something opaque. */
  #clear = 0;
  #filled = 0;
  #solid = 0;
  #pits = 0;

  constructor(pixels: Pixels) {
    const { width, height } = pixels;
    this.#pixels = pixels;
    this.#words = asPixelWords(pixels.rgba);
    this.#cell = Math.ceil(Math.max(width, height) / longestSide);
    this.#width = Math.ceil(width / this.#cell);
    this.#height = Math.ceil(height / this.#cell);
    this.#mean = new Uint8Array(this.#width * this.#height);
    this.#half = new Uint8Array(this.#width * this.#height);
    for (let row = 0; row < this.#height; row++) {
      for (let column = 0; column < this.#width; column++) {
        this.#fill(column, row);
      }
    }
  }

  /** The share of the image that is clear, from 0 to 1. */
  get clear(): number {
    return this.#clear / (this.#clear + this.#filled);
  }

  get subject(): number {
    return 1 - this.clear;
  }

  /** The share of the subject in small pits in something opaque. */
  get pits(): number {
    return this.#filled === 0 ? 0 : this.#pits / this.#filled;
  }

  /** The half-transparent share of the subject's interior, without shadows. */
  get half(): number {
    // Where everything is thin, there is no interior.
    return this.#solid < leastSolid * this.#filled ? 1 : this.#halfInside();
  }

  get pieces(): number {
    return this.#regions((mean) => mean > clear).length;
  }

  /** The share of the subject in the smallest box around it. */
  get fullness(): number {
    const boxes = this.#regions((mean) => mean > clear);
    const left = Math.min(...boxes.map((box) => box.left));
    const right = Math.max(...boxes.map((box) => box.right));
    const top = Math.min(...boxes.map((box) => box.top));
    const bottom = Math.max(...boxes.map((box) => box.bottom));
    return this.#filled / this.#cell ** 2 / ((right - left + 1) * (bottom - top + 1));
  }

  /** Counts the clear regions enclosed by the subject, and those of them in something solid. */
  countHoles(): { holes: number; inSolid: number } {
    const holes = this.#regions((mean) => mean < clear).filter((box) => !this.#isAtBorder(box));
    return { holes: holes.length, inSolid: holes.filter((box) => this.#isInSolid(box)).length };
  }

  #fill(column: number, row: number): void {
    const { width, height } = this.#pixels;
    const words = this.#words;
    const [left, top] = [column * this.#cell, row * this.#cell];
    const [right, bottom] = [Math.min(width, left + this.#cell), Math.min(height, top + this.#cell)];
    let [sum, half, cleared, solid] = [0, 0, 0, 0];
    for (let y = top; y < bottom; y++) {
      const end = y * width + right;
      for (let pixel = y * width + left; pixel < end; pixel++) {
        const alpha = (words[pixel] ?? 0) >>> 24;
        sum += alpha;
        if (alpha >= opaque) {
          solid++;
          continue;
        }
        if (alpha <= clear) {
          cleared++;
        } else if (!isShadow(this.#pixels.rgba, pixel * 4)) {
          half++;
        }
        if (this.#isPit(pixel - y * width, y)) {
          this.#pits++;
        }
      }
    }
    const area = (right - left) * (bottom - top);
    this.#clear += cleared;
    this.#filled += area - cleared;
    this.#solid += solid;
    this.#mean[row * this.#width + column] = sum / area;
    this.#half[row * this.#width + column] = (255 * half) / area;
  }

  /** Whether a pixel that isn't opaque has opaque ones two pixels away on all sides. */
  #isPit(x: number, y: number): boolean {
    const { width, rgba } = this.#pixels;
    const at = (y * width + x) * 4 + 3;
    return (
      x > 1 &&
      x < width - 2 &&
      (rgba[at - 8] ?? 0) >= opaque &&
      (rgba[at + 8] ?? 0) >= opaque &&
      (rgba[at - width * 8] ?? 0) >= opaque &&
      (rgba[at + width * 8] ?? 0) >= opaque
    );
  }

  /** Measures the cells whose neighbors all belong to the subject. */
  #halfInside(): number {
    let [half, inside] = [0, 0];
    for (let row = 0; row < this.#height; row++) {
      for (let column = 0; column < this.#width; column++) {
        if (this.#isAllAround(column, row, this.#mean, clear + 1)) {
          inside++;
          half += Number(this.#isAllAround(column, row, this.#half, mostlyHalf));
        }
      }
    }
    return inside === 0 ? 0 : half / inside;
  }

  #isAllAround(column: number, row: number, values: Uint8Array, least: number): boolean {
    for (let y = Math.max(0, row - 1); y <= Math.min(this.#height - 1, row + 1); y++) {
      for (let x = Math.max(0, column - 1); x <= Math.min(this.#width - 1, column + 1); x++) {
        if ((values[y * this.#width + x] ?? 0) < least) {
          return false;
        }
      }
    }
    return true;
  }

  #regions(belongs: (mean: number) => boolean): Box[] {
    const seen = new Uint8Array(this.#mean.length);
    const boxes: Box[] = [];
    for (let start = 0; start < seen.length; start++) {
      if (seen[start] === 0 && belongs(this.#mean[start] ?? 0)) {
        boxes.push(this.#regionFrom(start, belongs, seen));
      }
    }
    return boxes;
  }

  #regionFrom(start: number, belongs: (mean: number) => boolean, seen: Uint8Array): Box {
    seen[start] = 1;
    const region = [start];
    const box = { left: this.#width, top: this.#height, right: 0, bottom: 0 };
    for (const at of region) {
      const [x, y] = [at % this.#width, Math.floor(at / this.#width)];
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
      for (const [near, isInside] of [
        [at - 1, x > 0],
        [at + 1, x < this.#width - 1],
        [at - this.#width, y > 0],
        [at + this.#width, y < this.#height - 1],
      ] as const) {
        if (isInside && seen[near] === 0 && belongs(this.#mean[near] ?? 0)) {
          seen[near] = 1;
          region.push(near);
        }
      }
    }
    return box;
  }

  #isAtBorder({ left, top, right, bottom }: Box): boolean {
    return left === 0 || top === 0 || right === this.#width - 1 || bottom === this.#height - 1;
  }

  /** Whether a box has almost only opaque cells around it. */
  #isInSolid({ left, top, right, bottom }: Box): boolean {
    let [solid, count] = [0, 0];
    for (let y = Math.max(0, top - frame); y <= Math.min(this.#height - 1, bottom + frame); y++) {
      for (let x = Math.max(0, left - frame); x <= Math.min(this.#width - 1, right + frame); x++) {
        if (x < left || x > right || y < top || y > bottom) {
          solid += Number((this.#mean[y * this.#width + x] ?? 0) >= opaque);
          count++;
        }
      }
    }
    return solid > 0.7 * count;
  }
}
