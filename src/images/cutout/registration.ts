import type { Pixels } from '../codecs/pixels.ts';

/** A shift in pixels, possibly fractional. */
export interface Shift {
  x: number;
  y: number;
}

interface Fit extends Shift {
  likeness: number;
}

/** Minimum shorter side of the smallest images that are compared, in pixels. */
const coarsest = 24;
/** Search radii for a subject that drifted and for one that moved, as shares of the shorter side. */
const near = 0.03;
const far = 0.25;
/** Minimum likeness of outlines to conclude that the subject moved there. */
const alike = 0.6;
/** Number of pixels per comparison. */
const samples = 40_000;
/** Minimum gain of another position, since outlines are often alike at several. */
const leastGain = 0.02;
/** Fractions of a pixel that don't justify the softness of interpolation. */
const leastPart = 0.2;

/**
 * Finds the shift that aligns the second image with the first. Compares outlines and textures, whether lighter or
 * darker than their surroundings, so that the backgrounds may differ. Returns undefined if the subject is elsewhere.
 */
export function findShift(one: Pixels, other: Pixels): Shift | undefined {
  const finest: [Brightness, Brightness] = [new Brightness(one, 4), new Brightness(other, 4)];
  const levels = [finest];
  for (let [first, second] = finest; Math.min(first.width, first.height) >= 2 * coarsest;) {
    [first, second] = [first.halved(), second.halved()];
    levels.push([first, second]);
  }
  const [first, second] = levels.at(-1) ?? finest;
  const side = Math.min(first.width, first.height);
  let fit = bestAround(first, second, { x: 0, y: 0 }, 1);
  if (isElsewhere(bestAround(first, second, { x: 0, y: 0 }, Math.ceil(side * far)), fit)) {
    return undefined;
  }
  for (const [first, second] of levels.slice(0, -1).toReversed()) {
    fit = bestAround(first, second, { x: fit.x * 2, y: fit.y * 2 }, 1);
  }
  const isNear = Math.max(Math.abs(fit.x), Math.abs(fit.y)) <= 1 + near * Math.min(one.width, one.height);
  return isNear ? withParts(...finest, fit) : undefined;
}

/** Whether outlines are so much more alike at another position that the subject must be there. */
function isElsewhere(there: Fit, here: Fit): boolean {
  return (
    there.likeness > alike &&
    (there.likeness > here.likeness + 0.15 || 1 - here.likeness > 2 * (1 - there.likeness))
  );
}

function bestAround(one: Brightness, other: Brightness, around: Shift, reach: number): Fit {
  let best: Fit = { ...around, likeness: likeness(one, other, around) };
  for (let y = around.y - reach; y <= around.y + reach; y++) {
    for (let x = around.x - reach; x <= around.x + reach; x++) {
      const found = likeness(one, other, { x, y });
      if (found > best.likeness + (best.x === around.x && best.y === around.y ? leastGain : 0)) {
        best = { x, y, likeness: found };
      }
    }
  }
  return best;
}

/** Refines a shift to fractions of a pixel, at the top of a parabola through the likeness around it. */
function withParts(one: Brightness, other: Brightness, { x, y, likeness: here }: Fit): Shift {
  const part = (before: number, after: number): number => {
    const curve = before + after - 2 * here;
    const top = curve < 0 ? (before - after) / (2 * curve) : 0;
    return Math.abs(top) < leastPart ? 0 : Math.max(-0.5, Math.min(0.5, top));
  };
  const at = (dx: number, dy: number): number => likeness(one, other, { x: x + dx, y: y + dy });
  return { x: x + part(at(-1, 0), at(1, 0)), y: y + part(at(0, -1), at(0, 1)) };
}

/** Returns the likeness of two images' outlines at a shift by whole pixels: their correlation. */
function likeness(one: Brightness, other: Brightness, shift: Shift): number {
  const { width, height } = one;
  const [left, right] = [Math.max(1, 1 - shift.x), Math.min(width - 1, width - 1 - shift.x)];
  const [top, bottom] = [Math.max(1, 1 - shift.y), Math.min(height - 1, height - 1 - shift.y)];
  const offset = shift.y * width + shift.x;
  const step = Math.max(1, Math.round(Math.sqrt((width * height) / samples)));
  let [sumOne, sumOther, squaresOne, squaresOther, products, count] = [0, 0, 0, 0, 0, 0];
  for (let y = top; y < bottom; y += step) {
    for (let x = left; x < right; x += step) {
      const pixel = y * width + x;
      const steepOne = one.steepness(pixel);
      const steepOther = other.steepness(pixel + offset);
      sumOne += steepOne;
      sumOther += steepOther;
      squaresOne += steepOne * steepOne;
      squaresOther += steepOther * steepOther;
      products += steepOne * steepOther;
      count++;
    }
  }
  const spread = (squaresOne * count - sumOne * sumOne) * (squaresOther * count - sumOther * sumOther);
  return spread > 0 ? (products * count - sumOne * sumOther) / Math.sqrt(spread) : 0;
}

class Brightness {
  readonly width: number;
  readonly height: number;
  readonly #levels: Uint8Array;
  readonly #channels: 1 | 4;

  /** @param image with its pixels in four channels, or their brightness in one */
  constructor({ width, height, rgba }: Pixels, channels: 1 | 4) {
    this.width = width;
    this.height = height;
    this.#levels = rgba;
    this.#channels = channels;
  }

  /** Returns the gradient of brightness at a pixel that isn't at the border. */
  steepness(pixel: number): number {
    return (
      Math.abs(this.#at(pixel + 1) - this.#at(pixel - 1)) +
      Math.abs(this.#at(pixel + this.width) - this.#at(pixel - this.width))
    );
  }

  /** Returns the image at half its size, averaging two pixels of each four. */
  halved(): Brightness {
    const [width, height] = [this.width >> 1, this.height >> 1];
    const rgba = new Uint8Array(width * height);
    for (let y = 0, to = 0; y < height; y++) {
      for (let x = 0, from = 2 * y * this.width; x < width; x++, from += 2) {
        rgba[to++] = (this.#at(from) + this.#at(from + this.width + 1)) >> 1;
      }
    }
    return new Brightness({ width, height, rgba }, 1);
  }

  #at(pixel: number): number {
    const levels = this.#levels;
    if (this.#channels === 1) {
      return levels[pixel] ?? 0;
    }
    const at = pixel * 4;
    return ((levels[at] ?? 0) + 2 * (levels[at + 1] ?? 0) + (levels[at + 2] ?? 0)) >> 2;
  }
}
