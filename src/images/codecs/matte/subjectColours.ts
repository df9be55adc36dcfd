import type { Dimensions } from '../../formats/dimensions.ts';
import { directionCount, directionSide, type KeyAxes } from './keyAxes.ts';

/** The image is divided into this many parts in each direction, each of which has colours of its own. */
const side = 12;
/** Steps of distance in the statistics, over distances up to 2. */
const steps = 64;
const stepsPerUnit = steps / 2;
/** Pixels that a direction needs for anything to be concluded from it. */
const enough = 8;
/** The share of pixels that are passed over as stray before the farthest ones count. */
const strayShare = 0.04;
/** Distances up to the first are an edge's or noise. From there, colours up to the second are a haze of the key. */
const [nearestHaze, nearestSolid] = [0.1, 0.55];
/** Where a direction has colours beyond this, those that are nearer are seen through something. */
const beyondSolid = 1.2;
/** The greatest share of hazy pixels among those of a colour that is near the key, and yet opaque. */
const hazyShare = 0.15;

/** The directions around each. */
const beside = Array.from({ length: directionCount }, (_, direction) => directionsBeside(direction));

/**
 * The colours of a subject, as distances from the key at which it is opaque: gathered from the image itself, for each
 * direction and each part of it.
 */
export class SubjectColours {
  readonly #axes: KeyAxes;
  readonly #scaleX: number;
  readonly #scaleY: number;
  /** Rows for which the same distances are good enough. */
  readonly #rowStep: number;
  /** For each column of pixels, where the part to its left begins in a row, and the share of the one to its right. */
  readonly #starts: Uint16Array;
  readonly #shares: Float32Array;
  /** Pixels by part, direction and step of distance. */
  readonly #counts = new Uint16Array(side * side * directionCount * steps);
  /** The same by part and direction. */
  readonly #totals = new Uint16Array(side * side * directionCount);
  /** The opaque distance by part and direction. */
  readonly #opaque = new Float32Array(side * side * directionCount);
  /** The same between the parts above and below a row, by column of parts and direction. */
  readonly #opaqueInRow = new Float32Array(side * directionCount);
  /** The distance from which a direction's colours are opaque, if they do not fade. */
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

  /** Adds a pixel that isn't the ground's. There is room for 65,535 in each part. */
  add(x: number, y: number, direction: number, distance: number): void {
    const part = Math.floor(y * this.#scaleY) * side + Math.floor(x * this.#scaleX);
    const step = Math.min(steps - 1, Math.floor(distance * stepsPerUnit));
    const at = (part * directionCount + direction) * steps + step;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#totals[part * directionCount + direction] =
      (this.#totals[part * directionCount + direction] ?? 0) + 1;
  }

  /** Draws the conclusions, after which the distances can be read. */
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

  /** Returns the distance from which the colours of a direction are opaque unless they fade. */
  solid(direction: number): number {
    return this.#solid[direction] ?? 1;
  }

  /** Begins a row, of which `opaque` is asked. */
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

  /** Returns the distance at which a colour near a pixel of the row is opaque, mixed from the four nearest parts. */
  opaque(x: number, direction: number): number {
    const at = (this.#starts[x] ?? 0) + direction;
    const left = this.#opaqueInRow[at] ?? 1;
    return left + ((this.#opaqueInRow[at + directionCount] ?? 1) - left) * (this.#shares[x] ?? 0);
  }

  /** Whether a direction's colours are the subject's although they look like the key seen through something grey. */
  #isNearKey(direction: number): boolean {
    if (this.#axes.isGrey) {
      return false;
    }
    let [hazy, solid, far] = [0, 0, 0];
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

  /** Returns the distance of the farthest colours of a direction in a part and those around it; 0 if there are none. */
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
    return this.#axes.isGrey ? this.#axes.solid : 1;
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

  /** Gives directions of which a part shows nothing what the directions beside them have. */
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
