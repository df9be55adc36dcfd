/** Made for the first text that needs it, since that takes ten milliseconds. */
let segmenter: Intl.Segmenter | undefined;

/** Characters that stand alone, whatever is beside them. */
const alone = /^[ -~]*$/u;

/** Measures a part of a text in the unit of the limit. */
type SizeOf = (part: string) => number;

const utf16Units: SizeOf = (part) => part.length;

/**
 * Returns the longest beginning of a text within a limit, cut between characters as people see them: neither half a
 * surrogate pair nor a letter without its accent is left at the end.
 *
 * @param sizeOf a character's share of the limit, its UTF-16 units unless it is given
 */
export function truncate(text: string, limit: number, sizeOf = utf16Units): string {
  if (sizeOf === utf16Units && text.length <= limit) {
    return text;
  }
  const characters = alone.test(text) ? singly(text) : (segmenter ??= new Intl.Segmenter()).segment(text);
  let size = 0;
  for (const { segment, index } of characters) {
    size += sizeOf(segment);
    if (size > limit) {
      return text.slice(0, index);
    }
  }
  return text;
}

/** Goes through the characters of a text that stand alone. */
function* singly(text: string): Generator<{ segment: string; index: number }> {
  for (let index = 0; index < text.length; index++) {
    yield { segment: text.charAt(index), index };
  }
}

/** Truncates like `truncate` and ends what was cut with `…`, which counts as one. */
export function ellipsize(text: string, limit: number, sizeOf = utf16Units): string {
  return truncate(text, limit, sizeOf) === text ? text : `${truncate(text, limit - 1, sizeOf)}…`;
}

/**
 * Control characters, bidirectional and zero-width marks, line separators: what could move the cursor or deceive the
 * eye.
 */
export const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Makes foreign text safe for a terminal or an agent, in one line. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, ' ').replaceAll(/\s+/gu, ' ').trim();
}

/** Returns a text with a full stop, unless it ends as a sentence does. */
export function asSentence(text: string): string {
  return text === '' || /[.!?…。！？]["'”’)\]]?$/u.test(text) ? text : `${text}.`;
}

/** Formats a duration as `1:05`, or `1:00:05`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const end = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${end}` : `${minutes}:${end}`;
}

/** Percent-encodes what would end an address in HTML, CSS or Markdown. @param path with slashes */
export function encodePath(path: string): string {
  return path
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment).replaceAll(/[()']/gu, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
    )
    .join('/');
}

/** Returns the first sentence of a text, without its period. */
export function firstSentence(text: string): string {
  return text.split(/\.(?:$| (?=[A-Z]))/u, 1)[0] ?? text;
}
