import type { Pixels } from '../codecs/pixels.ts';
import { type PaintedBackground, measureBackground } from './paintedBackground.ts';
import { backgroundReach, type Pair, PairReader } from './pairReader.ts';
import { findShift, type Shift } from './registration.ts';

/**
 * The reasons for finding no alpha: the images differ in size, one of them has no flat background at its border, the
 * first background isn't much lighter than the second, or the subject isn't the same or has moved.
 */
export type TwoBackgroundsFailure = 'size' | 'no_ground' | 'same_ground' | 'subject';

export type TwoBackgroundsOutcome =
  | {
      removed: true;
      /** The corrected shift of the second image, in pixels. */
      shift: Shift;
      /** The share of the subject on which the images disagree, from 0 to 1. */
      disagreement: number;
    }
  | { removed: false; why: TwoBackgroundsFailure };

/** Minimum difference between the backgrounds, in levels. */
const leastDifference = 96;
/** Minimum level of a channel of the light background: models don't paint the dark one quite black. */
const leastWhite = leastDifference + 64;
/** Above this share, the images don't show the same subject at the same position. */
const mostDisagreement = 0.12;
/** Maximum spread of the channels' shares of the background where two images agree. */
const mostSpread = 0.15;
/** Number of pixels to sample for comparing the images. */
const samples = 200_000;

/** Whether a background is so light that an image on black will differ enough from it. */
export function isWhiteEnough({ color }: PaintedBackground): boolean {
  return color.every((level) => level >= leastWhite);
}

/**
 * Finds the alpha and the colors of a subject from two images of it, one on a light background and one on a dark one:
 * where they differ, the background shows through. Corrects small shifts, a different brightness of the subject, and
 * noise. Writes the result to the first image.
 */
export function alphaOfTwoBackgrounds(onWhite: Pixels, onBlack: Pixels): TwoBackgroundsOutcome {
  if (onWhite.width !== onBlack.width || onWhite.height !== onBlack.height) {
    return { removed: false, why: 'size' };
  }
  const [white, black] = [measureBackground(onWhite), measureBackground(onBlack)];
  if (!white || !black) {
    return { removed: false, why: 'no_ground' };
  }
  if (white.color.some((level, channel) => level - (black.color[channel] ?? 0) < leastDifference)) {
    return { removed: false, why: 'same_ground' };
  }
  const shift = findShift(onWhite, onBlack);
  if (!shift) {
    return { removed: false, why: 'subject' };
  }
  const pair = { onWhite, onBlack, white, black, shift };
  const { disagreement, solid } = compare(pair);
  if (disagreement > mostDisagreement) {
    return { removed: false, why: 'subject' };
  }
  writeAlpha(pair, solid);
  return { removed: true, shift, disagreement };
}

/** How a pixel of one image relates to the other: a subject that moved is seen twice, once on each background. */
type Agreement = 'agrees' | 'disagrees' | 'only_on_white' | 'only_on_black';

interface Comparison {
  disagreement: number;
  /** The apparent transparency of solid parts: not 0 if the subject is darker in one of the images. */
  solid: number;
}

function compare(pair: Pair): Comparison {
  const { width, height } = pair.onWhite;
  const { x: shiftX, y: shiftY } = pair.shift;
  const reader = new PairReader(pair);
  const beside = [-1, 1].map((more) => new PairReader({ ...pair, shift: { x: shiftX, y: shiftY + more } }));
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / samples)));
  const shares = new Shares();
  const counts = { agrees: 0, disagrees: 0, only_on_white: 0, only_on_black: 0 };
  for (let y = 0; y < height; y += step) {
    for (const row of [reader, ...beside]) {
      row.startRow(y);
    }
    for (let x = 0; x < width; x += step) {
      if (!reader.isWhite(x) || !reader.isBlack(x)) {
        reader.read(x);
        shares.add(reader.through);
        counts[agreementAround(reader, beside, x)]++;
      }
    }
  }
  const { agrees, disagrees, only_on_white: onWhite, only_on_black: onBlack } = counts;
  const subject = Math.max(1, agrees + disagrees + onWhite + onBlack);
  return { disagreement: (disagrees + 2 * Math.min(onWhite, onBlack)) / subject, solid: shares.solid() };
}

/** Returns how a pixel relates to the other image. Edges one pixel apart agree. */
function agreementAround(reader: PairReader, beside: readonly PairReader[], x: number): Agreement {
  const here = agreementOf(reader, x, 0);
  return here !== 'agrees' &&
    [reader, ...beside].some((row) => [-1, 0, 1].some((aside) => agreementOf(row, x, aside) === 'agrees'))
    ? 'agrees'
    : here;
}

function agreementOf(reader: PairReader, x: number, aside: number): Agreement {
  reader.read(x, aside);
  const { through, spread } = reader;
  if (spread > mostSpread || through < -mostSpread || through > 1 + mostSpread) {
    return 'disagrees';
  }
  if (through > mostSpread && through < 1 - mostSpread) {
    if (reader.isBlack(x, aside)) {
      return 'only_on_white';
    }
    if (reader.isWhite(x)) {
      return 'only_on_black';
    }
  }
  return 'agrees';
}

/** Collects shares of the background near 0, to find that of solid parts. */
class Shares {
  readonly #counts = new Uint32Array(25);
  #total = 0;

  add(share: number): void {
    this.#total++;
    const step = Math.round(share * 100) + 12;
    if (step >= 0 && step < this.#counts.length) {
      this.#counts[step] = (this.#counts[step] ?? 0) + 1;
    }
  }

  /** Returns the most frequent share, if it is frequent enough for a solid part. */
  solid(): number {
    const most = this.#counts.reduce((one, other) => Math.max(one, other), 0);
    return most > 0.1 * this.#total ? (this.#counts.indexOf(most) - 12) / 100 : 0;
  }
}

function writeAlpha(pair: Pair, solid: number): void {
  const reader = new PairReader(pair);
  const haze = (backgroundReach(pair.white) + backgroundReach(pair.black)) / 2 / 255;
  for (let y = 0; y < pair.onWhite.height; y++) {
    reader.startRow(y);
    writeRow(pair.onWhite, y, reader, solid, haze);
  }
}

function writeRow({ width, rgba }: Pixels, y: number, reader: PairReader, solid: number, haze: number): void {
  const background = reader.white;
  for (let x = 0, at = y * width * 4; x < width; x++, at += 4) {
    reader.read(x);
    // A difference in a single channel isn't the background.
    const through = reader.through - Math.max(0, reader.spread - mostSpread) / 2;
    const alpha = (1 - through) / (1 - solid);
    if (alpha <= haze) {
      rgba[at] = rgba[at + 1] = rgba[at + 2] = rgba[at + 3] = 0;
      continue;
    }
    if (alpha >= 1 - haze) {
      rgba[at + 3] = 255;
      continue;
    }
    for (let channel = 0; channel < 3; channel++) {
      const white = background[x * 3 + channel] ?? 0;
      const level = white + ((rgba[at + channel] ?? 0) - white) / alpha;
      rgba[at + channel] = level <= 0 ? 0 : level >= 255 ? 255 : level + 0.5;
    }
    rgba[at + 3] = Math.round(alpha * Math.min(1, (alpha - haze) / haze) * 255);
  }
}
