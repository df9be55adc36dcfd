import { maskedAt, type Range } from './masked.ts';

export interface Line {
  start: number;
  text: string;
}

export function* linesOf(text: string): Generator<Line> {
  for (let start = 0; start <= text.length;) {
    const end = text.indexOf('\n', start);
    const stop = end < 0 ? text.length : end;
    yield { start, text: text.slice(start, text[stop - 1] === '\r' ? Math.max(start, stop - 1) : stop) };
    start = stop + 1;
  }
}

const quoteMarks = /^(?: {0,3}> ?)*/u;
const listItem = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/u;
/** Starts of blocks with indented content: notes, tabs, and definitions, as site generators have them. */
const indenting = /^(?:!!!|\?\?\?\+?|===|\[\^[^\]]{1,100}\]:|:)(?=[ \t])/u;
const fence = /^(?:`{3,}(?!`|.*`)|~{3,})/u;
const headingLine = /^#{1,6}(?=[ \t]|$)/u;
/** Starts and ends of blocks that are not Markdown: comments and elements. */
const raw = [
  [/^<!--/u, /-->/u],
  [/^<(?:pre|script|style|textarea)(?=[\s>]|$)/iu, /<\/(?:pre|script|style|textarea)>/iu],
] as const;
const rawInMdx = [[/^\{\/\*/u, /\*\//u]] as const;
/** Lines that begin HTML, which goes on to the next blank line: with a block of it, or with any tag alone. */
const blockTag =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=\s|\/?>|$)/iu;
const loneTag =
  /^(?:<[a-z][a-z\d-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>|<\/[a-z][a-z\d-]*\s*>)\s*$/iu;
/** An attribute by which site generators read Markdown in HTML. */
const markdownInside = /^<[^<>]*\smarkdown(?:=|[\s>])/iu;

interface Open {
  /** Returns the end of the block in a line; undefined if it continues. */
  endIn(line: string): number | undefined;
  isFence: boolean;
  /** Number of quote marks before each line. */
  quotes: number;
  /** Column of the content of its list item. */
  indent: number;
}

/** @param isMdx whether comments are those of JavaScript, and neither indented lines nor elements end Markdown */
export function plainMarkdown(
  source: string,
  isMdx: boolean,
): {
  /** The document without code and comments. */
  text: string;
  /** Blanks the blocks of HTML, in which Markdown is shown as it is written, in a text of the same length. */
  withoutHtml: (text: string) => string;
} {
  const lines = [...new Blocks(isMdx).linesIn(source)];
  const html = lines.flatMap(({ start, text, html }) =>
    html === undefined ? [] : [[start + html, start + text.length] as const],
  );
  return {
    text: withoutCodeSpans(maskedAt(source, lines.flatMap(codeOf))),
    withoutHtml: (text) => maskedAt(text, html),
  };
}

/** Blanks blocks of code and comments, but no code in lines of text. */
export function withoutCodeBlocks(source: string): string {
  return maskedAt(source, [...new Blocks(false).linesIn(source)].flatMap(codeOf));
}

/** Returns the code in a line, from the start of the document. */
function codeOf({ start, code }: ReadLine): Range[] {
  return code ? [[start + code[0], start + code[1]]] : [];
}

/**
 * Returns a function that tells whether a position is in a block that is code or HTML; query it from the top down.
 *
 * @param from a position outside of blocks
 */
export function blocksFrom(source: string, from: number, isMdx = false): (place: number) => boolean {
  const lines = new Blocks(isMdx).linesIn(source.slice(from));
  let next = lines.next();
  return (place) => {
    while (next.value && from + next.value.start + next.value.text.length < place) {
      next = lines.next();
    }
    const [[start, end] = [Infinity, 0]] = next.value ? codeOf(next.value) : [];
    const isHtml = next.value?.html !== undefined && from + next.value.start + next.value.html <= place;
    return isHtml || (from + start <= place && place < from + end);
  };
}

/**
 * Whether a position is in a block of HTML, or on the blank line that ends one. @param text without front matter
 */
export function htmlBlockAt(text: string, offset: number): 'in' | 'behind' | undefined {
  for (const line of new Blocks(false).linesIn(text)) {
    if (offset <= line.start + line.text.length) {
      const isIn = line.html !== undefined && offset > line.start + line.html;
      return isIn || line.isHtmlBefore ? (line.html === undefined ? 'behind' : 'in') : undefined;
    }
  }
  return undefined;
}

interface ReadLine extends Line {
  /** The part that is code. */
  code: Range | undefined;
  /** Where HTML begins, if it does. */
  html: number | undefined;
  /** Whether the line above is in a block of HTML that this line continues, or ends with a blank. */
  isHtmlBefore: boolean;
}

/** Reads the blocks of a document from the top down, line by line. */
class Blocks {
  readonly #isMdx: boolean;
  #open: Open | undefined;
  /** Whether lines are in HTML until the next blank one, and in how many list items. */
  #html: { items: number } | undefined;
  /** Columns of the contents of the list items that a line may belong to. */
  #items: number[] = [];
  #quotes = 0;
  #isInParagraph = false;

  constructor(isMdx: boolean) {
    this.#isMdx = isMdx;
  }

  *linesIn(source: string): Generator<ReadLine, undefined> {
    for (const { start, text } of linesOf(source)) {
      const marks = quoteMarks.exec(text)?.[0] ?? '';
      yield {
        start,
        text,
        ...this.#read(text.slice(marks.length), marks.length, marks.split('>').length - 1),
      };
    }
  }

  /** @param line without quote marks, which are so long */
  #read(line: string, marks: number, quotes: number): Omit<ReadLine, keyof Line> {
    const content = line.trimStart();
    const blanks = line.length - content.length;
    const indent = columnsOf(line.slice(0, blanks));
    if (
      this.#open?.isFence &&
      (quotes < this.#open.quotes || (content !== '' && indent < this.#open.indent))
    ) {
      this.#open = undefined;
    }
    if (this.#open) {
      const html = this.#open.isFence || this.#isMdx ? undefined : 0;
      return { code: [marks, marks + this.#closeIn(line)], html, isHtmlBefore: html === 0 };
    }
    if (quotes !== this.#quotes) {
      this.#items = [];
      this.#quotes = quotes;
      this.#html = undefined;
    }
    const isHtmlBefore = this.#html !== undefined;
    if (content === '') {
      this.#isInParagraph = false;
      this.#html = undefined;
      return { code: undefined, html: undefined, isHtmlBefore };
    }
    this.#items = this.#items.filter((column) => column <= indent);
    if (this.#html && this.#html.items > this.#items.length) {
      this.#html = undefined;
    }
    if (!this.#isMdx && !this.#html && !this.#isInParagraph && indent >= (this.#items.at(-1) ?? 0) + 4) {
      return { code: [marks, marks + line.length], html: undefined, isHtmlBefore: false };
    }
    const at = this.#html ? blanks : this.#behindMarks(line, blanks, indent);
    const code = this.#codeFrom(line.slice(at));
    const isHtml = this.#html !== undefined || (code !== undefined && !code.isFence && !this.#isMdx);
    return {
      code: code && [marks + at, marks + at + code.length],
      html: isHtml ? (isHtmlBefore ? 0 : marks + at) : undefined,
      isHtmlBefore: isHtmlBefore && this.#html !== undefined,
    };
  }

  /** Returns the end of the list marks in a line. */
  #behindMarks(line: string, start: number, indent: number): number {
    let [at, column] = [start, indent];
    for (;;) {
      const rest = line.slice(at, at + 200);
      const mark = listItem.exec(rest)?.[0];
      if (mark === undefined) {
        if (indenting.test(rest)) {
          this.#items.push(column + 4);
        }
        return at;
      }
      const blanks = /^[ \t]*/u.exec(line.slice(at + mark.length))?.[0] ?? '';
      column += mark.length + (blanks.length > 4 ? 1 : Math.max(1, blanks.length));
      at += mark.length + blanks.length;
      this.#items.push(column);
      // The mark of an item ends the paragraph above.
      this.#isInParagraph = false;
    }
  }

  /** Returns the length of the code with which the rest of a line begins. */
  #codeFrom(content: string): { length: number; isFence: boolean } | undefined {
    if (!this.#isMdx && !this.#html && beginsHtml(content, this.#isInParagraph)) {
      this.#html = { items: this.#items.length };
    }
    this.#open = this.#openedBy(content);
    this.#isInParagraph = content !== '' && !headingLine.test(content) && !this.#open && !this.#html;
    return (
      this.#open && {
        isFence: this.#open.isFence,
        length: this.#open.isFence ? content.length : this.#closeIn(content),
      }
    );
  }

  /** Returns the end of the code in a line, and closes the open block if it ends there. */
  #closeIn(line: string): number {
    const end = this.#open?.endIn(line);
    if (end !== undefined) {
      this.#open = undefined;
    }
    return end ?? line.length;
  }

  #openedBy(content: string): Open | undefined {
    const place = { quotes: this.#quotes, indent: this.#items.at(-1) ?? 0 };
    const marks = this.#html ? undefined : fence.exec(content)?.[0];
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

/** Maximum length of a tag, in UTF-16 units. */
const longestTag = 2000;

/** Whether a line begins HTML that ends with the next blank line. */
function beginsHtml(content: string, isInParagraph: boolean): boolean {
  const start = content.slice(0, longestTag);
  return (
    start.startsWith('<') &&
    (blockTag.test(start) || (!isInParagraph && loneTag.test(start))) &&
    !markdownInside.test(start)
  );
}

function closesFence(line: string, marks: string): boolean {
  return line.length >= marks.length && line === marks.slice(0, 1).repeat(line.length);
}

function endOf(match: RegExpExecArray | null): number | undefined {
  return match ? match.index + match[0].length : undefined;
}

/** Returns the width of white space, with tabs to every fourth column. */
function columnsOf(blanks: string): number {
  let columns = 0;
  for (const sign of blanks) {
    columns += sign === '\t' ? 4 - (columns % 4) : 1;
  }
  return columns;
}

/** Runs of backticks, escaped characters, and line ends that end a paragraph. */
const marksOfSpans = /\\\\|\\?`+|\n(?=[ \t>]*(?:[\r\n#|]|[-*+][ \t]|\d{1,9}[.)][ \t]|$))/gu;

/** Blanks Markdown between runs of the same number of backticks in a paragraph. */
function withoutCodeSpans(text: string): string {
  const marks = [...text.matchAll(marksOfSpans)];
  const ends = new Map<number, number>();
  const spans: Range[] = [];
  for (const { index, 0: mark } of marks.toReversed()) {
    if (mark === '\n') {
      ends.clear();
    } else if (mark.endsWith('`')) {
      // A backslash escapes the first backtick before a span, but not within it.
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
