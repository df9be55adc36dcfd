import * as l10n from '@vscode/l10n';
import {
  amountAt,
  channelAmount,
  isMaskByAlpha,
  leastChange,
  maskLevel,
} from '../../common/requestValues.ts';
import { sizeText } from '../../common/text.ts';

/** How many pixels of an area differ. */
export interface Change {
  pixels: number;
  changed: number;
  /** Pixels whose difference is too small to see. */
  slight: number;
}

/** How two images differ: overall and, with a mask, outside of it. */
export interface Difference {
  all: Change;
  outside: Change | undefined;
  /** Pixels whose transparency changed. */
  transparency: number;
  /** Around all that changed, in pixels of the second image; undefined if nothing did. */
  box?: Box;
}

/** A rectangle of pixels, its last column and row included. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function noDifference(hasMask: boolean): Difference {
  const none = { pixels: 0, changed: 0, slight: 0 };
  return { all: { ...none }, outside: hasMask ? { ...none } : undefined, transparency: 0 };
}

/** Where a part of two images lies, and what counts in it. */
interface Part {
  /** Its columns, and the row of the image that is its first. */
  width: number;
  top: number;
  /** Smallest difference in a channel that counts as a change. */
  least: number;
  /** Whether both images have a pixel of the part. */
  isCovered: (pixel: number) => boolean;
}

/**
 * Adds a part of two images to their difference.
 *
 * @param mask the same part of the mask, in the convention of the whole mask
 * @returns its pixels with the differences marked, and the rest transparent
 */
export function addDifference(
  difference: Difference,
  before: Uint8ClampedArray,
  after: Uint8ClampedArray,
  mask: { rgba: Uint8ClampedArray; isByAlpha: boolean } | undefined,
  { width, top, least, isCovered }: Part,
): Uint8ClampedArray<ArrayBuffer> {
  const marks = new Uint8ClampedArray(after.length);
  for (let at = 0; at < after.length; at += 4) {
    if (!isCovered(at / 4)) {
      continue;
    }
    const amount = amountAt(before, after, at);
    count(difference.all, amount, least);
    if (difference.outside && mask && maskLevel(mask.rgba, at, mask.isByAlpha) === 0) {
      count(difference.outside, amount, least);
    }
    if (amount >= least) {
      extend(difference, (at / 4) % width, top + Math.floor(at / 4 / width));
      difference.transparency += channelAmount(before, after, at + 3) >= least ? 1 : 0;
    }
    if (amount > 0) {
      marks[at] = 255;
      marks[at + 2] = 255;
      marks[at + 3] = amount < least ? 64 : 160 + amount;
    }
  }
  return marks;
}

/** Extends the box around what changed by a pixel. There may be millions: it is changed in place. */
function extend(difference: Difference, x: number, y: number): void {
  const box = (difference.box ??= { left: x, top: y, right: x, bottom: y });
  box.left = Math.min(box.left, x);
  box.right = Math.max(box.right, x);
  box.top = Math.min(box.top, y);
  box.bottom = Math.max(box.bottom, y);
}

function count(change: Change, amount: number, least: number): void {
  change.pixels++;
  if (amount >= least) {
    change.changed++;
  } else if (amount > 0) {
    change.slight++;
  }
}

/** Describes a difference, with localized numbers. */
export function differenceText({ all, outside, box, transparency }: Difference, language: string): string {
  return [
    allText(all, language),
    ...(outside && outside.pixels > 0 ? [outsideText(outside, language)] : []),
    ...(box ? [boxText(all, box, language)] : []),
    ...(transparency > 0
      ? [l10n.t('Pixels with another transparency: {0}.', transparency.toLocaleString(language))]
      : []),
  ].join(' ');
}

function boxText({ changed }: Change, { left, top, right, bottom }: Box, language: string): string {
  return l10n.t(
    'Pixels: {0}, within {1} at {2}, {3}.',
    changed.toLocaleString(language),
    sizeText({ width: right - left + 1, height: bottom - top + 1 }),
    left,
    top,
  );
}

function allText(change: Change, language: string): string {
  const [changed, slight] = sharesOf(change, language);
  if (changed !== undefined && slight !== undefined) {
    return l10n.t('Changed: {0} of the pixels, and another {1} slightly.', changed, slight);
  }
  return changed !== undefined
    ? l10n.t('Changed: {0} of the pixels.', changed)
    : slight !== undefined
      ? l10n.t('Changed slightly: {0} of the pixels.', slight)
      : l10n.t('The images are identical.');
}

