/**
 * Returns a text in which what a pattern matches is blank, so that nothing is found there, and everything else is where it
 * was. Line ends stay.
 *
 * @param pattern global; a first group is kept as it is, before what becomes blank
 */
export function masked(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (match: string, kept: unknown) => {
    const before = typeof kept === 'string' ? kept : '';
    return before + match.slice(before.length).replaceAll(/[^\n\r]/gu, ' ');
  });
}
