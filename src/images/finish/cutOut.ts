import * as english from '../../common/english.ts';
import { canBeKept } from '../../common/taskStatus.ts';
import type { CutoutFlaw, CutoutReport, CutoutWay, Finish } from '../formats/finish.ts';
import { decodeUpright } from '../codecs/applyOrientation.ts';
import {
  alphaKind,
  alphaOfTwoBackgrounds,
  findCheckerboard,
  hasRealAlpha,
  type KeyOutcome,
  pixelsOfBoard,
  removeKey,
  type Rgb,
} from '../cutout/matte.ts';
import { asPixelWords, CodecError, type Pixels, release } from '../codecs/pixels.ts';
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

interface CutoutOptions extends Omit<NonNullable<Finish['cutout']>, 'by'> {
  /** The format of a file that had its colors in half the resolution. */
  coarse?: 'JPEG' | 'WebP' | undefined;
}

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
  const cut = softened(await cutOutBy(pixels, by, onWhite, options), options);
  const isCut = cut.isChanged || !cut.report.reasons.some(({ flaw }) => flaw === 'checkerboard');
  return options.keepAnyway && canBeKept(cut.report) && isCut
    ? { ...cut, report: { ...cut.report, keptAnyway: true } }
    : cut;
}

/** Adds to a report that the edges are soft, as the image came. */
function softened(cut: CutOut, { coarse }: CutoutOptions): CutOut {
  const { verdict, reasons } = cut.report;
  const text = coarse && softTexts[coarse];
  return text === undefined
    ? cut
    : { ...cut, report: { verdict, reasons: [...reasons, { flaw: 'soft_edges', text }] } };
}

const softTexts = {
  JPEG: english.t('It came as JPEG: soft edges.'),
  WebP: english.t('It came as lossy WebP: soft edges.'),
};

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
  const { solidInside, coarse } = options;
  skipFrameLine(pixels);
  const outcome = removeKey(pixels, { solidInside: solidInside === true, isCoarse: coarse !== undefined });
  if (!outcome.removed) {
    return failed(pixels, 'no_ground', english.t('The background is not one flat color.'));
  }
  const left = painted.filter((pixel) => (pixels.rgba[pixel * 4 + 3] ?? 0) > clear);
  return left.length > mostLeft * painted.length
    ? {
        ...failed(pixels, 'checkerboard', english.t('The background is a painted checkerboard.')),
        isChanged: true,
      }
    : withoutInnerKey(pixels, outcome, options);
}

/** How far the channels of a painted key may be from the pure color, in levels. */
const keyReach = 64;
/** How far the middle channel of green or magenta may be from the nearer one, as a share of the range. */
const hueReach = 0.32;

/** Whether a strong color is one that Limner asks for. Few subjects are green or magenta, so these may differ more. */
function isLikeKey(color: Rgb): boolean {
  const [red, green, blue] = color;
  const isPure = color.every((level) => level < keyReach || level > 255 - keyReach);
  const range = Math.max(...color) - Math.min(...color);
  const isGreen = green === Math.max(...color) && Math.abs(red - blue) < hueReach * range;
  const isMagenta = green === Math.min(...color) && Math.abs(red - blue) < hueReach * range;
  return isPure || isGreen || isMagenta;
}

/** Judges an image without its background, which may surround another one: a tile in a strong color on white. */
function withoutInnerKey(
  pixels: Pixels,
  outcome: Extract<KeyOutcome, { removed: true }>,
  options: CutoutOptions,
): CutOut {
  const inner = outcome.isGray ? innerBackground(pixels) : undefined;
  const report = judged(pixels, outcome);
  if (inner?.kind !== 'strong') {
    return { pixels, report, isChanged: true };
  }
  const text = english.t('Inside a border is one flat color, which may be the background.');
  if (!isLikeKey(inner.color)) {
    return { pixels, report: doubted(report, 'remains', text), isChanged: true };
  }
  flatten(pixels, inner.color);
  const removed = byKey(pixels, options);
  return { ...removed, report: doubted(removed.report, 'remains', text), isChanged: true };
}

/** Maximum width of a line around an image, as a share of the shorter side, and in pixels at least. */
const [lineShare, widestLine] = [0.012, 4];
/** Maximum difference within a line, and minimum difference to what it surrounds, in levels. */
const [lineReach, lineContrast] = [30, 60];
/** Minimum shares of pixels with the color of a line, and with that of the background inside it. */
const [leastLine, leastInside] = [0.96, 0.35];

/** Replaces an even line around an image by what it surrounds, in place, if that is mostly one other color. */
function skipFrameLine(pixels: Pixels): void {
  const { width, height, rgba } = pixels;
  const widest = Math.max(widestLine, Math.round(Math.min(width, height) * lineShare));
  if (Math.min(width, height) < 8 * widest) {
    return;
  }
  const shareNear = (depth: number, color: Rgb): number => {
    const ring = ringAt(pixels, depth);
    const near = ring.filter((at) => differenceAt(rgba, at, color) <= lineReach);
    return near.length / ring.length;
  };
  const line = colorAt(rgba, 0);
  let depth = 0;
  while (depth <= widest && shareNear(depth, line) >= leastLine) {
    depth++;
  }
  // The innermost pixels of the line are mixed.
  const inside = depth + 1;
  if (depth === 0 || depth > widest) {
    return;
  }
  const ring = ringAt(pixels, inside);
  const isSurrounding = ring.some((at, index) => {
    const color = colorAt(rgba, at);
    return (
      index % Math.ceil(ring.length / 12) === 0 &&
      differenceAt(rgba, 0, color) >= lineContrast &&
      shareNear(inside, color) >= leastInside
    );
  });
  if (!isSurrounding) {
    return;
  }
  const words = asPixelWords(rgba);
  for (let y = 0; y < height; y++) {
    const fromY = Math.max(inside, Math.min(height - 1 - inside, y));
    for (let x = 0; x < width; x++) {
      const fromX = Math.max(inside, Math.min(width - 1 - inside, x));
      if (fromX !== x || fromY !== y) {
        words[y * width + x] = words[fromY * width + fromX] ?? 0;
      }
    }
  }
}

/** Returns the positions in `rgba` of the pixels at a depth from the border. */
function ringAt({ width, height }: Pixels, depth: number): number[] {
  const ring: number[] = [];
  for (let x = depth; x < width - depth; x++) {
    ring.push((depth * width + x) * 4, ((height - 1 - depth) * width + x) * 4);
  }
  for (let y = depth; y < height - depth; y++) {
    ring.push((y * width + depth) * 4, (y * width + width - 1 - depth) * 4);
  }
  return ring;
}

function colorAt(rgba: Uint8Array, at: number): Rgb {
  return [rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0];
}

function differenceAt(rgba: Uint8Array, at: number, color: Rgb): number {
  return Math.max(...color.map((level, channel) => Math.abs((rgba[at + channel] ?? 0) - level)));
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
