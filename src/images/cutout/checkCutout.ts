import * as english from '../../common/english.ts';
import type { Pixels } from '../codecs/pixels.ts';
import { clear, isShadow, AlphaMap } from './alphaMap.ts';
import type { CutoutFlaw } from '../formats/finish.ts';

/** Side of the inspected corners, as a share of the shorter side. */
const cornerShare = 0.03;
/** Maximum share of a corner that is not clear, for stray pixels. */
const strayShare = 0.03;
/** Alpha range of a background's remains; above it, pixels belong to a subject. */
const [faintest, firm] = [6, 140];

const sides = ['top', 'bottom', 'left', 'right'] as const;
export type Side = (typeof sides)[number];

export function filledCorners({ width, height, rgba }: Pixels): number {
  const side = Math.max(2, Math.round(Math.min(width, height) * cornerShare));
  let count = 0;
  for (const top of [0, height - side]) {
    for (const left of [0, width - side]) {
      let filled = 0;
      for (let y = Math.max(0, top); y < Math.min(height, top + side); y++) {
        for (let x = Math.max(0, left); x < Math.min(width, left + side); x++) {
          filled += Number((rgba[(y * width + x) * 4 + 3] ?? 0) > clear);
        }
      }
      count += Number(filled > strayShare * side * side);
    }
  }
  return count;
}

/** Returns the sides of an image along which the subject touches more than a share. */
export function touchedSides(pixels: Pixels, share: number): Side[] {
  return sides.filter((side) => {
    const alphas = alphasOf(pixels, side);
    return alphas.filter((alpha) => alpha >= firm).length > share * alphas.length;
  });
}

/** Returns the share of the border that is neither clear nor the subject's. */
export function faintBorder(pixels: Pixels): number {
  const alphas = sides.flatMap((side) => alphasOf(pixels, side));
  return alphas.filter((alpha) => alpha >= faintest && alpha < firm).length / alphas.length;
}

function alphasOf({ width, height, rgba }: Pixels, side: Side): number[] {
  const isRow = side === 'top' || side === 'bottom';
  const start = side === 'bottom' ? (height - 1) * width : side === 'right' ? width - 1 : 0;
  const [length, step] = isRow ? [width, 1] : [height, width];
  return Array.from({ length }, (_, index) => rgba[(start + index * step) * 4 + 3] ?? 0);
}

/** Minimum alpha of something whose edge is looked for. */
const least = 40;
/** Maximum relative change of alpha in an even area. */
const evenness = 0.2;
/** Maximum width of a sharp edge: a share of the longer side, in pixels. */
const edgeShare = 1 / 240;
/** Minimum length of sharp edges, in square roots of the number of pixels that are not clear. */
const leastLength = 0.3;

/**
 * Whether something dark with sharp edges is evenly half-transparent. Shadows are dark and half-transparent, too, but
 * most fade out; a solid part in a dark shade of the background's color looks like this once the background is
 * removed.
 */
export function hasDarkPlateau(pixels: Pixels): boolean {
  const { width, height, rgba } = pixels;
  const step = Math.max(3, Math.round(Math.max(width, height) * edgeShare));
  const alphaAt = (x: number, y: number): number => rgba[(y * width + x) * 4 + 3] ?? 0;
  // A sample of rows suffices, since sharp edges continue.
  let [length, filled] = [0, 0];
  for (let y = step >> 1; y < height; y += step) {
    for (let x = 0; x < width; x++) {
      const alpha = alphaAt(x, y);
      if (alpha <= clear) {
        continue;
      }
      filled++;
      if (alpha < least || x < 2 * step || x >= width - 2 * step || !isShadow(rgba, (y * width + x) * 4)) {
        continue;
      }
      const isEven = (inside: number): boolean =>
        [inside, 2 * inside].every((way) => Math.abs(alphaAt(x + way, y) - alpha) <= evenness * alpha);
      // Of all pixels of a row that are this near to an edge, the last one before it counts.
      const isEdge = (outside: number): boolean =>
        alphaAt(x + outside, y) <= clear && alphaAt(x + outside - Math.sign(outside), y) > clear;
      if ((isEdge(-step) && isEven(step)) || (isEdge(step) && isEven(-step))) {
        length++;
      }
    }
  }
  return length * step > leastLength * Math.sqrt(filled * step);
}

export type CutoutVerdict = 'good' | 'doubtful' | 'bad';

export interface CutoutReason {
  flaw: CutoutFlaw;
  text: string;
}

export interface CutoutCheck {
  verdict: CutoutVerdict;
  /** The problems, the gravest first. Empty if the verdict is good. */
  reasons: CutoutReason[];
  /** The share of the image that is not clear, from 0 to 1. */
  subject: number;
  /** The half-transparent share of the subject's interior, without shadows. From 0 to 1. */
  half: number;
}

export interface RemovalFacts {
  /** As in `KeyOutcome`. */
  uncertain?: number;
  isGray?: boolean;
  solid?: number;
  isCutSurely?: boolean;
  /** As in `TwoBackgroundsOutcome`. */
  disagreement?: number;
}

