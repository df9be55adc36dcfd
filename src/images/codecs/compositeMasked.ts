import { bitsPerChannel } from '../formats/sniff.ts';
import type { Dimensions } from '../formats/dimensions.ts';
import { type ReasonToLeaveAlone, whyLeftAlone } from '../formats/leftAlone.ts';
import { maxMemory, maxRow, memoryFor } from '../formats/limits.ts';
import { withColoursOf } from './colourProfile.ts';
import { encodeImage, formatOf, sourceOf } from './codecSet.ts';
import { editedLevels } from './convertMask.ts';
import type { Pixels } from './pixels.ts';
import { haveSameColours } from './sameColours.ts';
import { decodeUpright, uprightSize } from './applyOrientation.ts';

/** The files of a masked edit. */
export interface MaskedEdit {
  /** The image that the service made. */
  output: Uint8Array;
  original: Uint8Array;
  /** In either convention. */
  mask: Uint8Array;
}

/**
 * The reasons for not keeping the pixels outside the mask: the output differs in size from the original, the original
 * is missing or cannot be read, the mask cannot be used, the output cannot be read, it would take too much memory,
 * or the output holds more than could be written.
 */
export type CompositeFailure =
  'size' | 'original' | 'kind' | 'mask' | 'unreadable' | 'too_large' | ReasonToLeaveAlone;

export type CompositeOutcome =
  | {
      kept: true;
      bytes: Uint8Array;
      mediaType: 'image/png' | 'image/webp';
      /** False if the original has more than the eight bits per channel that pixels are rounded to. */
      isExact: boolean;
      /** Whether the output's pixels, which are not converted, mean other colours among those of the original. */
      mixesColours: boolean;
    }
  | { kept: false; why: CompositeFailure };

/** The width of the soft edge inside the mask, in pixels. */
const edge = 4;
/** The distances to the next pixel and to the diagonal one. */
const straight = 3;
const diagonal = 4;
const full = (edge + 1) * straight;
/** Bytes for each pixel: its depth, and the output's share of it. */
const notedBytes = 2;

/**
 * Puts the original's pixels back outside the mask unchanged, in eight bits per channel. Inside, the output fades in
 * over a soft edge. The result is lossless: WebP if the original is WebP, otherwise PNG, with the original's colour
 * profile. EXIF orientations are applied to all three files.
 */
export async function compositeMasked(edit: MaskedEdit): Promise<CompositeOutcome> {
  try {
    return await compose(edit);
  } catch (error) {
    if (error instanceof Impossible) {
      return { kept: false, why: error.why };
    }
    throw error;
  }
}

async function compose({ output, original, mask }: MaskedEdit): Promise<CompositeOutcome> {
  const size = await reading('unreadable', uprightSize(output));
  const more = await reading('unreadable', whyLeftAlone(output));
  if (more) {
    throw new Impossible(more);
  }
  if (!isSame(size, await reading('kind', uprightSize(original)))) {
    throw new Impossible('size');
  }
  if (!isSame(size, await reading('mask', uprightSize(mask)))) {
    throw new Impossible('mask');
  }
  const isWebp = formatOf(original) === 'webp';
  const made = { ...size, format: isWebp ? 'lossless' : 'png' } as const;
  if (
    size.width > maxRow ||
    memoryFor([mask, original, output].map(sourceOf), notedBytes, made) > maxMemory
  ) {
    throw new Impossible('too_large');
  }
  const read = async (bytes: Uint8Array, why: CompositeFailure): Promise<Pixels> => {
    const pixels = await reading(why, decodeUpright(bytes));
    if (!isSame(pixels, size)) {
      // The size differs from the header's.
      throw new Impossible(why);
    }
    return pixels;
  };
  const shares = outputShares(await read(mask, 'mask'));
  const pixels = await read(original, 'kind');
  blend(pixels.rgba, (await read(output, 'unreadable')).rgba, shares);
  const bytes = await encodeImage(pixels, isWebp ? { format: 'webp', lossless: true } : { format: 'png' });
  return {
    kept: true,
    bytes: await withColoursOf(bytes, original),
    isExact: bitsPerChannel(original) === 8,
    mixesColours: !(await haveSameColours(output, original)),
    mediaType: isWebp ? 'image/webp' : 'image/png',
  };
}

class Impossible extends Error {
  readonly why: CompositeFailure;

  constructor(why: CompositeFailure) {
    super(why);
    this.why = why;
  }
}

async function reading<T>(why: CompositeFailure, work: Promise<T>): Promise<T> {
  return work.catch(() => {
    throw new Impossible(why);
  });
}

function isSame(one: Dimensions, other: Dimensions): boolean {
  return one.width === other.width && one.height === other.height;
}

/** Returns the output's share of each pixel, from 0 outside the mask to 255 well inside it. */
function outputShares(mask: Pixels): Uint8Array {
  const levels = editedLevels(mask);
  const depths = depthsInside(levels, mask);
  return levels.map((level, pixel) => Math.min(level, ((depths[pixel] ?? 0) * 255) / full));
}

/**
 * Returns how far each pixel lies inside the mask, up to the width of the edge. Each of two sweeps takes the shortest
 * way over the neighbours already passed. The border of the image does not count as an edge.
 */
function depthsInside(levels: Uint8Array, { width, height }: Dimensions): Uint8Array {
  const depths = levels.map((level) => (level === 0 ? 0 : full));
  const shorten = (at: number, x: number, ahead: -1 | 1, row: number): void => {
    // The neighbours already passed: three in the previous row, one in this row.
    const over = at + ahead * width;
    const isRow = row >= 0 && row < height;
    const reach = (from: number, inside: boolean, step: number): number =>
      inside ? (depths[from] ?? 0) + step : full;
    depths[at] = Math.min(
      depths[at] ?? 0,
      reach(at + ahead, x + ahead >= 0 && x + ahead < width, straight),
      reach(over, isRow, straight),
      reach(over - 1, isRow && x > 0, diagonal),
      reach(over + 1, isRow && x < width - 1, diagonal),
    );
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      shorten(y * width + x, x, -1, y - 1);
    }
  }
  for (let y = height - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--) {
      shorten(y * width + x, x, 1, y + 1);
    }
  }
  return depths;
}

/** Lays the output over the original. Colours are weighted by their opacity. */
function blend(original: Uint8Array, output: Uint8Array, shares: Uint8Array): void {
  for (let pixel = 0, at = 0; pixel < shares.length; pixel++, at += 4) {
    const share = shares[pixel] ?? 0;
    if (share === 0) {
      continue;
    }
    if (share === 255) {
      original.set(output.subarray(at, at + 4), at);
      continue;
    }
    const over = share * (output[at + 3] ?? 0);
    const under = (255 - share) * (original[at + 3] ?? 0);
    const both = over + under;
    if (both === 0) {
      continue;
    }
    for (let channel = at; channel < at + 3; channel++) {
      original[channel] = Math.round(
        ((output[channel] ?? 0) * over + (original[channel] ?? 0) * under) / both,
      );
    }
    original[at + 3] = Math.round(both / 255);
  }
}
