import { Headings, lineBelow } from './wordsAround.ts';
import {
  plainWords,
  wordsFrom,
  type Findings,
  type Reference,
  type WantedSize,
  type ImageWords,
} from './reference.ts';
import { namesImage } from './addresses.ts';
import type { Range } from './masked.ts';

/** Excludes an escaped `!`. */
const mark = String.raw`!\[(?<!(?<!\\)(?:\\\\)*\\!\[)`;
const text = String.raw`((?:\\.|[^\\[\]\n]|\n(?!\r?\n)|\[[^[\]\n]*\]){0,1000})`;
const title = String.raw`(?:\s+(?:"((?:\\.|[^"\\]){0,500})"|'((?:\\.|[^'\\]){0,500})'|\(([^()]{0,500})\)))?`;
const images = new RegExp(
  String.raw`${mark}${text}\]\([ \t\r\n]*(?:<([^<>\n]{1,2000})>|((?:\\.|[^\s()\\]|\([^\s()]*\)){1,2000}))${title}[ \t\r\n]*\)(\{[^{}\n]{0,200}\})?`,
  'gdu',
);
const labelled = new RegExp(String.raw`${mark}${text}\](?:\[([^\]\n]{0,500})\])?(?![([:])`, 'gu');
const definitionLines = new RegExp(
  String.raw`^ {0,3}\[([^\]\n]{1,500})\]:[ \t]*(?:\r?\n[ \t]*)?(?:<([^<>\n]{1,2000})>|([^\s<]\S{0,2000}))${title}[ \t]*$`,
  'gmdu',
);
/** Headings of both kinds: the first group is the text of an ATX heading, the second that of a setext heading. */
export const markdownHeadingLines =
  /^ {0,3}(?:#{1,6}[ \t]+(\S[^\n]{0,300})|([^\s#>|`~*+\-\d][^\n]{0,300})\r?\n {0,3}(?:=+|-{2,})[ \t]*)$/gmu;
const captionLine = /^[ \t]*(?:\r?\n[ \t]*){0,2}(?:\*([^*\n]{3,300})\*|_([^_\n]{3,300})_)[ \t]*(?:\r?\n|$)/u;

/** @param source without code and comments, and otherwise as in the document */
export function scanMarkdown(source: string): Required<Findings> {
  const headings = new Headings();
  for (const { index, 0: line, 1: atx, 2: underlined = '' } of source.matchAll(markdownHeadingLines)) {
    headings.add({
      start: index,
      text: plainWords(atx?.replace(/(?<![ \t#])[ \t#]+$/u, '') ?? underlined),
      level: /^ *(#+)/u.exec(line)?.[1]?.length ?? (/=[ \t]*$/u.test(line) ? 1 : 2),
    });
  }
  const about = (alt: string, label: string | undefined, start: number, end: number): ImageWords => {
    const [, starred, lined] = captionLine.exec(source.slice(end, end + 400)) ?? [];
    const caption = starred ?? lined;
    const above = headings.above(start);
    const below = caption === undefined ? lineBelow(source, end, above, headings.isName(above)) : undefined;
    if (below !== undefined) {
      headings.take(start);
    }
    return wordsFrom({
      alt,
      title: label,
      caption,
      heading: above?.text,
      below,
    });
  };
  const references: Reference[] = [];
  for (const {
    index,
    0: whole,
    1: alt = '',
    4: double,
    5: single,
    6: round,
    7: extra = '',
    indices,
  } of source.matchAll(images)) {
    const [start, end] = indices?.[2] ?? indices?.[3] ?? [0, 0];
    const range = [index, index + whole.length] as const;
    const words = about(alt, double ?? single ?? round, ...range);
    references.push(...referencesTo(source, start, end, range, words, sizeIn(extra)));
  }
  const uses = [...source.matchAll(labelled)].map(({ index, 0: whole, 1: alt = '', 2: label = '' }) => {
    const range = [index, index + whole.length] as const;
    const words = about(alt, undefined, ...range);
    return { label: labelOf(label === '' ? alt : label), words, whole: range };
  });
  const definitions = [...source.matchAll(definitionLines)].flatMap(
    ({ 1: label = '', 4: double, 5: single, 6: round, indices }) => {
      const [start, end] = indices?.[2] ?? indices?.[3] ?? [0, 0];
      const words = wordsFrom({ title: double ?? single ?? round });
      const found = referencesTo(source, start, end, indices?.[0] ?? [start, end], words, {});
      return found.map((reference) => ({ label: labelOf(label), reference }));
    },
  );
  return { references, uses, definitions };
}

function referencesTo(
  source: string,
  start: number,
  end: number,
  whole: Range,
  words: ImageWords,
  size: WantedSize,
): Reference[] {
  const address = source.slice(start, end);
  return namesImage(address, 'url')
    ? [{ address, start, end, notation: 'url', wholes: [whole], words, size }]
    : [];
}

/** Normalizes a label, which ignores case and white space. */
function labelOf(label: string): string {
  return label.trim().replaceAll(/\s+/gu, ' ').toLowerCase();
}

/** Returns the size in attributes after an image, `{width=300 height=200}`, as in some kinds of Markdown. */
function sizeIn(attributes: string): WantedSize {
  const of = (side: string): number | undefined => {
    const digits = new RegExp(String.raw`\b${side}\s*=\s*"?(\d+)(?:px)?"?(?=[\s}])`, 'u').exec(
      attributes,
    )?.[1];
    return digits === undefined ? undefined : Number(digits);
  };
  const [width, height] = [of('width'), of('height')];
  return { ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
}
