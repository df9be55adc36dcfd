import { InvalidArgumentError } from 'commander';
import { callStyles, callStyleSettings, isNative } from '../common/callStyle.ts';

/** Parses a whole number from 1. */
export function positive(value: string): number {
  const number = Number(value);
  if (!/^\d+$/u.test(value) || !Number.isSafeInteger(number) || number < 1) {
    throw new InvalidArgumentError('Enter a whole number, 1 or greater.');
  }
  return number;
}

/** Parses a size in pixels, `<width>x<height>`. */
export function size(value: string): string {
  if (!/^[1-9]\d*x[1-9]\d*$/u.test(value)) {
    throw new InvalidArgumentError('Enter <width>x<height> in pixels, for example 1024x1024.');
  }
  return value;
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
    throw new InvalidArgumentError(
      `Native calls don't support input images. For an edit, use one of ${editStyles.join(', ')}.`,
    );
  }
  return oneOf(editStyles, value);
}

function oneOf(styles: readonly string[], value: string): string {
  if (!styles.includes(value)) {
    throw new InvalidArgumentError(`Use one of ${styles.join(', ')}.`);
  }
  return value;
}
