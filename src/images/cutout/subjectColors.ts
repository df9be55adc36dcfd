import type { Pixels } from '../codecs/pixels.ts';
import type { Rgb } from './surface.ts';
import type { Dimensions } from '../formats/dimensions.ts';
import { directionCount, directionSide, type KeyAxes } from './keyAxes.ts';

/** One of the main colors of an image, with its share of the pixels from 0 to 1. */
export interface MainColor {
  color: Rgb;
  share: number;
}

const samples = 100_000;
const mostColors = 12;

/** Returns up to twelve main colors of pixels that aren't transparent, the most frequent first. */
export function mainColors({ width, height, rgba }: Pixels): MainColor[] {
  /** The number of pixels, and the sums of red, green, and blue, in each cell of a color grid. */
  const cells = new Map<number, [count: number, red: number, green: number, blue: number]>();
  const step = Math.max(1, Math.floor((width * height) / samples));
  let total = 0;
  for (let pixel = 0; pixel < width * height; pixel += step) {
    const at = pixel * 4;
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(at, at + 4);
    if (alpha < 128) {
      continue;
    }
    const cell = ((red >> 5) << 6) | ((green >> 5) << 3) | (blue >> 5);
    const sums = cells.get(cell) ?? [0, 0, 0, 0];
    cells.set(cell, [sums[0] + 1, sums[1] + red, sums[2] + green, sums[3] + blue]);
    total++;
  }
  return [...cells.values()]
    .toSorted(([one], [other]) => other - one)
    .slice(0, mostColors)
    .map(([count, red, green, blue]) => ({
      color: [red / count, green / count, blue / count],
      share: count / total,
    }));
}

/** Number of parts in each direction into which the image is divided. Each part has its own colors. */
const side = 12;
/** Steps of distance in the statistics, over distances up to 2. */
const steps = 64;
const stepsPerUnit = steps / 2;
/** Minimum number of pixels for any conclusion about a direction. */
const enough = 8;
/** The share of the farthest pixels to ignore as stray. */
const strayShare = 0.04;
/** Distances below the first belong to an edge or noise, those up to the second to a haze of the key. */
const [nearestHaze, nearestSolid] = [0.1, 0.55];
/** If a direction has colors beyond this, nearer ones are seen through something. */
const beyondSolid = 1.2;
/** Maximum share of hazy pixels for a color that is near the key and yet opaque. */
const hazyShare = 0.15;

const beside = Array.from({ length: directionCount }, (_, direction) => directionsBeside(direction));

/**
 * The colors of a subject, as distances from the key at which they are opaque, learned from the image for each
 * direction and each of its parts.
 */
export class SubjectColors {
  readonly #axes: KeyAxes;
  readonly #scaleX: number;
  readonly #scaleY: number;
  /** Number of rows that share the same distances. */
  readonly #rowStep: number;
  /** For each column of pixels, the index of the part to its left in a row, and the weight of the one to its right. */
  readonly #starts: Uint16Array;
  readonly #shares: Float32Array;
  /** Pixels by part, direction, and step of distance. */
  readonly #counts = new Uint16Array(side * side * directionCount * steps);
  /** Pixels by direction that have the distances of solid colors near the key, and are at an edge. */
  readonly #edges = new Uint32Array(directionCount);
  /** Pixels by part and direction. */
  readonly #totals = new Uint16Array(side * side * directionCount);
  readonly #opaque = new Float32Array(side * side * directionCount);
  /** The opaque distance interpolated at a row, by column of parts and direction. */
  readonly #opaqueInRow = new Float32Array(side * directionCount);
  /** The distance from which a direction's colors are opaque unless they fade. */
  readonly #solid = new Float32Array(directionCount);