function outsideText(change: Change, language: string): string {
  const [changed, slight] = sharesOf(change, language);
  if (changed !== undefined && slight !== undefined) {
    return l10n.t('Outside the mask: {0} changed, and another {1} slightly.', changed, slight);
  }
  return changed !== undefined
    ? l10n.t('Outside the mask: {0} changed.', changed)
    : slight !== undefined
      ? l10n.t('Outside the mask: {0} changed slightly.', slight)
      : l10n.t('Outside the mask: nothing changed.');
}

function sharesOf(
  { pixels, changed, slight }: Change,
  language: string,
): [changed: string | undefined, slight: string | undefined] {
  return [shareText(changed, pixels, language), shareText(slight, pixels, language)];
}

/** Returns a share in percent; undefined if there is none. It is only 0% or 100% if that is exact. */
function shareText(part: number, whole: number, language: string): string | undefined {
  if (part === 0) {
    return undefined;
  }
  const percent = (100 * part) / whole;
  if (percent < 0.1) {
    return l10n.t('less than {0}%', (0.1).toLocaleString(language));
  }
  const bound = part < whole ? Math.min(percent, 99.9) : percent;
  return l10n.t('{0}%', bound.toLocaleString(language, { maximumFractionDigits: 1 }));
}

export interface LoadedPair {
  before: HTMLImageElement;
  after: HTMLImageElement;
  mask: HTMLImageElement | undefined;
}

/** Most pixels of an image that can be compared: Chromium draws no larger canvas. */
export const maxPixels = 1 << 28;

/** Pixels compared at once; the page can draw in between. */
const partPixels = 1 << 20;

/**
 * Compares two images where both are, in the frame and size of the second, and marks the differences in a canvas.
 *
 * @param least smallest difference in a channel that counts as a change
 * @throws the reason of `signal` when it is aborted
 */
export async function markDifference(
  { before, after, mask }: LoadedPair,
  canvas: HTMLCanvasElement,
  signal: AbortSignal,
  least = leastChange,
): Promise<Difference> {
  const { naturalWidth: width, naturalHeight: height } = after;
  canvas.width = width;
  canvas.height = height;
  const marks = canvas.getContext('2d');
  // Chromium draws nothing on a canvas that is higher than 65,535 pixels.
  const rows = Math.min(height, Math.ceil(partPixels / width));
  const { x, y, across, down } = placed(before, after);
  const isCovered = (column: number, row: number): boolean =>
    column + 0.5 > x && column + 0.5 < x + across && row + 0.5 > y && row + 0.5 < y + down;
  const reader = new OffscreenCanvas(width, rows).getContext('2d', { willReadFrequently: true });
  if (!marks || !reader) {
    throw new Error(l10n.t("The images can't be compared."));
  }
  const read = (image: HTMLImageElement, top: number): Uint8ClampedArray => {
    const { x, y, across, down } = placed(image, after);
    reader.clearRect(0, 0, width, rows);
    reader.drawImage(image, x, y - top, across, down);
    return reader.getImageData(0, 0, width, Math.min(rows, height - top)).data;
  };
  const tops = Array.from({ length: Math.ceil(height / rows) }, (_, index) => index * rows);
  const isByAlpha = mask !== undefined && tops.some((top) => isMaskByAlpha(read(mask, top)));
  const difference = noDifference(mask !== undefined);
  for (const top of tops) {
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    const part = addDifference(
      difference,
      read(before, top),
      read(after, top),
      mask && { rgba: read(mask, top), isByAlpha },
      { width, top, least, isCovered: (at) => isCovered(at % width, top + Math.floor(at / width)) },
    );
    marks.putImageData(new ImageData(part, width), 0, top);
  }
  return difference;
}

type Shape = Pick<HTMLImageElement, 'naturalWidth' | 'naturalHeight'>;

/** Places an image in the frame of another, as in the other modes. */
function placed(
  { naturalWidth, naturalHeight }: Shape,
  { naturalWidth: width, naturalHeight: height }: Shape,
): { x: number; y: number; across: number; down: number } {
  const scale = Math.min(width / naturalWidth, height / naturalHeight);
  const [across, down] = [naturalWidth * scale, naturalHeight * scale];
  return { x: (width - across) / 2, y: (height - down) / 2, across, down };
}
