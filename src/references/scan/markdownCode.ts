import { linesOf } from './lines.ts';
import { maskedAt, type Range } from './masked.ts';

const quoteMarks = /^(?: {0,3}> ?)*/u;
const listItem = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/u;
/** What is indented below these belongs to them: notes, tabs and definitions, as generators of sites have them. */
const indenting = /^(?:!!!|\?\?\?\+?|===|\[\^[^\]]{1,100}\]:|:)(?=[ \t])/u;
const fence = /^(?:`{3,}(?!`|.*`)|~{3,})/u;
const headingLine = /^#{1,6}(?=[ \t]|$)/u;
/** How what is no Markdown begins and ends: comments and elements. */
const raw = [
  [/^<!--/u, /-->/u],
  [/^<(?:pre|script|style|textarea)(?=[\s>]|$)/iu, /<\/(?:pre|script|style|textarea)>/iu],
] as const;
const rawInMdx = [[/^\{\/\*/u, /\*\//u]] as const;

/** A block of code or of what is no Markdown. */
interface Open {
  /** Returns where the block ends in a line; undefined if it does not. */
  endIn(line: string): number | undefined;
  isFence: boolean;
  /** Marks of quotes before each line. */
  quotes: number;
  /** Column at which the content of the list item begins that it is in. */
  indent: number;
}

/**
 * Returns Markdown in which code and comments are blank, and whatever else is no Markdown.
 *
 * @param isMdx whether comments are those of JavaScript, and indented lines no code
 */
export function withoutMarkdownCode(source: string, isMdx = false): string {
  return withoutCodeSpans(withoutCodeBlocks(source, isMdx));
}

/** As `withoutMarkdownCode`, with the code in lines of text as it stands. */
export function withoutCodeBlocks(source: string, isMdx = false): string {
  return maskedAt(source, new CodeBlocks(isMdx).rangesIn(source));
}

/**
 * Returns whether a place is in a block of code, or of what is no Markdown; to be asked from the top down.
 *
 * @param from where nothing is open
 */
export function codeBlocksFrom(source: string, from: number, isMdx = false): (place: number) => boolean {
  const ranges = new CodeBlocks(isMdx).rangesIn(source.slice(from));
  let next = ranges.next();
  return (place) => {
    while (next.value && from + next.value[1] <= place) {
      next = ranges.next();
    }
    return next.value !== undefined && from + next.value[0] <= place;
  };
}

class CodeBlocks {
  readonly #isMdx: boolean;
  #open: Open | undefined;
  /** Columns at which the content of each list item begins that a line may be in. */
  #items: number[] = [];
  #quotes = 0;
  #isInParagraph = false;

  constructor(isMdx: boolean) {
    this.#isMdx = isMdx;
  }

  *rangesIn(source: string): Generator<Range, undefined> {
    for (const { start, text } of linesOf(source)) {
      const marks = quoteMarks.exec(text)?.[0] ?? '';
      const code = this.#codeIn(text.slice(marks.length), marks.split('>').length - 1);
      if (code) {
        yield [start + marks.length + code[0], start + marks.length + code[1]];
      }
    }
  }

  /** Returns the part of a line that is code. @param line without marks of quotes */
  #codeIn(line: string, quotes: number): Range | undefined {
    const content = line.trimStart();
    const indent = columnsOf(line.slice(0, line.length - content.length));
    if (
      this.#open?.isFence &&
      (quotes < this.#open.quotes || (content !== '' && indent < this.#open.indent))
    ) {
      this.#open = undefined;
    }
    if (this.#open) {
      return [0, this.#closeIn(line)];
    }
    if (content === '') {
      this.#isInParagraph = false;
      return undefined;
    }
    if (quotes !== this.#quotes) {
      this.#items = [];
      this.#quotes = quotes;
    }
    this.#items = this.#items.filter((column) => column <= indent);
    if (!this.#isMdx && !this.#isInParagraph && indent >= (this.#items.at(-1) ?? 0) + 4) {
      return [0, line.length];
    }
    return this.#codeBehindMarks(line, line.length - content.length, indent);
  }

  /** Returns the part of a line that is code, from where the marks of lists end. */
  #codeBehindMarks(line: string, start: number, indent: number): Range | undefined {
    let [at, column] = [start, indent];
    for (;;) {
      const rest = line.slice(at, at + 200);
      const mark = listItem.exec(rest)?.[0];
      if (mark === undefined) {
        if (indenting.test(rest)) {
          this.#items.push(column + 4);
        }
        break;
      }
      const blanks = /^[ \t]*/u.exec(line.slice(at + mark.length))?.[0] ?? '';
      column += mark.length + (blanks.length > 4 ? 1 : Math.max(1, blanks.length));
      at += mark.length + blanks.length;
      this.#items.push(column);
    }
    const content = line.slice(at);
    this.#isInParagraph = content !== '' && !headingLine.test(content);
    this.#open = this.#openedBy(content);
    if (!this.#open) {
      return undefined;
    }
    this.#isInParagraph = false;
    return [at, this.#open.isFence ? line.length : at + this.#closeIn(content)];
  }

  /** Returns where the code in a line ends, and with it the open block if it ends there. */
  #closeIn(line: string): number {
    const end = this.#open?.endIn(line);
    if (end !== undefined) {
      this.#open = undefined;
    }
    return end ?? line.length;
  }

  #openedBy(content: string): Open | undefined {
    const place = { quotes: this.#quotes, indent: this.#items.at(-1) ?? 0 };
    const marks = fence.exec(content)?.[0];
    if (marks !== undefined) {
      return {
        endIn: (line) => (closesFence(line.trim(), marks) ? line.length : undefined),
        isFence: true,
        ...place,
      };
    }
    const end = (this.#isMdx ? rawInMdx : raw).find(([start]) => start.test(content))?.[1];
    return end && { endIn: (line) => endOf(end.exec(line)), isFence: false, ...place };
  }
}

function closesFence(line: string, marks: string): boolean {
  return line.length >= marks.length && line === marks.slice(0, 1).repeat(line.length);
}

function endOf(match: RegExpExecArray | null): number | undefined {
  return match ? match.index + match[0].length : undefined;
}

/** Returns how wide white space is, with tabs to every fourth column. */
function columnsOf(blanks: string): number {
  let columns = 0;
  for (const sign of blanks) {
    columns += sign === '\t' ? 4 - (columns % 4) : 1;
  }
  return columns;
}

/** Runs of backticks, what is behind a backslash, and the ends of lines that end a paragraph. */
const marksOfSpans = /\\\\|\\?`+|\n(?=[ \t>]*(?:[\r\n#|]|[-*+][ \t]|\d{1,9}[.)][ \t]|$))/gu;

/** Returns Markdown in which everything is blank from backticks to the next ones of the same number in their paragraph. */
function withoutCodeSpans(text: string): string {
  const marks = [...text.matchAll(marksOfSpans)];
  const ends = new Map<number, number>();
  const spans: Range[] = [];
  for (const { index, 0: mark } of marks.toReversed()) {
    if (mark === '\n') {
      ends.clear();
    } else if (mark.endsWith('`')) {
      // A backslash takes the first one's meaning where a span may begin, but not in a span.
      const start = index + (mark.startsWith('\\') ? 2 : 0);
      const stop = index + mark.length;
      const end = ends.get(stop - start);
      if (end !== undefined) {
        spans.push([start, end]);
      }
      ends.set(mark.startsWith('\\') ? mark.length - 1 : mark.length, stop);
    }
  }
  let at = 0;
  const outer = spans.toReversed().filter(([start, end]) => {
    const isOuter = start >= at;
    at = isOuter ? end : at;
    return isOuter;
  });
  return maskedAt(text, outer);
}