  constructor(axes: KeyAxes, { width, height }: Dimensions) {
    this.#axes = axes;
    this.#scaleX = side / width;
    this.#scaleY = side / height;
    this.#rowStep = Math.ceil(height / side / 64);
    this.#starts = new Uint16Array(width);
    this.#shares = new Float32Array(width);
    for (let x = 0; x < width; x++) {
      const across = Math.max(0, Math.min(side - 1.001, x * this.#scaleX - 0.5));
      this.#starts[x] = Math.floor(across) * directionCount;
      this.#shares[x] = across % 1;
    }
  }

  /** Whether a distance may be that of a solid color near the key, if it isn't at an edge. */
  isAmbiguous(distance: number): boolean {
    return distance >= nearestSolid && distance < this.#axes.solid;
  }

  add(x: number, y: number, direction: number, distance: number, isEdge: boolean): void {
    this.#edges[direction] = (this.#edges[direction] ?? 0) + Number(isEdge);
    const part = Math.floor(y * this.#scaleY) * side + Math.floor(x * this.#scaleX);
    const step = Math.min(steps - 1, Math.floor(distance * stepsPerUnit));
    const at = (part * directionCount + direction) * steps + step;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#totals[part * directionCount + direction] =
      (this.#totals[part * directionCount + direction] ?? 0) + 1;
  }

  /** Computes the distances, which can be read afterwards. */
  conclude(): void {
    for (let direction = 0; direction < directionCount; direction++) {
      this.#solid[direction] = this.#isNearKey(direction) ? nearestSolid : this.#axes.solid;
    }
    const sums = new Uint32Array(steps);
    for (let part = 0; part < side * side; part++) {
      for (let direction = 0; direction < directionCount; direction++) {
        this.#opaque[part * directionCount + direction] = this.#farthest(part, direction, sums);
      }
      this.#fillUnknown(part);
    }
  }

  solid(direction: number): number {
    return this.#solid[direction] ?? 1;
  }

  startRow(y: number): void {
    if (y % this.#rowStep !== 0) {
      return;
    }
    const down = Math.max(0, Math.min(side - 1.001, y * this.#scaleY - 0.5));
    const top = Math.floor(down);
    const share = down - top;
    const row = this.#opaqueInRow;
    for (let to = 0, at = top * row.length; to < row.length; to++, at++) {
      const upper = this.#opaque[at] ?? 1;
      row[to] = upper + ((this.#opaque[at + row.length] ?? 1) - upper) * share;
    }
  }

  /** Returns the distance at which a color near a pixel is opaque, interpolated between four parts. */
  opaque(x: number, direction: number): number {
    const at = (this.#starts[x] ?? 0) + direction;
    const left = this.#opaqueInRow[at] ?? 1;
    return left + ((this.#opaqueInRow[at + directionCount] ?? 1) - left) * (this.#shares[x] ?? 0);
  }

  /** Whether a direction's colors are the subject's although they look like the key seen through something gray. */
  #isNearKey(direction: number): boolean {
    if (this.#axes.isGray) {
      return false;
    }
    let [hazy, solid, far] = [0, -(this.#edges[direction] ?? 0), 0];
    for (let part = 0; part < side * side; part++) {
      const index = part * directionCount + direction;
      if (this.#totals[index] === 0) {
        continue;
      }
      const at = index * steps;
      for (let step = Math.floor(nearestHaze * stepsPerUnit); step < steps; step++) {
        const count = this.#counts[at + step] ?? 0;
        if (step < nearestSolid * stepsPerUnit) {
          hazy += count;
        } else if (step < this.#axes.solid * stepsPerUnit) {
          solid += count;
        } else if (step > beyondSolid * stepsPerUnit) {
          far += count;
        }
      }
    }
    return solid >= enough && hazy + far < hazyShare * solid;
  }

  /** Returns the farthest distance of a direction in a part and its neighbors; 0 if there is none. */
  #farthest(part: number, direction: number, sums: Uint32Array): number {
    const total = this.#sumAround(part, direction, sums);
    if (total < enough) {
      return 0;
    }
    let [beyond, weighted] = [0, 0];
    for (let step = steps - 1; step >= 0; step--) {
      const count = sums[step] ?? 0;
      beyond += count;
      weighted += count * (step + 0.5);
      if (beyond > strayShare * total && beyond >= 2) {
        const distance = weighted / beyond / stepsPerUnit;
        const isKnown = distance > this.#axes.solid || (this.#solid[direction] ?? 1) < this.#axes.solid;
        return isKnown ? distance : this.#neutral;
      }
    }
    return 0;
  }

  get #neutral(): number {
    return this.#axes.isGray ? this.#axes.solid : 1;
  }

  #sumAround(part: number, direction: number, sums: Uint32Array): number {
    sums.fill(0);
    let sum = 0;
    const [column, row] = [part % side, Math.floor(part / side)];
    for (let y = Math.max(0, row - 1); y <= Math.min(side - 1, row + 1); y++) {
      for (let x = Math.max(0, column - 1); x <= Math.min(side - 1, column + 1); x++) {
        const index = (y * side + x) * directionCount + direction;
        const total = this.#totals[index] ?? 0;
        if (total === 0) {
          continue;
        }
        sum += total;
        for (let step = 0; step < steps; step++) {
          sums[step] = (sums[step] ?? 0) + (this.#counts[index * steps + step] ?? 0);
        }
      }
    }
    return sum;
  }

  /** Gives directions without pixels in a part the values of neighboring directions. */
  #fillUnknown(part: number): void {
    const known = this.#opaque.slice(part * directionCount, (part + 1) * directionCount);
    for (const [direction, distance] of known.entries()) {
      if (distance === 0) {
        const found = (beside[direction] ?? [])
          .map((other) => known[other] ?? 0)
          .filter((other) => other > 0);
        const sum = found.reduce((total, other) => total + other, 0);
        this.#opaque[part * directionCount + direction] =
          found.length > 0 ? sum / found.length : this.#neutral;
      }
    }
  }
}

function directionsBeside(direction: number): number[] {
  const [row, column] = [Math.floor(direction / directionSide), direction % directionSide];
  return [-1, 0, 1].flatMap((down) =>
    [-1, 0, 1]
      .map((across) => [row + down, column + across] as const)
      .filter((place) => place.every((index) => index >= 0 && index < directionSide))
      .map(([y, x]) => y * directionSide + x),
  );
}
