import { truncate } from '../common/truncate.ts';

/** Controls, line separators, and marks that turn the direction of writing around. */
const misleading = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

/** A text of somebody else's in one line of at most so many characters, with nothing in it that is not seen. */
export function singleLine(text: string, longest: number): string {
  return truncate(text.replaceAll(misleading, ' ').trim(), longest);
}
