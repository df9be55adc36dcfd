import { bitsPerChannel } from '../formats/sniff.ts';
import type { Dimensions } from '../formats/dimensions.ts';
import { type ReasonToLeaveAlone, whyLeftAlone } from '../formats/finish.ts';
import { maxMemory, maxRow, memoryFor } from '../formats/limits.ts';
import { withColorsOf, haveSameColors } from './colorProfile.ts';
import { encodeImage, formatOf, sourceOf } from './codecSet.ts';
import { CodecError, type Pixels } from './pixels.ts';
import { decodeUpright, uprightSize } from './applyOrientation.ts';
import { isMaskByAlpha, maskLevel, repairPixel } from '../../common/requestValues.ts';
import * as english from '../../common/english.ts';

export interface MaskedEdit {
  output: Uint8Array;
  original: Uint8Array;
  /** In either convention. */
  mask: Uint8Array;
}

/**
 * The reasons for not keeping the pixels outside the mask: the output differs in size from the original, the original
 * is missing or unreadable, the mask is unusable, the output is unreadable, it would take too much memory, or the
 * output contains more than could be written.
 */
export type CompositeFailure =
  'size' | 'original' | 'kind' | 'mask' | 'unreadable' | 'too_large' | ReasonToLeaveAlone;

export type CompositeOutcome =
  | {
      kept: true;
      bytes: Uint8Array;
      mediaType: 'image/png' | 'image/webp';
      /** False if the original has more than eight bits per channel, to which pixels are rounded. */
      isExact: boolean;
      /** Whether the output's pixels, which are not converted, mean other colors than the original's. */
      mixesColors: boolean;
    }
  | { kept: false; why: CompositeFailure };

/** Width of the soft edge inside the mask, in pixels. */
const edge = 4;
/** Distances to a straight and to a diagonal neighbor. */
const straight = 3;
const diagonal = 4;
const full = (edge + 1) * straight;
/** Bytes for each pixel: its depth, and the output's share of it. */
const notedBytes = 2;

/**
 * Restores the original's pixels outside the mask, in eight bits per channel. Inside, the output fades in over a soft
 * edge. The result is lossless: WebP if the original is WebP, otherwise PNG, with the original's color profile.
 * Applies the EXIF orientations of all three files.
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
    bytes: await withColorsOf(bytes, original),
    isExact: bitsPerChannel(original) === 8,
    mixesColors: !(await haveSameColors(output, original)),
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
 * Returns the distance of each pixel from the mask's outside, up to the width of the edge. Two sweeps take the
 * shortest path through neighbors already visited. The border of the image doesn't count as an edge.
 */
function depthsInside(levels: Uint8Array, { width, height }: Dimensions): Uint8Array {
  const depths = levels.map((level) => (level === 0 ? 0 : full));
  const shorten = (at: number, x: number, ahead: -1 | 1, row: number): void => {
    // The neighbors already passed: three in the previous row, one in this row.
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

/** Blends the output over the original. Colors are weighted by their opacity. */
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

/** How a mask marks the edited area: by transparency, or by white on black. */
export type MaskConvention = 'alpha' | 'white';

/** Returns how much a mask edits each pixel, from 0 to 255. */
export function editedLevels({ rgba }: Pixels): Uint8Array {
  const levels = new Uint8Array(rgba.length / 4);
  const isByAlpha = isMaskByAlpha(rgba);
  for (let pixel = 0, at = 0; pixel < levels.length; pixel++, at += 4) {
    levels[pixel] = maskLevel(rgba, at, isByAlpha);
  }
  return levels;
}

export type MaskedShare = 'nothing' | 'part' | 'everything';

/** The edited area of a mask, under each convention. */
export interface MaskFacts {
  byTransparency: MaskedShare;
  byLightness: MaskedShare;
  /** Whether the mask is gray, apart from the noise of lossy formats. */
  isGray: boolean;
}

/** Maximum difference between the channels of a gray pixel. */
const grayNoise = 16;

/**
 * Reads the edited area of a mask. As in `editedLevels`, less than a sixteenth of transparency doesn't count, since
 * lossy formats and soft brushes leave it.
 *
 * @throws CodecError as `decodeImage`
 */
export async function maskFacts(bytes: Uint8Array): Promise<MaskFacts> {
  const { rgba } = await decodeUpright(bytes);
  const shareOf = (isByAlpha: boolean): MaskedShare => {
    const first = maskLevel(rgba, 0, isByAlpha);
    for (let at = 4; at < rgba.length; at += 4) {
      if (maskLevel(rgba, at, isByAlpha) !== first) {
        return 'part';
      }
    }
    return first === 0 ? 'nothing' : first === 255 ? 'everything' : 'part';
  };
  return { byTransparency: shareOf(true), byLightness: shareOf(false), isGray: isGray(rgba) };
}

function isGray(rgba: Uint8Array): boolean {
  for (let at = 0; at < rgba.length; at += 4) {
    const [red, green, blue] = [rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0];
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > grayNoise) {
      return false;
    }
  }
  return true;
}

/** @throws CodecError as `decodeImage` */
export async function convertMask(bytes: Uint8Array, convention: MaskConvention): Promise<Uint8Array> {
  const { width, height, rgba } = await decodeUpright(bytes);
  const levels = editedLevels({ width, height, rgba });
  for (const [pixel, level] of levels.entries()) {
    rgba.set(convention === 'alpha' ? [0, 0, 0, 255 - level] : [level, level, level, 255], pixel * 4);
  }
  return encodeImage({ width, height, rgba }, { format: 'png' });
}

/** A change of the transparency of an image. */
export interface Repair {
  file: Uint8Array;
  /** A PNG of its size, upright, in which a pixel is as transparent as the repaired one is to be opaque. */
  alpha: Uint8Array;
  /** The image that it was cut out of, in its size and place. */
  source?: Pixels | undefined;
}

/**
 * Changes the transparency of an image, losslessly, in eight bits per channel. The result is WebP if the image is WebP,
 * otherwise PNG, with its color profile.
 *
 * @throws CodecError as `decodeImage`, and for an alpha of another size
 */
export async function repairTransparency({ file, alpha, source }: Repair): Promise<Uint8Array> {
  const pixels = await decodeUpright(file);
  const wanted = await decodeUpright(alpha);
  if (!isSame(pixels, wanted)) {
    throw new CodecError(english.t('The image has another size than its repair.'));
  }
  const { rgba } = pixels;
  const colors = source?.rgba ?? rgba;
  for (let at = 0; at < rgba.length; at += 4) {
    repairPixel(rgba, colors, at, 255 - (wanted.rgba[at + 3] ?? 0));
  }
  const isWebp = formatOf(file) === 'webp';
  return withColorsOf(
    await encodeImage(pixels, isWebp ? { format: 'webp', lossless: true } : { format: 'png' }),
    file,
  );
}
