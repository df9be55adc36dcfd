// Room: tells whether a subject was cut out well, by the pixels that are left.
// Never: how its ground was removed.

import type { CutoutFlaw } from '../../formats/cutout.ts';
import type { Pixels } from '../pixels.ts';
import { AlphaMap } from './alphaMap.ts';
import { hasDarkPlateau } from './darkPlateau.ts';
import { faintBorder, filledCorners, touchedSides } from './cutoutBorder.ts';

/** How far a cut-out can be trusted without looking at it. */
export type CutoutVerdict = 'good' | 'doubtful' | 'bad';

export interface CutoutReason {
  flaw: CutoutFlaw;
  /** Says it to a person, in a sentence. */
  text: string;
}

export interface CutoutCheck {
  verdict: CutoutVerdict;
  /** What speaks against it, the gravest first. Empty if the verdict is good. */
  reasons: CutoutReason[];
  /** The share of the image that is not clear, from 0 to 1. */
  subject: number;
  /** The share of the inside of the subject that is half-transparent, without shadows. From 0 to 1. */
  half: number;
}

/** What is known of how a ground was removed. */
export interface RemovalFacts {
  /** As in `KeyOutcome`. */
  uncertain?: number;
  isGrey?: boolean;
  /** As in `TwoGroundsOutcome`. */
  disagreement?: number;
}

const limits = {
  /** Shares of the image. */
  empty: 0.002,
  clear: 0.01,
  /** Share of a side of the image that the subject touches. */
  cut: 0.02,
  remains: 0.04,
  /** Shares of the subject. */
  half: 0.2,
  pits: 0.006,
  uncertain: 0.05,
  mismatch: 0.03,
  /** Counts. */
  holes: 150,
  solidHoles: 8,
  pieces: 25,
} as const;

/**
 * Judges a cut-out: whether the corners are clear, whether the subject is whole, and how much of it is half-transparent.
 *
 * @param facts what the removal of the ground told
 */
export function checkCutout(pixels: Pixels, facts: RemovalFacts = {}): CutoutCheck {
  const map = new AlphaMap(pixels);
  const { subject, half } = map;
  const found: [grave: boolean, flaw: CutoutFlaw, text: string][] = [];
  const note = (flaw: CutoutFlaw, text: string, grave = false): void => {
    found.push([grave, flaw, text]);
  };

  if (subject < limits.empty) {
    note('empty', 'Nothing is left of the subject.', true);
    return conclude(found, subject, half);
  }
  if (map.clear < limits.clear) {
    note('full', 'Nothing was removed: no part of the image is clear.', true);
    return conclude(found, subject, half);
  }
  const corners = filledCorners(pixels);
  if (corners > 0) {
    note('corners', cornersText(corners), corners > 2);
  }
  const cut = touchedSides(pixels, limits.cut);
  if (cut.length > 0) {
    note('cut', `The subject is cut off at the ${listed(cut)}.`, cut.length > 2);
  }
  if (faintBorder(pixels) > limits.remains) {
    note('remains', 'A haze of the background is left at the edges of the image.');
  }
  if (half > limits.half) {
    note(
      'half',
      `${percent(half)} of the subject is half-transparent: right for glass, smoke or a shadow, wrong for anything solid.`,
    );
  }
  if (half <= limits.half && hasDarkPlateau(pixels)) {
    note(
      'half',
      'Something dark with a sharp edge is half-transparent: right for a shadow, wrong for anything solid.',
    );
  }
  if (map.pits > limits.pits) {
    note('eaten', 'The inside of the subject is eaten away in many small spots.');
  }
  const { holes, inSolid } = map.countHoles();
  if (holes > limits.holes || inSolid > limits.solidHoles) {
    note('holes', `The subject has ${holes} holes: right for a net or lace, wrong for anything solid.`);
  }
  const { pieces } = map;
  if (pieces > limits.pieces) {
    note('pieces', `The subject is in ${pieces} separate pieces.`);
  }
  const { uncertain = 0, isGrey = false, disagreement = 0 } = facts;
  if (uncertain > limits.uncertain) {
    note(
      'uncertain',
      `${percent(uncertain)} of the subject has a color close to the background's: it may be solid, or see-through.`,
    );
  }
  if (disagreement > limits.mismatch) {
    note('mismatch', `The two pictures show ${percent(disagreement)} of the subject differently.`);
  }
  if (isGrey) {
    note(
      'grey_ground',
      'The background has no strong color, so parts of the subject like it may be missing.',
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
  return count === 1 ? 'One corner is not clear.' : `${count} of the 4 corners are not clear.`;
}

function listed(sides: readonly string[]): string {
  return sides.length < 2 ? sides.join('') : `${sides.slice(0, -1).join(', ')} and ${sides.at(-1) ?? ''}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
