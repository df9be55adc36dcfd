/** Returns the width of a text on one line, in pixels. */
export type Measure = (text: string) => number;

/** Scripts without spaces between words. */
const noBlanks =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const endsLine = /[\s\p{Pd}]$/u;
const opens = /[\p{Ps}\p{Pi}]$/u;
const closes = /^[\p{Pe}\p{Pf}\p{Po}\p{Lm}\s]/u;
const rightToLeft =
  /\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}|\p{Script=Adlam}/u;

/** Two letters at the end, of scripts that break words with a hyphen. */
const isHyphenated = /(?:\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}){2}$/u;

const words = new Intl.Segmenter(undefined, { granularity: 'word' });
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Whether a text is read from right to left, by its first letter. */
export function isRightToLeft(text: string): boolean {
  return rightToLeft.test(/\p{L}/u.exec(text)?.[0] ?? '');
}

/**
 * Breaks a text into lines of at most this width and as even as possible. Breaks after spaces and hyphens, anywhere in
 * scripts without spaces, and with a hyphen inside words that are too
 * wide.
 */
export function wrap(text: string, width: number, measure: Measure): string[] {
  const pieces = piecesOf(text);
  const lines = fill(pieces, width, measure);
  let [low, high] = [0, width];
  for (let halving = 0; halving < 8 && lines.length > 1; halving++) {
    const middle = (low + high) / 2;
    if (
      pieces.every((piece) => measure(piece.trimEnd()) <= middle) &&
      fill(pieces, middle, measure).length === lines.length
    ) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return fill(pieces, high, measure);
}

/** Whether every word of a text fits the width. */
export function hasRoom(text: string, width: number, measure: Measure): boolean {
  return piecesOf(text).every((piece) => measure(piece.trimEnd()) <= width);
}

/** Shortens a text to a width, ending with `…`. */
export function cutTo(text: string, width: number, measure: Measure): string {
  const letters = Array.from(characters.segment(text), ({ segment }) => segment);
  while (letters.length > 0 && measure(`${letters.join('')}…`) > width) {
    letters.pop();
  }
  return `${letters.join('').trimEnd()}…`;
}

function fill(pieces: readonly string[], width: number, measure: Measure): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces.flatMap((one) => inParts(one, width, measure))) {
    if (measure((line + piece).trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += piece;
  }
  return [...lines, line].filter((one) => one !== '');
}

/** Breaks a word that is wider than a line. */
function inParts(piece: string, width: number, measure: Measure): string[] {
  if (measure(piece.trimEnd()) <= width) {
    return [piece];
  }
  const parts: string[] = [];
  let part = '';
  for (const { segment } of characters.segment(piece)) {
    if (part !== '' && measure(`${(part + segment).trimEnd()}-`) > width) {
      parts.push(isHyphenated.test(part + segment) ? `${part}-` : part);
      part = '';
    }
    part += segment;
  }
  return [...parts, part];
}

/** Returns the parts of a text between which a line can end. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (const { segment } of words.segment(text.replaceAll(/\s+/gu, ' ').trim())) {
    const before = pieces.at(-1);
    if (before === undefined || canBreak(before, segment)) {
      pieces.push(segment);
    } else {
      pieces[pieces.length - 1] = before + segment;
    }
  }
  return pieces;
}

function canBreak(before: string, after: string): boolean {
  if (closes.test(after)) {
    return false;
  }
  return (
    endsLine.test(before) ||
    (!opens.test(before) &&
      (noBlanks.test(before.slice(-1)) || isAfterFullWidth(before) || noBlanks.test(after.slice(0, 1))))
  );
}

/** Whether a text ends with punctuation of a script without spaces. */
function isAfterFullWidth(text: string): boolean {
  return /[\u3001\u3002\uFF01\uFF0C\uFF1A\uFF1B\uFF1F\u300D\u300F\u3011\uFF09]$/u.test(text);
}