const limits = {
  /** Shares of the image. */
  empty: 0.002,
  clear: 0.01,
  /** Share of a side of the image that the subject touches. */
  cut: 0.02,
  remains: 0.04,
  /** The same where the background wasn't removed. */
  ground: 0.25,
  /** Shares of the subject. */
  half: 0.2,
  solid: 0.004,
  pits: 0.006,
  uncertain: 0.05,
  mismatch: 0.03,
  holes: 150,
  solidHoles: 8,
  pieces: 25,
  /** Number of pieces that something may have fallen into, and their share of the box around them. */
  scattered: 3,
  fullness: 0.3,
} as const;

/** Judges a cutout. @param facts from the removal of the background */
export function checkCutout(pixels: Pixels, facts: RemovalFacts = {}): CutoutCheck {
  const map = new AlphaMap(pixels);
  const { subject, half } = map;
  const found: [grave: boolean, flaw: CutoutFlaw, text: string][] = [];
  const note = (flaw: CutoutFlaw, text: string, grave = false): void => {
    found.push([grave, flaw, text]);
  };

  if (subject < limits.empty) {
    note('empty', english.t('Nothing is left of the subject.'), true);
    return conclude(found, subject, half);
  }
  if (map.clear < limits.clear) {
    note('full', english.t('Nothing was removed: no part of the image is clear.'), true);
    return conclude(found, subject, half);
  }
  const corners = filledCorners(pixels);
  if (corners > 0) {
    note('corners', cornersText(corners), corners > 2);
  }
  const cut = touchedSides(pixels, limits.cut);
  if (cut.length > 0) {
    // A landscape or a bust fills the lower part, and the background above it is clear.
    const stands = facts.isCutSurely === true && !cut.includes('top');
    note('cut', cut.map((side) => cutTexts[side]).join(' '), cut.length > 2 && !stands);
  }
  const haze = faintBorder(pixels);
  if (haze > limits.remains) {
    const text = english.t('A haze of the background is left at the edges of the image.');
    note('remains', text, haze > limits.ground);
  }
  if (half > limits.half) {
    note(
      'half',
      english.t(
        '{0} of the subject is half-transparent: right for glass, smoke or a shadow, wrong for anything solid.',
        percent(half),
      ),
    );
  }
  if (half <= limits.half && hasDarkPlateau(pixels)) {
    note(
      'half',
      english.t(
        'Something dark with a sharp edge is half-transparent: right for a shadow, wrong for anything solid.',
      ),
    );
  }
  if (map.pits > limits.pits) {
    note('eaten', english.t('The inside of the subject is eaten away in many small spots.'));
  }
  const { holes, inSolid } = map.countHoles();
  if (holes > limits.holes || inSolid > limits.solidHoles) {
    note(
      'holes',
      english.t('The subject has {0} holes: right for a net or lace, wrong for anything solid.', holes),
    );
  }
  const { pieces } = map;
  if (pieces > limits.pieces) {
    note('pieces', english.t('The subject is in {0} separate pieces.', pieces));
  }
  const { uncertain = 0, isGray = false, disagreement = 0, solid = 0 } = facts;
  const solidShare = solid / (subject * pixels.width * pixels.height);
  if (solidShare > limits.solid) {
    note(
      'half',
      english.t(
        "{0} of the subject has one even color close to the background's, and was kept solid: wrong for glass.",
        percent(solidShare),
      ),
    );
  }
  if (uncertain > limits.uncertain) {
    note(
      'uncertain',
      english.t(
        "{0} of the subject has a color close to the background's: it may be solid, or see-through.",
        percent(uncertain),
      ),
    );
  }
  if (disagreement > limits.mismatch) {
    note(
      'mismatch',
      english.t('The two pictures show {0} of the subject differently.', percent(disagreement)),
    );
  }
  if (isGray && pieces >= limits.scattered && map.fullness < limits.fullness) {
    note(
      'eaten',
      english.t('Only scattered parts are left in front of a background without a strong color.'),
      true,
    );
  }
  if (isGray) {
    note(
      'grey_ground',
      english.t('The background has no strong color, so parts of the subject like it may be missing.'),
    );
  }
  return conclude(found, subject, half);
}

function conclude(
  found: readonly [grave: boolean, flaw: CutoutFlaw, text: string][],
  subject: number,
  half: number,
): CutoutCheck {
  const verdict = found.some(([grave]) => grave) ? 'bad' : found.length > 0 ? 'doubtful' : 'good';
  const reasons = found
    .toSorted(([one], [other]) => Number(other) - Number(one))
    .map(([, flaw, text]) => ({ flaw, text }));
  return { verdict, reasons, subject, half };
}

function cornersText(count: number): string {
  return count === 1
    ? english.t('One corner is not clear.')
    : english.t('{0} of the 4 corners are not clear.', count);
}

const cutTexts: Record<Side, string> = {
  top: english.t('The subject is cut off at the top.'),
  right: english.t('The subject is cut off at the right.'),
  bottom: english.t('The subject is cut off at the bottom.'),
  left: english.t('The subject is cut off at the left.'),
};

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
