/** A part of a text, in UTF-16 units. */
export type Range = readonly [start: number, end: number];

/**
 * Returns a text in which what a pattern matches is blank, so that nothing is found there, and everything else is where it
 * was. Line ends stay.
 *
 * @param pattern global; a first group is kept as it is, before what becomes blank
 */
export function masked(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (match: string, kept: unknown) => {
    const before = typeof kept === 'string' ? kept : '';
    return before + blank(match.slice(before.length));
  });
}

/** As `masked`, for parts of the text. @param ranges in the order of the text */
export function maskedAt(text: string, ranges: Iterable<Range>): string {
  let result = '';
  let at = 0;
  for (const [start, end] of ranges) {
    result += text.slice(at, start) + blank(text.slice(start, end));
    at = end;
  }
  return result + text.slice(at);
}

/** Returns as much white space, with the line ends. */
export function blank(text: string): string {
  return text.replaceAll(/[^\n\r]+/gu, (line) => ' '.repeat(line.length));
}
