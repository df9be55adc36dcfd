import type { Rgb } from './surface.ts';

/** Directions as seen from the key lie on a square of this side, those beside each other beside each other. */
export const directionSide = 16;
/** The number of directions. */
export const directionCount = directionSide ** 2;

/** Keys with less between their strongest and weakest channel are grey: nothing in their hue tells them from a subject. */
const leastSaturation = 60;
/** From black to white, the channels together change by this many levels. */
const greyUnit = 765;
/** From a grey key, colours this far are the subject's, in the unit of `KeyAxes.distance`. */
const greySolid = 0.1;

/** The distances and directions of a row of colours, and of those of the haze only distances. */
export interface KeyRow {
  distances: Float32Array;
  directions: Uint8Array;
}

/**
 * Looks at colours from the key: in which direction they lie, and how far. On the way from the key to a colour of the
 * subject, the direction stays the same, and the distance grows with alpha.
 *
 * The unit of distance is the colour on the way that has no more of the key's hue than a grey has. So the distance is
 * the alpha of everything grey, such as smoke, shadow and clear glass; for other colours the distance at which they
 * are opaque is to be found in the image. In front of a grey key, the unit is the way from black to white.
 */
export class KeyAxes {
  /** The distance from which colours count as opaque where nothing else is known. */
  readonly solid: number;
  /** Whether the key's hue can't be told from the subject's. */
  readonly isGrey: boolean;
  /** The unit of distance in levels. */
  readonly levels: number;
  /** The channel that alone is strong or weak in the key, and the two others. */
  readonly #lone: number;
  readonly #one: number;
  readonly #other: number;

  constructor(key: Rgb) {
    const [least, most] = [Math.min(...key), Math.max(...key)];
    const isStrong = key.map((level) => level > (least + most) / 2);
    const strongCount = isStrong.filter(Boolean).length;
    this.isGrey = most - least < leastSaturation;
    this.solid = this.isGrey ? greySolid : 0.93;
    this.levels = this.isGrey ? greyUnit : most - least;
    this.#lone = isStrong.indexOf(strongCount === 1);
    this.#one = (this.#lone + 1) % 3;
    this.#other = (this.#lone + 2) % 3;
  }

  /** Returns the distance of the colour at `at` of `rgba`, in front of the ground's colour at `under` of `ground`. */
  distance(rgba: Uint8Array, at: number, ground: Float32Array, under: number): number {
    const loneKey = ground[under + this.#lone] ?? 0;
    const oneKey = ground[under + this.#one] ?? 0;
    const otherKey = ground[under + this.#other] ?? 0;
    const lone = loneKey - (rgba[at + this.#lone] ?? 0);
    const one = (rgba[at + this.#one] ?? 0) - oneKey;
    const other = (rgba[at + this.#other] ?? 0) - otherKey;
    if (this.isGrey) {
      return greyDistance(lone, one, other);
    }
    const byOne = (lone + one) / (loneKey - oneKey);
    const byOther = (lone + other) / (loneKey - otherKey);
    return byOne > byOther ? byOne : byOther;
  }

  /**
   * Writes the distances of the colours of a row that begins at `start` of `rgba`, in front of the ground's, and the
   * directions of those that are farther than the haze.
   *
   * @param scales of this ground, from `writeScales`
   */
  measureRow(
    rgba: Uint8Array,
    start: number,
    ground: Float32Array,
    scales: Float32Array,
    haze: number,
    to: KeyRow,
  ): void {
    const { distances, directions } = to;
    const [loneAt, oneAt, otherAt] = [this.#lone, this.#one, this.#other];
    const { isGrey } = this;
    for (let x = 0, at = start, under = 0; x < distances.length; x++, at += 4, under += 3) {
      const lone = (ground[under + loneAt] ?? 0) - (rgba[at + loneAt] ?? 0);
      const one = (rgba[at + oneAt] ?? 0) - (ground[under + oneAt] ?? 0);
      const other = (rgba[at + otherAt] ?? 0) - (ground[under + otherAt] ?? 0);
      const byOne = (lone + one) * (scales[2 * x] ?? 0);
      const byOther = (lone + other) * (scales[2 * x + 1] ?? 0);
      const distance = isGrey ? greyDistance(lone, one, other) : byOne > byOther ? byOne : byOther;
      distances[x] = distance;
      if (distance > haze) {
        directions[x] = directionOf(lone, one, other);
      }
    }
  }

  /** Writes by what the differences of each colour of a row are multiplied to get distances, two numbers each. */
  writeScales(ground: Float32Array, to: Float32Array): void {
    for (let under = 0, at = 0; at < to.length; under += 3, at += 2) {
      const lone = ground[under + this.#lone] ?? 0;
      to[at] = 1 / (lone - (ground[under + this.#one] ?? 0));
      to[at + 1] = 1 / (lone - (ground[under + this.#other] ?? 0));
    }
  }

  /** Returns the direction of a colour, below `directionCount`. Parameters as for `distance`. */
  direction(rgba: Uint8Array, at: number, ground: Float32Array, under: number): number {
    return directionOf(
      (rgba[at + this.#lone] ?? 0) - (ground[under + this.#lone] ?? 0),
      (rgba[at + this.#one] ?? 0) - (ground[under + this.#one] ?? 0),
      (rgba[at + this.#other] ?? 0) - (ground[under + this.#other] ?? 0),
    );
  }
}

function greyDistance(lone: number, one: number, other: number): number {
  return (Math.abs(lone) + Math.abs(one) + Math.abs(other)) / greyUnit;
}

/** Returns the direction of a colour by how its channels differ from the key's. */
function directionOf(lone: number, one: number, other: number): number {
  const [across, down] = [Math.abs(one), Math.abs(other)];
  const scale = (directionSide - 0.001) / (Math.abs(lone) + across + down + 0.001);
  return ((across * scale) | 0) * directionSide + ((down * scale) | 0);
}
