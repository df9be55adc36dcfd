/** Created when first needed, since that takes ten milliseconds. */
let segmenter: Intl.Segmenter | undefined;

/** Text whose characters never combine with their neighbors. */
const alone = /^[ -~]*$/u;

/** Measures a part of a text in the unit of the limit. */
type SizeOf = (part: string) => number;

const utf16Units: SizeOf = (part) => part.length;

/**
 * Returns the longest beginning of a text within a limit. Cuts between visible characters, never within a surrogate
 * pair or between a letter and its accent.
 *
 * @param sizeOf a character's share of the limit; by default, its UTF-16 units
 */
export function truncate(text: string, limit: number, sizeOf = utf16Units): string {
  if (sizeOf === utf16Units && text.length <= limit) {
    return text;
  }
  const characters = alone.test(text)
    ? Array.from(text.slice(0, limit + 1), (segment, index) => ({ segment, index }))
    : (segmenter ??= new Intl.Segmenter()).segment(text);
  let size = 0;
  for (const { segment, index } of characters) {
    size += sizeOf(segment);
    if (size > limit) {
      return text.slice(0, index);
    }
  }
  return text;
}

/** Like `truncate`, with `…` at the end of a shortened text, which counts as one. */
export function ellipsize(text: string, limit: number, sizeOf = utf16Units): string {
  return truncate(text, limit, sizeOf) === text ? text : `${truncate(text, limit - 1, sizeOf)}…`;
}

/** Controls, bidirectional and zero-width marks, and line separators, which can mislead the reader. */
export const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Makes untrusted text safe for a terminal or an agent, on one line. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, ' ').replaceAll(/\s+/gu, ' ').trim();
}

/** Lists names in a sentence. @param language as a BCP 47 tag */
export function listText(names: readonly string[], language: string): string {
  return new Intl.ListFormat(language, { type: 'conjunction', style: 'long' }).format(names);
}

/** Joins sentences; those of Chinese and Japanese have no space between them. */
export function sentencesText(sentences: readonly string[]): string {
  return sentences.join(' ').replaceAll(/(?<=[。！？]) /gu, '');
}

/** Returns a text with a period, unless it already ends like a sentence. */
export function asSentence(text: string): string {
  // A quotation mark or a parenthesis may follow.
  const end = /^$|[.!?…。！？]\W?$/u.test(text) ? '' : /[\u3040-\u9fff]\W?$/u.test(text) ? '。' : '.';
  return text + end;
}

export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  const end = twoDigits(seconds);
  return minutes < 60 ? `${minutes}:${end}` : `${Math.floor(minutes / 60)}:${twoDigits(minutes)}:${end}`;
}

function twoDigits(count: number): string {
  return String(count % 60).padStart(2, '0');
}

/** Formats the size of an image: `1024 × 768`. */
export function sizeText({ width, height }: { width: number; height: number }): string {
  return `${width} × ${height}`;
}

/** Percent-encodes characters that would end an address in HTML, CSS, or Markdown. @param path with slashes */
export function encodePath(path: string): string {
  return path
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment).replaceAll(/[()']/gu, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
    )
    .join('/');
}

export function firstSentence(text: string): string {
  return text.split(/\.(?:$| (?=[\p{Lu}\p{Lo}]))|。/u, 1)[0] ?? text;
}

/** MIME type of images dragged from the task list or the studio: JSON with the task and the index of each. */
export const draggedImagesType = 'application/vnd.limner.images';
