import { codeBlocksFrom } from './markdownCode.ts';
import { frontMatterOf } from './scanFrontMatter.ts';

/** Where documents of a language may be divided, so that each part says by itself what it says in the document. */
export interface Division {
  /**
   * Matches in a group that is called `cut` where a part may begin, and besides what is not to be divided: comments, code,
   * and the like. What has no end goes to that of the document, so that nothing decides about what stands before it.
   */
  pattern: RegExp;
  /** Such places are so many that only some of them are taken. */
  isDense: boolean;
  /** Returns whether a place is in code behind one that is not, where no pattern tells; to be asked from the top down. */
  codeFrom?: (text: string, from: number) => (place: number) => boolean;
}

const end = '(?![^])';
const markupComment = `<!--[^]*?(?:-->|${end})`;
const styleComment = String.raw`\/\*[^]*?(?:\*\/|${end})`;
const scriptComment = String.raw`\/\*(?<=(?:^|[\s{}()\];,=:>])..)(?!\])[^]*?(?:\*\/|${end})`;
const mdxComment = String.raw`\{\s*${styleComment}`;
const rawElement = String.raw`<(?<raw>pre|code|textarea|script|style)(?=[\s>])[^]*?(?:<\/\k<raw>\s*>|${end})`;
const lineEnd = String.raw`[ \t]*\r?$`;
/** Where it has no end, as far as that is looked for. */
const frontMatter = String.raw`(?<![^])\uFEFF?---[ \t]*\r?\n(?:[^]{0,20000}?^---${lineEnd}|[^]{0,20000})`;
/** In it, the signs of comments and elements are words. */
const codeSpan = '(?<!`)(?<span>`+)(?!`)[^\\n]*?(?<!`)\\k<span>(?!`)';
/** It ends every list, quote and paragraph above it, and is what the images below it show. */
const section = String.raw`(?<cut>^#{1,6}(?=[ \t]))`;

const oneOf = (alternatives: readonly string[], flags = 'gimu', isDense = false): Division => ({
  pattern: new RegExp(alternatives.join('|'), flags),
  isDense,
});

const outsideOfBlocks =
  (isMdx: boolean): NonNullable<Division['codeFrom']> =>
  (text, from) =>
    codeBlocksFrom(text, from === 0 ? (frontMatterOf(text)?.[1] ?? 0) : from, isMdx);

/** Of Markdown, by its headings. */
export const bySections: Division = {
  ...oneOf([frontMatter, codeSpan, markupComment, rawElement, section]),
  codeFrom: outsideOfBlocks(false),
};

/** As `bySections`, of MDX. */
export const bySectionsOfMdx: Division = {
  ...oneOf([frontMatter, codeSpan, mdxComment, markupComment, rawElement, section]),
  codeFrom: outsideOfBlocks(true),
};

/** An image and what it shows, or the value of an attribute: a heading may be in either. */
const figure = String.raw`<figure(?=[\s>])[^]*?(?:</figure\s*>|${end})`;
const quotedValue = String.raw`=\s*(?:"[^"\n]*"|'[^'\n]*')`;

/** Of pages of HTML, by their headings. */
export const byHeadings = oneOf([
  markupComment,
  rawElement,
  figure,
  quotedValue,
  String.raw`(?<cut><h[1-6](?=[\s>]))`,
]);

/** Of scripts and components, by what begins a line. */
export const byStatements = oneOf(
  [
    markupComment,
    scriptComment,
    String.raw`(?<cut>^(?:(?:import|export|const|let|var|function|async|class|type|interface|enum)(?=\s)|<(?:template|script|style)(?=[\s>])))`,
  ],
  'gmu',
  true,
);

/** Of data: by the items of a list of the whole document, which are indented once. */
export const byItems = oneOf([String.raw`(?<cut>^(?: {2}|\t)\{)`], 'gmu', true);

/** Of style sheets, behind each line that is not indented and begins or ends with the end of a rule. */
export const byRules = oneOf(
  [styleComment, String.raw`(?<cut>(?=[^\s{}/])(?<=^(?:\}[^\n]*|\S[^\n]*\}[ \t]*\r?)\n[ \t\r\n]*))`],
  'gmu',
  true,
);

/** Of AsciiDoc, by its headings. */
export const byTitles = oneOf([
  String.raw`^(?<delimiter>-{4,}|\.{4,}|\+{4,}|\/{4,})${lineEnd}[^]*?(?:^\k<delimiter>${lineEnd}|${end})`,
  `^\`\`\`[^]*?(?:^\`\`\`${lineEnd}|${end})`,
  String.raw`(?<cut>^={1,6}(?=[ \t]+\S))`,
]);

/** Returns where parts begin behind the one that begins at a place. */
export function* cutsIn(
  text: string,
  { pattern, isDense, codeFrom }: Division,
  from: number,
): Generator<number> {
  let start = from;
  const isCode = codeFrom?.(text, from) ?? (() => false);
  pattern.lastIndex = from;
  for (const { index, groups } of text.matchAll(pattern)) {
    const isPlace = groups?.['cut'] !== undefined && index > start && !isCode(index);
    if (isPlace && !(isDense && isPassedOver(text, start, index))) {
      yield index;
      start = index;
    }
  }
}

/** How far back it is looked, in UTF-16 units, at which of these, and how many places one is taken of. */
const [reach, step, share] = [128, 3, 16];

/**
 * Whether a document is not divided at a place, which only what its part ends with tells: so the places behind a change
 * stay the same.
 */
function isPassedOver(text: string, start: number, at: number): boolean {
  let hash = 0;
  for (let index = Math.max(start, at - reach); index < at; index += step) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  }
  return (hash >>> 8) % share !== 0;
}
