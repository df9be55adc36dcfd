import { truncate } from '../../common/text.ts';

/** Maximum number of characters to keep of a service's text, and to show. */
export const maxKeptLength = 4000;
export const maxShownLength = 500;

/** Maximum number of characters to read of a text, however few of them are kept. */
export const maxReadLength = 20_000;

/** Maximum number of UTF-16 units in a visible character. */
const maxCharacterLength = 32;

/** Control characters, line separators, and bidirectional marks. */
const misleading = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

/** Returns untrusted text on one line of limited length, without invisible characters. */
export function singleLine(text: string, longest: number): string {
  return shortened(text.replaceAll(misleading, ' ').trim(), longest);
}

/** Shortens a text to a length without splitting a character. */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) {
    return text;
  }
  const certain = Math.max(longest - maxCharacterLength, 0);
  return (
    text.slice(0, certain) + truncate(text.slice(certain, longest + maxCharacterLength), longest - certain)
  );
}

/** Matches runs of base64 characters that are too long to be words, also if escaped or broken into lines. */
const base64Run =
  /(data:[\w.+/-]{0,100};base64,)?(?:(?:(?:[\w+/=-]|%[\dA-F]{2}){60,}\s{1,4}){2,}[\w+/=-]*|(?:[\w+/=-]|%[\dA-F]{2}){200,}|(?:iVBORw0KGgo|\/9j\/|UklGR|R0lGOD)[\w+/=-]{40,})/giu;

/** Returns untrusted text with each data URL or base64 run shortened to its beginning. */
export function withoutBase64(text: string): string {
  return text.replaceAll(base64Run, (run, head?: string) => `${head ?? run.slice(0, 12)}…`);
}

export const redactedKey = '•••';

/** Shorter keys are placeholders for services that need none, and may occur in any text. */
const minKeyLength = 8;

/**
 * Returns a function that removes a key from untrusted text: as it is, escaped as in JSON, URLs, or HTML, and within
 * base64. Services may repeat the key in any message, and messages are shown and stored.
 */
export function redactorFor(apiKey: string): (text: string) => string {
  if (apiKey.length < minKeyLength) {
    return (text) => text;
  }
  const spelled = Array.from(apiKey, (character, index) => spellings(character, index > 0)).join('');
  const pattern = new RegExp([spelled, ...[0, 1, 2].map((start) => encoded(apiKey, start))].join('|'), 'gu');
  return (text) => text.replaceAll(pattern, redactedKey);
}

/**
 * Returns a pattern for every spelling of a character. Inside the key it may be escaped repeatedly; the number of
 * backslashes is limited since a text may be full of them.
 */
function spellings(character: string, isInside: boolean): string {
  const code = character.charCodeAt(0);
  const hex = code
    .toString(16)
    .padStart(2, '0')
    .replaceAll(/[a-f]/gu, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const literal = character.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
  const escapes = isInside ? String.raw`\\{0,16}` : '';
  return String.raw`(?:${escapes}(?:${literal}|u00${hex})|%${hex}|&#(?:0*${code}|[xX]0*${hex});)`;
}

/** Returns the base64 of a key that begins at this offset in a group of three bytes, without shared characters. */
function encoded(apiKey: string, start: number): string {
  const bytes = Buffer.concat([Buffer.alloc(start), Buffer.from(apiKey)]);
  return bytes
    .toString('base64')
    .slice(Math.ceil((start * 8) / 6), Math.floor((bytes.length * 8) / 6))
    .replaceAll('+', String.raw`[+\-]`)
    .replaceAll('/', String.raw`[\/_]`);
}
