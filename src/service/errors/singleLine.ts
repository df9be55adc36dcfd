import { truncate } from '../../common/truncate.ts';

/** Most characters of one text of the service that are kept, and that are shown. */
export const maxKeptLength = 4000;
export const maxShownLength = 500;

/** More than that of a text is not looked at, however little of it remains then. */
export const maxReadLength = 20_000;

/** As much as a character may take, as people see them. */
const maxCharacterLength = 32;

/** Controls, line separators, and marks that turn the direction of writing around. */
const misleading = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

/** A text of somebody else's in one line of at most so many characters, with nothing in it that is not seen. */
export function singleLine(text: string, longest: number): string {
  return shortened(text.slice(0, maxReadLength).replaceAll(misleading, ' ').trim(), longest);
}

/** A text of at most so many characters, cut between two of them; only its end is looked at. */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const certain = Math.max(longest - maxCharacterLength, 0);
  return (
    text.slice(0, certain) + truncate(text.slice(certain, longest + maxCharacterLength), longest - certain)
  );
}
