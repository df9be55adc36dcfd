interface Sized {
  /** `<width>x<height>`, as sent to the service. */
  size?: string;
  /** The finishing step; its size is the one that the user asked for. */
  finish?: { size?: { width: number; height: number } };
}

/** A size, `<width>x<height>`, or an empty text: the service decides. */
export const sizeOrNone = /^$|^[1-9]\d*x[1-9]\d*$/;

/** The largest possible side of an image, in pixels. */
export const largestSide = 16_384;

/** Returns the size, `<width>x<height>`, that a user typed in one of the usual ways, such as "1200 × 630". */
export function typedSize(text: string): string | undefined {
  const sides = /^\s*(\d{1,5})\s*(?:[x×*·,;:/]|\s|by)\s*(\d{1,5})\s*(?:px)?\s*$/iu
    .exec(text)
    ?.slice(1)
    .map(Number);
  return sides?.every((side) => side >= 1 && side <= largestSide) ? sides.join('x') : undefined;
}

/** Returns the size that the user asked for, `<width>x<height>`; undefined if the service decides. */
export function askedSize({ size, finish }: Sized): string | undefined {
  return finish?.size ? `${finish.size.width}x${finish.size.height}` : size;
}

/** How to change an image whose size isn't the requested one; `off` leaves it as it is. */
export const fits = ['off', 'crop', 'pad', 'stretch'] as const;

export type FitSetting = (typeof fits)[number];

/** Ways to send a request, after `auto` has been resolved. */
export const callStyles = ['async', 'sync', 'native', 'nativeStream'] as const;

export type CallStyle = (typeof callStyles)[number];

export const callStyleSettings = ['auto', ...callStyles] as const;

export type CallStyleSetting = (typeof callStyleSettings)[number];

/** Whether this is a call of the second model family, which accepts no images. */
export function isNative(style: CallStyleSetting): boolean {
  return style === 'native' || style === 'nativeStream';
}

/** Levels this close to 0 or 255 count as 0 or 255, since lossy compression blurs both. */
const almostNothing = 16;
const almostAll = 239;

type Rgba = Uint8Array | Uint8ClampedArray;

/** Whether a mask marks the edited area by transparency; without noticeable transparency, lightness does. */
export function isMaskByAlpha(rgba: Rgba): boolean {
  for (let at = 0; at < rgba.length; at += 4) {
    if (maskLevel(rgba, at, true) > 0) {
      return true;
    }
  }
  return false;
}

/** Returns how much a mask edits the pixel whose bytes begin at `at`, from 0 to 255. */
export function maskLevel(rgba: Rgba, at: number, isByAlpha: boolean): number {
  const level = isByAlpha ? 255 - (rgba[at + 3] ?? 0) : lightness(rgba, at);
  return level < almostNothing ? 0 : level > almostAll ? 255 : level;
}

function lightness(rgba: Rgba, at: number): number {
  return ((rgba[at] ?? 0) * 54 + (rgba[at + 1] ?? 0) * 183 + (rgba[at + 2] ?? 0) * 19) >> 8;
}

/** Smallest difference in a channel, of 255, that counts as a change unless another is chosen. */
export const leastChange = 8;

/** Returns the largest difference in a channel between the pixels of two images whose bytes begin at `at`. */
export function amountAt(before: Rgba, after: Rgba, at: number): number {
  let most = 0;
  for (let channel = at; channel < at + 4; channel++) {
    most = Math.max(most, channelAmount(before, after, channel));
  }
  return most;
}

/**
 * Gives a pixel another alpha, as a repair of transparency does: where it becomes more opaque, the color of the source
 * comes back as far as it does. What has no color in either stays clear.
 *
 * @param file pixels that are repaired, written in place
 * @param source pixels of what it was cut out of, of the same size; the file itself if there is none
 */
export function repairPixel(file: Rgba, source: Rgba, at: number, alpha: number): void {
  const before = file[at + 3] ?? 0;
  const hasSource = source !== file && (source[at + 3] ?? 0) > 0;
  if (before === 0 && !hasSource) {
    return;
  }
  file[at + 3] = alpha;
  if (hasSource && alpha > before) {
    const share = (alpha - before) / (255 - before);
    const over = 255 * share;
    const under = before * (1 - share);
    for (let channel = at; channel < at + 3; channel++) {
      file[channel] = Math.round(
        ((source[channel] ?? 0) * over + (file[channel] ?? 0) * under) / (over + under),
      );
    }
  }
}

export function channelAmount(before: Rgba, after: Rgba, at: number): number {
  return Math.abs((before[at] ?? 0) - (after[at] ?? 0));
}

/** The sizes that most services have, for models whose entry lists none. */
export const usualSizes = ['1024x1024', '1536x1024', '1024x1536'];

/** Models whose sizes are unknown are asked for no shorter side than this, in pixels. */
const leastSide = 512;

/**
 * Returns the size to request from a model so that Limner can fit the image to the wanted size. A small size is
 * requested large: few services have it, and a subject is cut out best at full resolution.
 *
 * @param sizes all sizes of the model, `<width>x<height>` each; empty if unknown
 */
export function sizeToFit(wanted: string, sizes: readonly string[]): string {
  const { width, height } = sizeOf(wanted);
  const isSmall = sizes.length === 0 && Math.min(width, height) < leastSide;
  return nearestSize(wanted, isSmall ? usualSizes : sizes);
}

/**
 * Returns the size of a model that loses least when fitted to the wanted one, or that size itself if the model has it.
 * The nearest shape has priority, then enough pixels, then few of them.
 *
 * @param sizes as in `sizeToFit`
 */
export function nearestSize(wanted: string, sizes: readonly string[]): string {
  if (sizes.includes(wanted)) {
    return wanted;
  }
  const { width, height } = sizeOf(wanted);
  const lossOf = (size: string): [shape: number, tooFew: number, area: number] => {
    const own = sizeOf(size);
    const shape = Math.abs(Math.log(own.width / own.height / (width / height)));
    // Shapes that differ by less than a twentieth count as equal.
    return [Math.round(shape * 20), Number(own.width < width || own.height < height), own.width * own.height];
  };
  const [best = wanted] = sizes
    .filter((size) => Math.min(sizeOf(size).width, sizeOf(size).height) >= 1)
    .toSorted((one, other) => {
      const [shape, tooFew, area] = lossOf(one);
      const [otherShape, otherTooFew, otherArea] = lossOf(other);
      // Of those with too few pixels, the largest.
      return shape - otherShape || tooFew - otherTooFew || (tooFew ? otherArea - area : area - otherArea);
    });
  return best;
}

/** Reads `<width>x<height>`; `NaN` for anything else. */
export function sizeOf(text: string): { width: number; height: number } {
  const [, width, height] = /^(\d+)x(\d+)$/u.exec(text) ?? [];
  return { width: Number(width), height: Number(height) };
}
