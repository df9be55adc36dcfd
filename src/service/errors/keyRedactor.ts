export const redactedKey = '•••';

/** A shorter key is a word that a service takes because it asks for none: it may be part of any text. */
const minKeyLength = 8;

/**
 * Returns a function that removes a key from foreign texts: as it is, with characters escaped as in JSON, URLs and
 * HTML, and within base64. A service may repeat the key in any of its words, and those are shown and kept.
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
 * Returns a pattern for every spelling of a character. Inside the key it may be escaped several times over; the number
 * of backslashes is limited since a text may be full of them.
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

/** Returns what any base64 contains that encodes the key at this offset in a group of three bytes. */
function encoded(apiKey: string, start: number): string {
  const bytes = Buffer.concat([Buffer.alloc(start), Buffer.from(apiKey)]);
  return bytes
    .toString('base64')
    .slice(Math.ceil((start * 8) / 6), Math.floor((bytes.length * 8) / 6))
    .replaceAll('+', String.raw`[+\-]`)
    .replaceAll('/', String.raw`[\/_]`);
}
