import * as english from '../../common/english.ts';
import { canBeKept } from '../../common/taskStatus.ts';
import type { CutoutFlaw, CutoutReport, CutoutWay, Finish } from '../formats/finish.ts';
import { decodeUpright } from '../codecs/applyOrientation.ts';
import {
  alphaKind,
  alphaOfTwoBackgrounds,
  findCheckerboard,
  hasRealAlpha,
  pixelsOfBoard,
  removeKey,
} from '../cutout/matte.ts';
import { CodecError, type Pixels, release } from '../codecs/pixels.ts';
import { clear } from '../cutout/alphaMap.ts';
import { checkCutout, type RemovalFacts } from '../cutout/checkCutout.ts';
import { fillSolidParts } from '../cutout/solidParts.ts';
import { resize } from '../codecs/resize.ts';
import { flatten } from './canvas.ts';
import { innerBackground } from './innerBackground.ts';

export interface CutOut {
  /** With the subject cut out, or unchanged if that failed. */
  pixels: Pixels;
  report: CutoutReport;
  isChanged: boolean;
}

type CutoutOptions = Omit<NonNullable<Finish['cutout']>, 'by'>;

/** Maximum share of a painted checkerboard that may remain. */
const mostLeft = 0.02;

/**
 * Cuts the subject out of an image, in its pixels, and judges the result. A failure leaves the pixels unchanged. A result
 * with the verdict `bad` says whether it is to be kept.
 *
 * @param onWhite the file of the image on white, for two backgrounds
 * @throws CodecError for two backgrounds without the image on white, or when that cannot be decoded
 */
export async function cutOut(
  pixels: Pixels,
  by: CutoutWay,
  onWhite: Uint8Array | undefined,
  options: CutoutOptions = {},
): Promise<CutOut> {
  const cut = await cutOutBy(pixels, by, onWhite, options);
  const isCut = cut.isChanged || !cut.report.reasons.some(({ flaw }) => flaw === 'checkerboard');
  return options.keepAnyway && canBeKept(cut.report) && isCut
    ? { ...cut, report: { ...cut.report, keptAnyway: true } }
    : cut;
}

async function cutOutBy(
  pixels: Pixels,
  by: CutoutWay,
  onWhite: Uint8Array | undefined,
  options: CutoutOptions,
): Promise<CutOut> {
  if (by === 'grounds') {
    return byTwoBackgrounds(pixels, onWhite, options);
  }
  // A model may be better than its entry says.
  return hasRealAlpha(pixels) || by === 'alpha' ? byAlpha(pixels, by, options) : byKey(pixels, options);
}

function byAlpha(pixels: Pixels, by: 'alpha' | 'key', options: CutoutOptions): CutOut {
  switch (alphaKind(pixels).kind) {
    case 'alpha':
      return inMargin(pixels, by, options);
    case 'opaque':
      return failed(pixels, 'opaque', english.t('The image has no transparency.'));
    case 'checkerboard':
      return onCheckerboard(pixels);
  }
}

/** Judges an image with a clear margin, which may surround more than the subject. */
function inMargin(pixels: Pixels, by: 'alpha' | 'key', options: CutoutOptions): CutOut {
  const background = innerBackground(pixels);
  if (background?.kind === 'checkerboard') {
    return onCheckerboard(pixels);
  }
  // Unless a background was asked for, a flat color is the subject's own.
  const isAsked = by === 'key';
  if (isAsked && background?.kind === 'strong') {
    // Now the background reaches the border, where it is measured.
    flatten(pixels, background.color);
    const { report, ...removed } = byKey(pixels, options);
    const text = english.t('Inside a clear margin was one flat color, which was taken for the background.');
    return { ...removed, report: doubted(report, 'remains', text), isChanged: true };
  }
  const isFilled = options.solidInside === true && fillSolidParts(pixels, { isEven: false }) > 0;
  const report = judged(pixels);
  const isDoubtful = isAsked && background?.kind === 'pale';
  return {
    pixels,
    report: isDoubtful
      ? doubted(
          report,
          'remains',
          english.t('Inside a clear margin is one flat color, which may be the background.'),
        )
      : report,
    isChanged: isFilled,
  };
}

function onCheckerboard(pixels: Pixels): CutOut {
  return failed(pixels, 'checkerboard', english.t('The transparency is a painted checkerboard.'));
}

function byKey(pixels: Pixels, options: CutoutOptions): CutOut {
  const board = findCheckerboard(pixels);
  const painted = board ? pixelsOfBoard(pixels, board) : [];
  const outcome = removeKey(pixels, options);
  if (!outcome.removed) {
    return failed(pixels, 'no_ground', english.t('The background is not one flat color.'));
  }
  const left = painted.filter((pixel) => (pixels.rgba[pixel * 4 + 3] ?? 0) > clear);
  return left.length > mostLeft * painted.length
    ? {
        ...failed(pixels, 'checkerboard', english.t('The background is a painted checkerboard.')),
        isChanged: true,
      }
    : { pixels, report: judged(pixels, outcome), isChanged: true };
}

async function byTwoBackgrounds(
  onBlack: Pixels,
  white: Uint8Array | undefined,
  { solidInside }: CutoutOptions,
): Promise<CutOut> {
  if (!white) {
    throw new CodecError(english.t('The picture on white is missing.'));
  }
  const onWhite = await decodeUpright(white);
  const sameSize = asLarge(onBlack, onWhite);
  const outcome = alphaOfTwoBackgrounds(onWhite, sameSize);
  if (!outcome.removed) {
    release(onWhite.rgba);
    return failed(onBlack, outcome.why, twoBackgroundsTexts[outcome.why]);
  }
  release(sameSize.rgba);
  if (solidInside) {
    fillSolidParts(onWhite, { isEven: false });
  }
  return { pixels: onWhite, report: judged(onWhite, outcome), isChanged: true };
}

/** Scales an image to the size of another of the same shape: some services choose sizes freely. */
function asLarge(pixels: Pixels, { width, height }: Pixels): Pixels {
  const stretch = (pixels.width * height) / (pixels.height * width);
  const isSame = pixels.width === width && pixels.height === height;
  return isSame || Math.abs(stretch - 1) > 0.01
    ? pixels
    : resize(pixels, { left: 0, top: 0, width: pixels.width, height: pixels.height }, { width, height });
}

const twoBackgroundsTexts = {
  size: english.t('The pictures on white and on black differ in size.'),
  no_ground: english.t('A background is not one flat color.'),
  same_ground: english.t('The background did not become black.'),
  subject: english.t('The subject is not the same on both backgrounds.'),
};

function judged(pixels: Pixels, facts?: RemovalFacts): CutoutReport {
  const { verdict, reasons } = checkCutout(pixels, facts);
  return { verdict, reasons };
}

export function doubted({ verdict, reasons }: CutoutReport, flaw: CutoutFlaw, text: string): CutoutReport {
  return { verdict: verdict === 'good' ? 'doubtful' : verdict, reasons: [...reasons, { flaw, text }] };
}

function failed(pixels: Pixels, flaw: CutoutFlaw, text: string): CutOut {
  return { pixels, report: { verdict: 'bad', reasons: [{ flaw, text }] }, isChanged: false };
}
