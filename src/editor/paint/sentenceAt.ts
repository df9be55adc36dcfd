/** How far a paragraph is looked for its sentences, in UTF-16 units to either side. */
const farthest = 5000;
const blankLine = /\r?\n[ \t]*\r?\n/u;
/** What begins a line without being said: headings, lists, quotations, comments. */
const marks = /^[ \t]*(?:#{1,6}|[-*+>]|\d+[.)]|\/\/+|=+|%+|<!--)[ \t]+/gmu;

/**
 * Returns the sentence at a place of a text, on one line and without what marks its paragraph; empty where there is none.
 * Paragraphs end at blank lines.
 *
 * @param offset in UTF-16 units
 */
export function sentenceAt(text: string, offset: number): string {
  const before =
    text
      .slice(Math.max(0, offset - farthest), offset)
      .split(blankLine)
      .at(-1) ?? '';
  const [after = ''] = text.slice(offset, offset + farthest).split(blankLine, 1);
  // A sentence ends at the end of a line otherwise.
  const paragraph = (before + after).replaceAll(marks, blank).replaceAll(/[\r\n]/gu, ' ');
  const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(paragraph);
  // At the end of a paragraph the last one is meant.
  const found = sentences.containing(before.length) ?? sentences.containing(before.length - 1);
  return found?.segment.replaceAll(/\s+/gu, ' ').trim() ?? '';
}

function blank(text: string): string {
  return ' '.repeat(text.length);
}
