import type { CutoutFlaw, CutoutWay } from '../../formats/cutout.ts';
import type { CutoutReport } from '../../formats/finish.ts';
import { decodeUpright } from '../applyOrientation.ts';
import {
  alphaKind,
  alphaOfTwoGrounds,
  findCheckerboard,
  hasRealAlpha,
  pixelsOfBoard,
  removeKey,
} from '../matte/matte.ts';
import { CodecError, type Pixels, release } from '../pixels.ts';
import { clear } from '../verdict/alphaMap.ts';
import { checkCutout, type RemovalFacts } from '../verdict/checkCutout.ts';
import { resize } from '../resize.ts';
import { flatten } from './canvas.ts';
import { innerGround } from './innerGround.ts';

export interface CutOut {
  /** With the subject cut out, or as they were if that failed. */
  pixels: Pixels;
  report: CutoutReport;
  /** Whether a pixel is not what it was. */
  isChanged: boolean;
}

/** The share of a painted checkerboard that may be left of it. */
const mostLeft = 0.02;

/**
 * Cuts the subject out of a picture, in its pixels, and judges the result. What fails leaves the pixels alone.
 *
 * @param onWhite the file of the picture on white, for two grounds
 * @throws CodecError for two grounds without the picture on white, or when that cannot be decoded
 */
export async function cutOut(
  pixels: Pixels,
  by: CutoutWay,
  onWhite: Uint8Array | undefined,
): Promise<CutOut> {
  if (by === 'grounds') {
    return byTwoGrounds(pixels, onWhite);
  }
  // A model may be better than its entry says.
  return hasRealAlpha(pixels) || by === 'alpha' ? byAlpha(pixels, by) : byKey(pixels);
}

function byAlpha(pixels: Pixels, by: 'alpha' | 'key'): CutOut {
  switch (alphaKind(pixels).kind) {
    case 'alpha':
      return inMargin(pixels, by);
    case 'opaque':
      return failed(pixels, 'opaque', 'The image has no transparency.');
    case 'checkerboard':
      return onCheckerboard(pixels);
  }
}

/** Judges a picture that is clear around something: perhaps not only around its subject. */
function inMargin(pixels: Pixels, by: 'alpha' | 'key'): CutOut {
  const ground = innerGround(pixels);
  if (ground?.kind === 'checkerboard') {
    return onCheckerboard(pixels);
  }
  // Where no ground was asked for, a flat colour is the subject's own.
  const isAsked = by === 'key';
  if (isAsked && ground?.kind === 'strong') {
    // Now the ground goes on to the border, where it is measured.
    flatten(pixels, ground.colour);
    const { report, ...removed } = byKey(pixels);
    const text = 'Inside a clear margin was one flat color, which was taken for the background.';
    return { ...removed, report: doubted(report, 'remains', text), isChanged: true };
  }
  const report = judged(pixels);
  const isDoubtful = isAsked && ground?.kind === 'pale';
  return {
    pixels,
    report: isDoubtful
      ? doubted(report, 'remains', 'Inside a clear margin is one flat color, which may be the background.')
      : report,
    isChanged: false,
  };
}

function onCheckerboard(pixels: Pixels): CutOut {
  return failed(pixels, 'checkerboard', 'The transparency is a painted checkerboard.');
}

function byKey(pixels: Pixels): CutOut {
  const board = findCheckerboard(pixels);
  const painted = board ? pixelsOfBoard(pixels, board) : [];
  const outcome = removeKey(pixels);
  if (!outcome.removed) {
    return failed(pixels, 'no_ground', 'The background is not one flat color.');
  }
  const left = painted.filter((pixel) => (pixels.rgba[pixel * 4 + 3] ?? 0) > clear);
  return left.length > mostLeft * painted.length
    ? { ...failed(pixels, 'checkerboard', 'The background is a painted checkerboard.'), isChanged: true }
    : { pixels, report: judged(pixels, outcome), isChanged: true };
}

async function byTwoGrounds(onBlack: Pixels, white: Uint8Array | undefined): Promise<CutOut> {
  if (!white) {
    throw new CodecError('The picture on white is missing.');
  }
  const onWhite = await decodeUpright(white);
  const sameSize = asLarge(onBlack, onWhite);
  const outcome = alphaOfTwoGrounds(onWhite, sameSize);
  if (!outcome.removed) {
    release(onWhite.rgba);
    return failed(onBlack, outcome.why, twoGroundsTexts[outcome.why]);
  }
  release(sameSize.rgba);
  return { pixels: onWhite, report: judged(onWhite, outcome), isChanged: true };
}

/** Scales a picture to the size of another one of the same shape: some services decide on sizes as they like. */
function asLarge(pixels: Pixels, { width, height }: Pixels): Pixels {
  const stretch = (pixels.width * height) / (pixels.height * width);
  const isSame = pixels.width === width && pixels.height === height;
  return isSame || Math.abs(stretch - 1) > 0.01
    ? pixels
    : resize(pixels, { left: 0, top: 0, width: pixels.width, height: pixels.height }, { width, height });
}

const twoGroundsTexts = {
  size: 'The pictures on white and on black differ in size.',
  no_ground: 'A background is not one flat color.',
  same_ground: 'The background did not become black.',
  subject: 'The subject is not the same on both backgrounds.',
};

function judged(pixels: Pixels, facts?: RemovalFacts): CutoutReport {
  const { verdict, reasons } = checkCutout(pixels, facts);
  return { verdict, reasons };
}

/** Returns a report with something more that speaks against a cut-out. */
export function doubted({ verdict, reasons }: CutoutReport, flaw: CutoutFlaw, text: string): CutoutReport {
  return { verdict: verdict === 'good' ? 'doubtful' : verdict, reasons: [...reasons, { flaw, text }] };
}

function failed(pixels: Pixels, flaw: CutoutFlaw, text: string): CutOut {
  return { pixels, report: { verdict: 'bad', reasons: [{ flaw, text }] }, isChanged: false };
}
