import type { Rgb } from './surface.ts';

/** Side of the square on which directions from the key lie, with neighboring directions beside each other. */
export const directionSide = 16;
export const directionCount = directionSide ** 2;

/** Minimum saturation, in levels, of a key whose hue distinguishes it from a subject. */
const leastSaturation = 60;
/** The sum of channels from black to white, in levels. */
const grayUnit = 765;
/** Minimum distance of the subject's colors from a gray key, in the unit of `KeyAxes.distance`. */
const graySolid = 0.1;

/** The distances and directions of a row of colors. Haze has only distances. */
export interface KeyRow {
  distances: Float32Array;
  directions: Uint8Array;
}

/**
 * Describes colors by their direction and distance from the key. Between the key and a color of the subject, the
 * direction is constant, and the distance grows with alpha.
 *
 * The unit of distance is the point on this line that has no more of the key's hue than gray does. So the distance
 * equals the alpha of anything gray, such as smoke, shadow, and clear glass; for other colors, the image shows at
 * which distance they are opaque. With a gray key, the unit is the way from black to white.
 */
export class KeyAxes {
  /** The distance at which colors count as opaque by default. */
  readonly solid: number;
  /** Whether the key's hue doesn't distinguish it from the subject. */
  readonly isGray: boolean;
  /** The unit of distance in levels. */
  readonly levels: number;
  /** The channel that is strong or weak in the key alone, and the two others. */
  readonly #lone: number;
  readonly #one: number;
  readonly #other: number;

  constructor(key: Rgb) {
    const [least, most] = [Math.min(...key), Math.max(...key)];
    const isStrong = key.map((level) => level > (least + most) / 2);
    const strongCount = isStrong.filter(Boolean).length;
    this.isGray = most - least < leastSaturation;
    this.solid = this.isGray ? graySolid : 0.93;
    this.levels = this.isGray ? grayUnit : most - least;
    this.#lone = isStrong.indexOf(strongCount === 1);
    this.#one = (this.#lone + 1) % 3;
    this.#other = (this.#lone + 2) % 3;
  }

  /** Returns the distance of the color at `at` of `rgba` from the background's color at `under` of `background`. */
  distance(rgba: Uint8Array, at: number, background: Float32Array, under: number): number {
    const loneKey = background[under + this.#lone] ?? 0;
    const oneKey = background[under + this.#one] ?? 0;
    const otherKey = background[under + this.#other] ?? 0;
    const lone = loneKey - (rgba[at + this.#lone] ?? 0);
    const one = (rgba[at + this.#one] ?? 0) - oneKey;
    const other = (rgba[at + this.#other] ?? 0) - otherKey;
    if (this.isGray) {
      return grayDistance(lone, one, other);
    }
    const byOne = (lone + one) / (loneKey - oneKey);
    const byOther = (lone + other) / (loneKey - otherKey);
    return byOne > byOther ? byOne : byOther;
  }

  /**
   * Writes the distances of a row of colors that begins at `start` of `rgba`, and the directions of those beyond the
   * haze.
   *
   * @param scales of this background, from `writeScales`
   */
  measureRow(
    rgba: Uint8Array,
    start: number,
    background: Float32Array,
    scales: Float32Array,
    haze: number,
    to: KeyRow,
  ): void {
    const { distances, directions } = to;
    const [loneAt, oneAt, otherAt] = [this.#lone, this.#one, this.#other];
    const { isGray } = this;
    for (let x = 0, at = start, under = 0; x < distances.length; x++, at += 4, under += 3) {
      const lone = (background[under + loneAt] ?? 0) - (rgba[at + loneAt] ?? 0);
      const one = (rgba[at + oneAt] ?? 0) - (background[under + oneAt] ?? 0);
      const other = (rgba[at + otherAt] ?? 0) - (background[under + otherAt] ?? 0);
      const byOne = (lone + one) * (scales[2 * x] ?? 0);
      const byOther = (lone + other) * (scales[2 * x + 1] ?? 0);
      const distance = isGray ? grayDistance(lone, one, other) : byOne > byOther ? byOne : byOther;
      distances[x] = distance;
      if (distance > haze) {
        directions[x] = directionOf(lone, one, other);
      }
    }
  }

  /** Writes the factors from color differences to distances for a row, two for each pixel. */
  writeScales(background: Float32Array, to: Float32Array): void {
    for (let under = 0, at = 0; at < to.length; under += 3, at += 2) {
      const lone = background[under + this.#lone] ?? 0;
      to[at] = 1 / (lone - (background[under + this.#one] ?? 0));
      to[at + 1] = 1 / (lone - (background[under + this.#other] ?? 0));
    }
  }

  /** Returns the direction of a color, below `directionCount`. Parameters as for `distance`. */
  direction(rgba: Uint8Array, at: number, background: Float32Array, under: number): number {
    return directionOf(
      (rgba[at + this.#lone] ?? 0) - (background[under + this.#lone] ?? 0),
      (rgba[at + this.#one] ?? 0) - (background[under + this.#one] ?? 0),
      (rgba[at + this.#other] ?? 0) - (background[under + this.#other] ?? 0),
    );
  }
}

function grayDistance(lone: number, one: number, other: number): number {
  return (Math.abs(lone) + Math.abs(one) + Math.abs(other)) / grayUnit;
}

/** Returns the direction of a color from its channels' differences from the key. */
function directionOf(lone: number, one: number, other: number): number {
  const [across, down] = [Math.abs(one), Math.abs(other)];
  const scale = (directionSide - 0.001) / (Math.abs(lone) + across + down + 0.001);
  return ((across * scale) | 0) * directionSide + ((down * scale) | 0);
}

/** Whether two directions are nearly the same. */
export function areAlike(one: number, other: number): boolean {
  const across = Math.floor(one / directionSide) - Math.floor(other / directionSide);
  return Math.abs(across) <= 2 && Math.abs((one % directionSide) - (other % directionSide)) <= 2;
}
