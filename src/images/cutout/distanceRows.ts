import type { Pixels } from '../codecs/pixels.ts';
import { areAlike, type KeyAxes, type KeyRow } from './keyAxes.ts';
import { type Ground, SurfaceRows } from './surface.ts';

/** The maximum width over which an edge fades into the background, in pixels. */
const longestFade = 24;
/** The maximum width over which an edge rises to a surface's color, in pixels. */
const longestRise = 12;
/** Maximum distance beside an edge, as a share of what is opaque by default. */
const nearGround = 0.5;
/** Number of rows kept, a power of 2: enough for the longest fade above and below a row. */
const kept = 64;

/** The distances and directions of an image's pixels from the key, row by row, with the rows around each. */
export class DistanceRows {
  readonly #pixels: Pixels;
  readonly #axes: KeyAxes;
  readonly #background: SurfaceRows;
  /** Factors from color differences to distances in a row; see `KeyAxes.writeScales`. */
  readonly #scales: Float32Array;
  readonly #haze: number;
  /** Each row at its number modulo their count. */
  readonly #distances: Float32Array;
  readonly #directions: Uint8Array;
  #next = 0;

  /** @param haze the distance up to which directions do not count */
  constructor(pixels: Pixels, surface: Ground, axes: KeyAxes, haze: number) {
    this.#pixels = pixels;
    this.#axes = axes;
    this.#background = new SurfaceRows(surface, pixels.width);
    this.#scales = new Float32Array(2 * pixels.width);
    this.#haze = haze;
    this.#distances = new Float32Array(kept * pixels.width);
    this.#directions = new Uint8Array(kept * pixels.width);
  }

  /** Returns a row after measuring the rows around it. Rows must come in order. */
  around(y: number): KeyRow {
    const { width, height, rgba } = this.#pixels;
    for (; this.#next <= Math.min(height - 1, y + longestFade); this.#next++) {
      if (this.#background.goTo(this.#next)) {
        this.#axes.writeScales(this.#background.levels, this.#scales);
      }
      const { levels } = this.#background;
      const start = this.#next * width * 4;
      this.#axes.measureRow(rgba, start, levels, this.#scales, this.#haze, this.#row(this.#next));
    }
    return this.#row(y);
  }

  /**
   * Whether the colors beside a pixel fade into the background, so that it belongs to an edge and not to a surface: on
   * one side they only get nearer to the key, down to a haze of it, and on the other side farther.
   *
   * @param y of the row returned last
   * @param noise the tolerance of equal distances
   */
  isFading(x: number, y: number, noise: number): boolean {
    const { width, height } = this.#pixels;
    const [left, right, above, below] = [x, width - 1 - x, y, height - 1 - y];
    const distances = this.#distances;
    const at = (y & (kept - 1)) * width + x;
    // Most pixels are on a surface: no neighbor is nearer to the key.
    const limit = (distances[at] ?? 0) - noise / 2;
    return (
      ((distances[at - 1] ?? 0) <= limit && this.#isFadingTowards(x, y, -1, 0, left, right, noise)) ||
      ((distances[at + 1] ?? 0) <= limit && this.#isFadingTowards(x, y, 1, 0, right, left, noise)) ||
      (this.#at(x, y - 1) <= limit && this.#isFadingTowards(x, y, 0, -1, above, below, noise)) ||
      (this.#at(x, y + 1) <= limit && this.#isFadingTowards(x, y, 0, 1, below, above, noise))
    );
  }

  /**
   * Returns the distance up to which the colors beside a pixel rise away from the background, all in about the same
   * direction; undefined on a surface, and where the rise ends in another color.
   *
   * @param y of the row returned last
   * @param noise the tolerance of equal distances
   */
  riseFrom(x: number, y: number, noise: number): number | undefined {
    const { width, height } = this.#pixels;
    const across = this.#at(Math.min(x + 1, width - 1), y) - this.#at(Math.max(x - 1, 0), y);
    const down = this.#at(x, Math.min(y + 1, height - 1)) - this.#at(x, Math.max(y - 1, 0));
    const [stepX, stepY] = [octant(across, down), octant(down, across)];
    let [atX, atY, top] = [x, y, this.#at(x, y)];
    if (Math.abs(across) + Math.abs(down) < 3 * noise) {
      return undefined;
    }
    if (!this.#fallsFrom(x, y, -stepX, -stepY)) {
      return undefined;
    }
    const direction = this.#directionAt(x, y);
    for (let count = 0; count < longestRise; count++) {
      const next = this.#isInside(atX + stepX, atY + stepY) ? this.#at(atX + stepX, atY + stepY) : 0;
      if (next <= top + noise / 2) {
        const isSurface = next >= top - 2 * noise;
        return isSurface && areAlike(direction, this.#directionAt(atX, atY)) ? top : undefined;
      }
      [atX, atY, top] = [atX + stepX, atY + stepY, next];
    }
    return undefined;
  }

  /** Whether the distances only fall from a pixel to the background in a direction. */
  #fallsFrom(x: number, y: number, stepX: number, stepY: number): boolean {
    let own = this.#at(x, y);
    for (let count = 1; own > nearGround * this.#axes.solid; count++) {
      const [atX, atY] = [x + count * stepX, y + count * stepY];
      const next = this.#isInside(atX, atY) ? this.#at(atX, atY) : own;
      if (next >= own || count > longestRise) {
        return false;
      }
      own = next;
    }
    return true;
  }

  #isInside(x: number, y: number): boolean {
    return x >= 0 && x < this.#pixels.width && y >= 0 && y < this.#pixels.height;
  }

  #directionAt(x: number, y: number): number {
    return this.#directions[(y & (kept - 1)) * this.#pixels.width + x] ?? 0;
  }

  #isFadingTowards(
    x: number,
    y: number,
    stepX: number,
    stepY: number,
    room: number,
    roomBehind: number,
    noise: number,
  ): boolean {
    const own = this.#at(x, y);
    const most = Math.min(longestFade, room);
    let nearest = own;
    for (let count = 1; count <= most; count++) {
      const distance = this.#at(x + count * stepX, y + count * stepY);
      nearest = Math.min(nearest, distance);
      if (distance > nearest + noise || nearest > own - (count * noise) / 2) {
        return false;
      }
      if (nearest < 0.7 * this.#axes.solid) {
        const back = Math.min(Math.ceil(count / 2), roomBehind);
        return this.#at(x - back * stepX, y - back * stepY) > own + noise;
      }
    }
    return false;
  }

  #at(x: number, y: number): number {
    return this.#distances[(y & (kept - 1)) * this.#pixels.width + x] ?? 0;
  }

  #row(y: number): KeyRow {
    const start = (y & (kept - 1)) * this.#pixels.width;
    const end = start + this.#pixels.width;
    return {
      distances: this.#distances.subarray(start, end),
      directions: this.#directions.subarray(start, end),
    };
  }
}

/** Returns the step in one direction, of eight, in which something rises. */
function octant(rise: number, aside: number): number {
  return Math.abs(rise) > 0.41 * Math.abs(aside) ? Math.sign(rise) : 0;
}
