import { ellipsize, unprintable } from '../../common/text.ts';

export { printable } from '../../common/text.ts';

/** Characters that take two columns: East Asian wide and fullwidth ones, and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;

/** Returns lines without what could move the cursor of a terminal or deceive the eye; they stay as wide as they are. */
export function visible(lines: string): string {
  return lines
    .split('\n')
    .map((line) => line.replaceAll(unprintable, ' '))
    .join('\n');
}

/**
 * Returns a value as a line of JSON that is safe for a terminal: what could move the cursor is escaped, without loss.
 * Lone surrogates are replaced, since jq rejects the whole line because of one.
 */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value, wellFormed).replaceAll(unprintable, (run) =>
    Array.from(
      { length: run.length },
      (_, index) => `\\u${run.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

/** Truncates a text to a number of columns, with `…` in place of the rest. */
export function fit(text: string, columns: number): string {
  return ellipsize(text, columns, columnsOfOne);
}

/** Returns how many columns a text takes. */
export function columnsOf(text: string): number {
  return Array.from(text, columnsOfOne).reduce((sum, columns) => sum + columns, 0);
}

function columnsOfOne(character: string): number {
  return wide.test(character) ? 2 : 1;
}
