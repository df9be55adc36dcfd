import * as l10n from '@vscode/l10n';
import { inEnglish } from '../../engine/messages/language.ts';
import { InvalidArgumentError } from 'commander';
import { callStyles, callStyleSettings, isNative } from '../../common/requestValues.ts';
import { choiceText } from '../output/localFormats.ts';

/** Parses a whole number from 1. */
export function positive(value: string): number {
  const number = Number(value);
  if (!/^\d+$/u.test(value) || !Number.isSafeInteger(number) || number < 1) {
    throw invalid(() => l10n.t('Enter a whole number, 1 or greater.'));
  }
  return number;
}

/** Parses a size in pixels, `<width>x<height>`. */
export function size(value: string): string {
  if (!/^[1-9]\d*x[1-9]\d*$/u.test(value)) {
    throw invalid(() => l10n.t('Enter <width>x<height> in pixels, for example {0}.', '1024x1024'));
  }
  return value;
}

/** Parses a point in shares of an image, `<x>,<y>`. */
export function point(value: string): { x: number; y: number } {
  const [, x, y] = /^(0|1|0?\.\d+|1\.0+)\s*,\s*(0|1|0?\.\d+|1\.0+)$/u.exec(value) ?? [];
  if (x === undefined) {
    throw invalid(() => l10n.t('Enter <x>,<y>, each from 0 to 1, for example {0}.', '0.5,0.2'));
  }
  return { x: Number(x), y: Number(y) };
}

/** Parses a margin in pixels or percent, such as `8px` or `5%`. */
export function margin(value: string): { margin: number; unit: 'px' | '%' } {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(px|%)?$/u.exec(value) ?? [];
  if (number === undefined) {
    throw invalid(() => l10n.t('Enter a margin in pixels or percent, for example {0} or {1}.', '8px', '5%'));
  }
  return { margin: Number(number), unit: unit === '%' ? '%' : 'px' };
}

/** Parses what a size is rounded up to multiples of. */
export function multiples(value: string): 16 | 'powerOfTwo' {
  switch (value) {
    case '16':
      return 16;
    case 'powerOfTwo':
      return value;
    default:
      throw invalid(() => l10n.t('Use one of {0}.', choiceText(['16', 'powerOfTwo'])));
  }
}

const units = { s: 1000, m: 60_000, h: 3_600_000 };
/** In milliseconds: timers take no more than 24 days. */
const maxDuration = 500 * units.h;

/** Parses a duration such as `90s`, `10m`, or `1h`, or a number of seconds; returns milliseconds. */
export function duration(value: string): number {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)\s*([smh])?$/u.exec(value) ?? [];
  const milliseconds = Number(number) * units[unit === 'm' || unit === 'h' ? unit : 's'];
  if (!(milliseconds > 0 && milliseconds <= maxDuration)) {
    throw invalid(() =>
      l10n.t('Enter a duration such as {0}, {1}, or {2}, of {3} at most.', '90s', '10m', '1h', '500h'),
    );
  }
  return milliseconds;
}

/** Collects an option that may be repeated. */
export function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

const editStyles = callStyleSettings.filter((style) => !isNative(style));

export function callStyle(value: string): string {
  return oneOf(callStyleSettings, value);
}

export function editStyle(value: string): string {
  if (callStyles.some((style) => style === value && isNative(style))) {
    throw invalid(() =>
      l10n.t("Native calls don't support input images. For an edit, use one of {0}.", choiceText(editStyles)),
    );
  }
  return oneOf(editStyles, value);
}

function oneOf(styles: readonly string[], value: string): string {
  if (!styles.includes(value)) {
    throw invalid(() => l10n.t('Use one of {0}.', choiceText(styles)));
  }
  return value;
}

function invalid(why: () => string): Error {
  return new InvalidArgumentError(inEnglish(why));
}
