import { truncate } from '../../common/text.ts';

/** Most characters of a text of the service that are kept, and that are shown. */
export const maxKeptLength = 4000;
export const maxShownLength = 500;

/** The part of a text that is read, however little of it remains then. */
export const maxReadLength = 20_000;

/** The most that a visible character may take. */
const maxCharacterLength = 32;

/** Controls, line separators, and marks that turn the direction of writing around. */
const misleading = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

/** Returns a foreign text in one line of limited length, without invisible characters. */
export function singleLine(text: string, longest: number): string {
  return shortened(text.replaceAll(misleading, ' ').trim(), longest);
}

/** Cuts a text to a length, between two characters; reads only its end. */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) {
    return text;
  }
  const certain = Math.max(longest - maxCharacterLength, 0);
  return (
    text.slice(0, certain) + truncate(text.slice(certain, longest + maxCharacterLength), longest - certain)
  );
}

/** Longer runs of the characters of base64 are no words, also where they are escaped or broken into lines. */
const base64Run =
  /(data:[\w.+/-]{0,100};base64,)?(?:(?:(?:[\w+/=-]|%[\dA-F]{2}){60,}\s{1,4}){2,}[\w+/=-]*|(?:[\w+/=-]|%[\dA-F]{2}){200,}|(?:iVBORw0KGgo|\/9j\/|UklGR|R0lGOD)[\w+/=-]{40,})/giu;

/** Returns a foreign text without the data in it: a data URL, or base64, is cut after its beginning. */
export function withoutBase64(text: string): string {
  return text.replaceAll(base64Run, (run, head?: string) => `${head ?? run.slice(0, 12)}…`);
}
