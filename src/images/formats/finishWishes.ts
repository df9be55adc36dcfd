import * as english from '../../common/english.ts';
import { sizeOf, type FitSetting } from '../../common/requestValues.ts';
import { type Encoding, type Finish, finishProblem, type Fit, noQuality } from './finish.ts';

/** The user's requests, in terms of options, arguments, and settings. Values may be invalid. */
export interface FinishWishes {
  cutout?: Finish['cutout'] | undefined;
  encoding?: Encoding | undefined;
  /** `<width>x<height>`; empty for none. */
  size?: string | undefined;
  fit?: FitSetting | undefined;
  focus?: { x: number; y: number } | undefined;
  fill?: string | undefined;
  trim?: Finish['trim'] | undefined;
  multiples?: Finish['multiples'] | undefined;
}

/** The user's requests for a file's encoding. Values may be invalid, or contradict each other. */
export interface EncodingWishes {
  format?: Encoding['format'] | undefined;
  quality?: number | undefined;
  lossless?: boolean | undefined;
}

/**
 * Returns the problem with requests in an English sentence, or undefined if there is none. Also checks values that the
 * chosen fit or format doesn't use: a typo there would otherwise go unnoticed.
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

/** Returns why a file can't be written as requested, in an English sentence; undefined if it can. */
export function encodingProblem({ format, quality, lossless }: EncodingWishes): string | undefined {
  if (lossless) {
    return format === 'webp' && quality === undefined
      ? undefined
      : english.t('Only WebP files are lossless if that is asked for, and have no quality then.');
  }
  return quality !== undefined && format === 'png' ? noQuality : wishesProblem({ quality });
}

/** Returns the requested encoding, if any. Check the request with `encodingProblem` first. */
export function encodingOf({ format, lossless }: EncodingWishes): Encoding | undefined {
  return format && (format === 'webp' && lossless ? { format, lossless } : { format });
}

/** Returns the encoding for a format with a quality from 1 to 100, which PNG doesn't have. */
export function withQuality(format: Encoding['format'], quality: number): Encoding {
  return format === 'png' ? { format } : { format, quality };
}

/** Reads a margin such as `8px` or `5%`; `finishProblem` refuses an unreadable one. */
export function trimOf(text: string): NonNullable<Finish['trim']> {
  const [, margin, unit] = /^(\d+(?:\.\d+)?)\s*(px|%)?$/u.exec(text.trim()) ?? [];
  return { margin: Number(margin), unit: unit === '%' ? '%' : 'px' };
}

/**
 * Returns the finishing step for requests, to be checked by `finishProblem`.
 *
 * @param quality of the file, which is written with it even if it needs no other change
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

/** Returns the finishing step for new images; undefined if nothing is requested. */
export function finishIfAsked(wishes: FinishWishes): Finish | undefined {
  const finish = finishOf(wishes);
  // A fit alone requests no change.
  const isAsked = finish.cutout ?? finish.encoding ?? finish.trim ?? finish.size ?? finish.multiples;
  return isAsked === undefined ? undefined : finish;
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
