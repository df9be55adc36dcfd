import type { Pixels } from '../pixels.ts';
import type { KeyAxes } from './keyAxes.ts';
import { type Surface, SurfaceRows } from './surface.ts';

/** The longest way on which an edge fades into the ground, in pixels. */
const longestFade = 24;
/** The rows that are kept, a power of 2: as far as edges fade above and below one. */
const kept = 64;

/** The distances of an image's pixels from the key, row by row, with the rows around each. */
export class DistanceRows {
  readonly #pixels: Pixels;
  readonly #axes: KeyAxes;
  readonly #ground: SurfaceRows;
  /** By what each colour of a row is divided to get its distance; see `KeyAxes.writeScales`. */
  readonly #scales: Float32Array;
  /** Each row at its number modulo their count. */
  readonly #distances: Float32Array;
  #next = 0;

  constructor(pixels: Pixels, surface: Surface, axes: KeyAxes) {
    this.#pixels = pixels;
    this.#axes = axes;
    this.#ground = new SurfaceRows(surface, pixels.width);
    this.#scales = new Float32Array(2 * pixels.width);
    this.#distances = new Float32Array(kept * pixels.width);
  }

  /** Measures the rows around one, as far as they are not measured yet, and returns that one. Rows come in order. */
  around(y: number): Float32Array {
    const { width, height, rgba } = this.#pixels;
    for (; this.#next <= Math.min(height - 1, y + longestFade); this.#next++) {
      if (this.#ground.goTo(this.#next)) {
        this.#axes.writeScales(this.#ground.levels, this.#scales);
      }
      const { levels } = this.#ground;
      this.#axes.distances(rgba, this.#next * width * 4, levels, this.#scales, this.#row(this.#next));
    }
    return this.#row(y);
  }

  /**
   * Whether the colours beside a pixel fade into the ground, so that it belongs to an edge and not to a surface: on one
   * side they get nearer to the key until they are a haze of it, without ever getting farther, on the other side farther.
   *
   * @param y of the row that was returned last
   * @param noise by how much distances differ that count as the same
   */
  isFading(x: number, y: number, noise: number): boolean {
    const { width, height } = this.#pixels;
    const [left, right, above, below] = [x, width - 1 - x, y, height - 1 - y];
    // Most pixels are on a surface: nothing beside them is nearer to the key.
    const limit = this.#at(x, y) - noise / 2;
    return (
      (left > 0 && this.#at(x - 1, y) <= limit && this.#isFadingTowards(x, y, -1, 0, left, right, noise)) ||
      (right > 0 && this.#at(x + 1, y) <= limit && this.#isFadingTowards(x, y, 1, 0, right, left, noise)) ||
      (above > 0 && this.#at(x, y - 1) <= limit && this.#isFadingTowards(x, y, 0, -1, above, below, noise)) ||
      (below > 0 && this.#at(x, y + 1) <= limit && this.#isFadingTowards(x, y, 0, 1, below, above, noise))
    );
  }

  /** @param room in this direction, and in the other one, in pixels */
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
        return back > 0 && this.#at(x - back * stepX, y - back * stepY) > own + noise;
      }
    }
    return false;
  }

  #at(x: number, y: number): number {
    return this.#distances[(y & (kept - 1)) * this.#pixels.width + x] ?? 0;
  }

  #row(y: number): Float32Array {
    const start = (y & (kept - 1)) * this.#pixels.width;
    return this.#distances.subarray(start, start + this.#pixels.width);
  }
}
