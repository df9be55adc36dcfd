import { templateComment } from './masked.ts';
import { blocksFrom } from './markdownCode.ts';
import { frontMatterIn, longestFrontMatter } from './frontMatter.ts';
import { reachBelow } from './wordsAround.ts';

/** The positions at which documents of a language may be divided, so that each part can be read on its own. */
export interface Division {
  /**
   * Matches a possible start of a part in a group called `cut`, and everything that must not be divided: comments, code,
   * and the like. The start may be the name of an image above it if its group is `name`, or if both are in an element of
   * the group `box`. Unterminated ones extend to the end of the document, so that nothing changes the
   * division before them.
   */
  pattern: RegExp;
  /** Whether such positions are so frequent that only some of them are used. */
  isDense: boolean;
  /**
   * Returns a function that tells whether a position is in code, where no pattern can; query it from the top down,
   * from a position that is not.
   */
  codeFrom?: (text: string, from: number) => (place: number) => boolean;
}

const end = '(?![^])';
const markupComment = `<!--[^]*?(?:-->|${end})`;
const styleComment = String.raw`\/\*[^]*?(?:\*\/|${end})`;
const scriptComment = String.raw`\/\*(?<=(?:^|[\s{}()\];,=:>])..)(?!\])[^]*?(?:\*\/|${end})`;
const mdxComment = String.raw`\{\s*${styleComment}`;
const rawElement = String.raw`<(?<raw>pre|code|textarea|script|style)(?=[\s>])[^]*?(?:<\/\k<raw>\s*>|${end})`;
const lineEnd = String.raw`[ \t]*\r?$`;
/** Unterminated front matter extends to the limit. */
const frontMatter = String.raw`(?<![^])\uFEFF?(?<fence>---|\+\+\+)[ \t]*\r?\n(?:[^]{0,${longestFrontMatter}}?^(?:\k<fence>|\.\.\.)${lineEnd}|[^]{0,${longestFrontMatter}})`;
/** In code spans, the signs of comments and elements are text. */
const codeSpan = '(?<!`)(?<span>`+)(?!`)[^\\n]*?(?<!`)\\k<span>(?!`)';
const image = String.raw`<img(?=[\s/>])|!\[`;
const anyImage = `(?<image>${image})`;
/** A heading ends every list, quote, and paragraph above it, and describes the images below it. */
const section = String.raw`(?<cut>^#{1,2}(?=[ \t]))|(?<name>^#{3,6}(?=[ \t]))`;

const oneOf = (alternatives: readonly string[], flags = 'gimu', isDense = false): Division => ({
  pattern: new RegExp(alternatives.join('|'), flags),
  isDense,
});

const outsideOfBlocks =
  (isMdx: boolean): NonNullable<Division['codeFrom']> =>
  (text, from) =>
    blocksFrom(text, from === 0 ? (frontMatterIn(text)?.end ?? 0) : from, isMdx);

export const bySections: Division = {
  ...oneOf([frontMatter, codeSpan, markupComment, rawElement, anyImage, section]),
  codeFrom: outsideOfBlocks(false),
};

export const bySectionsOfMdx: Division = {
  ...oneOf([frontMatter, codeSpan, mdxComment, markupComment, rawElement, anyImage, section]),
  codeFrom: outsideOfBlocks(true),
};

/** A figure, or the value of an attribute, either of which may contain a heading. */
const figure = String.raw`<figure(?=[\s>])[^]*?(?:</figure\s*>|${end})`;
const quotedValue = String.raw`=\s*(?:"[^"\n]*"|'[^'\n]*')`;

export const byHeadings = oneOf([
  markupComment,
  templateComment,
  rawElement,
  `(?<image>${figure}|${image})`,
  quotedValue,
  String.raw`(?<box><(?:article|li|div|a|td)(?=[\s>]))|(?<cut><h[12](?=[\s>]))|(?<name><h[3-6](?=[\s>]))`,
]);

/** Divides scripts and components at the starts of lines. */
export const byStatements = oneOf(
  [
    markupComment,
    scriptComment,
    String.raw`(?<cut>^(?:(?:import|export|const|let|var|function|async|class|type|interface|enum)(?=\s)|<(?:template|script|style)(?=[\s>])))`,
  ],
  'gmu',
  true,
);

/** Divides data at the items of a top-level list, which are indented once. */
export const byItems = oneOf([String.raw`(?<cut>^(?: {2}|\t)\{)`], 'gmu', true);

/** Divides style sheets behind unindented lines that begin or end with the end of a rule. */
export const byRules = oneOf(
  [styleComment, String.raw`(?<cut>(?=[^\s{}/])(?<=^(?:\}[^\n]*|\S[^\n]*\}[ \t]*\r?)\n[ \t\r\n]*))`],
  'gmu',
  true,
);

export const byTitles = oneOf([
  String.raw`^(?<delimiter>-{4,}|\.{4,}|\+{4,}|\/{4,})${lineEnd}[^]*?(?:^\k<delimiter>${lineEnd}|${end})`,
  `^\`\`\`[^]*?(?:^\`\`\`${lineEnd}|${end})`,
  String.raw`(?<cut>^={1,6}(?=[ \t]+\S))`,
]);

/** Returns the starts of parts after the one that begins at a position. */
export function* cutsIn(
  text: string,
  { pattern, isDense, codeFrom }: Division,
  from: number,
): Generator<number> {
  let start = from;
  const isCode = codeFrom?.(text, from) ?? (() => false);
  pattern.lastIndex = from;
  /** Of the last image, and whether an element for both may be open, since the last heading. */
  let [imageAt, isBoxed] = [-Infinity, false];
  for (const { index, groups: { cut, name, image, box } = {} } of text.matchAll(pattern)) {
    if (image !== undefined) {
      imageAt = index;
    } else if (box !== undefined) {
      isBoxed = true;
    } else if (cut !== undefined || name !== undefined) {
      const isName = (name !== undefined || isBoxed) && index - imageAt <= 2 * reachBelow;
      [imageAt, isBoxed] = [-Infinity, false];
      if (isName || index <= start || isCode(index) || (isDense && isPassedOver(text, start, index))) {
        continue;
      }
      yield index;
      start = index;
    }
  }
}

/** The distance to look back (UTF-16 units), the interval to sample, and the share of positions to use. */
const [reach, step, share] = [128, 3, 16];

/** Whether to skip a position, by the text before it alone: so positions after a change stay the same. */
function isPassedOver(text: string, start: number, at: number): boolean {
  let hash = 0;
  for (let index = Math.max(start, at - reach); index < at; index += step) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  }
  return (hash >>> 8) % share !== 0;
}
