import type { FitSetting } from '../../common/askedSize.ts';
import type { Dimensions } from './dimensions.ts';
import { type Encoding, type Finish, finishProblem, type Fit, noQuality } from './finish.ts';

/** What a person asks for, in the words of options, arguments and settings. Values may be invalid. */
export interface FinishWishes {
  cutout?: Finish['cutout'] | undefined;
  encoding?: Encoding | undefined;
  /** `<width>x<height>`; an empty one is none. */
  size?: string | undefined;
  fit?: FitSetting | undefined;
  focus?: { x: number; y: number } | undefined;
  fill?: string | undefined;
  trim?: Finish['trim'] | undefined;
  multiples?: Finish['multiples'] | undefined;
}

/** How a person wants a file to be written. Values may be invalid, or contradict each other. */
export interface EncodingWishes {
  format?: Encoding['format'] | undefined;
  quality?: number | undefined;
  lossless?: boolean | undefined;
}

/**
 * Returns what is wrong with wishes in an English sentence, or undefined if nothing is. Those that the chosen fit or
 * format makes no use of count, too: who misspells one does not get what they want.
 *
 * @param wishes `quality` is that of the files that are written
 */
export function wishesProblem({
  size = '',
  fill,
  focus,
  trim,
  multiples,
  quality,
}: FinishWishes & Pick<EncodingWishes, 'quality'>): string | undefined {
  const parts: unknown[] = [
    size !== '' && { size: sizeOf(size) },
    fill !== undefined && { fit: { by: 'pad', fill } },
    focus !== undefined && { fit: { by: 'crop', focus } },
    trim !== undefined && { trim },
    multiples !== undefined && { multiples },
    quality !== undefined && { quality },
  ];
  return parts
    .filter((part) => part !== false)
    .map(finishProblem)
    .find((problem) => problem !== undefined);
}

/** Returns why a file cannot be written as wanted, in an English sentence; undefined if it can. */
export function encodingProblem({ format, quality, lossless }: EncodingWishes): string | undefined {
  if (lossless) {
    return format === 'webp' && quality === undefined
      ? undefined
      : 'Only WebP files are lossless if that is asked for, and have no quality then.';
  }
  return quality !== undefined && format === 'png' ? noQuality : wishesProblem({ quality });
}

/** Returns the format of a file; undefined where none is asked for. To be checked by `encodingProblem` before. */
export function encodingOf({ format, lossless }: EncodingWishes): Encoding | undefined {
  return format && (format === 'webp' && lossless ? { format, lossless } : { format });
}

/** Returns how to write a format with a quality from 1 to 100, which PNG doesn't have. */
export function withQuality(format: Encoding['format'], quality: number): Encoding {
  return format === 'png' ? { format } : { format, quality };
}

/** Reads a margin such as `8px` or `5%`; one that can't be read is refused by `finishProblem`. */
export function trimOf(text: string): NonNullable<Finish['trim']> {
  const [, margin, unit] = /^(\d+(?:\.\d+)?)\s*(px|%)?$/u.exec(text.trim()) ?? [];
  return { margin: Number(margin), unit: unit === '%' ? '%' : 'px' };
}

/**
 * Returns the finishing step that carries wishes out, to be checked by `finishProblem`.
 *
 * @param quality in which the file is to be written, even if it is as wanted otherwise
 */
export function finishOf(wishes: FinishWishes, quality?: number): Finish {
  const { cutout, encoding, size = '', fit = 'crop', trim, multiples } = wishes;
  return {
    ...(cutout && { cutout }),
    ...(encoding && { encoding }),
    ...(quality !== undefined && { quality }),
    ...(trim && { trim }),
    ...(fit !== 'off' && size !== '' && { size: sizeOf(size) }),
    ...(multiples !== undefined && { multiples }),
    ...(fit !== 'off' && { fit: fitOf(fit, wishes) }),
  };
}

/** Returns the finishing step of new images; undefined where nobody asked for one. */
export function finishIfAsked(wishes: FinishWishes): Finish | undefined {
  const finish = finishOf(wishes);
  // How an image gets another size is no wish for one.
  const isAsked = finish.cutout ?? finish.encoding ?? finish.trim ?? finish.size ?? finish.multiples;
  return isAsked === undefined ? undefined : finish;
}

/**
 * Returns the size to ask a model for: the one that is wanted if the model has it, or else the one of its sizes that
 * loses least when it is fitted. The nearest shape comes first, then enough pixels, then few of them.
 *
 * @param sizes all that the model has, `<width>x<height>` each; none if they are not known
 */
export function nearestSize(wanted: string, sizes: readonly string[]): string {
  if (sizes.includes(wanted)) {
    return wanted;
  }
  const { width, height } = sizeOf(wanted);
  const lossOf = (size: string): [shape: number, tooFew: number, area: number] => {
    const own = sizeOf(size);
    const shape = Math.abs(Math.log(own.width / own.height / (width / height)));
    // Shapes that differ by a twentieth are seen as the same.
    return [Math.round(shape * 20), Number(own.width < width || own.height < height), own.width * own.height];
  };
  const [best = wanted] = sizes
    .filter((size) => Math.min(sizeOf(size).width, sizeOf(size).height) >= 1)
    .toSorted((one, other) => {
      const [shape, tooFew, area] = lossOf(one);
      const [otherShape, otherTooFew, otherArea] = lossOf(other);
      // Of those that have too few pixels, the largest.
      return shape - otherShape || tooFew - otherTooFew || (tooFew ? otherArea - area : area - otherArea);
    });
  return best;
}

function fitOf(by: Fit['by'], { focus, fill = 'transparent' }: FinishWishes): Fit {
  switch (by) {
    case 'crop':
      return { by, ...(focus && { focus }) };
    case 'pad':
      return { by, fill };
    case 'stretch':
      return { by };
  }
}

function sizeOf(text: string): Dimensions {
  const [, width, height] = /^(\d+)x(\d+)$/u.exec(text) ?? [];
  return { width: Number(width), height: Number(height) };
}
