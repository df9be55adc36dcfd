import { namesImage } from './addresses.ts';
import { type Reference, type WantedSize, wordsFrom } from './reference.ts';
import { type Line, linesOf } from './markdownCode.ts';
import { masked } from './masked.ts';

/** Delimiters of verbatim blocks, which end at the next identical line. */
const blockLine = /^(?:-{4,}|\.{4,}|\+{4,}|\/{4,}|```.*)$/u;
const commentLine = /^\/\/(?!\/)/u;
const headingLine = /^={1,6}[ \t]+(\S.{0,300})$/u;
const titleLine = /^\.([^\s.].{0,300})$/u;
const attributeLine = /^\[.*\]$/u;
/** Attributes of a paragraph or open block that is shown as it is written, and the first line of such a paragraph. */
const verbatimLine = /^\[(?:source|listing|literal|pass|stem|latexmath|asciimath|comment|,)(?=[\],%#.])/u;
const indentedLine = /^[ \t]+(?!(?:\*+|-|\.+|\d+\.|[a-z]\.)[ \t]|.*(?::{2,4}|;;)(?:[ \t]|$)|\|)\S/u;
/** Text that is shown as it is written. Between backticks alone, images are shown. */
const passages =
  /\+\+\+.*?\+\+\+|\+\+.*?\+\+|(?<![\w+])\+(?! )[^+]*(?<! )\+(?![\w+])|\bpass:[\w,]*\[[^\]]*\]/gu;
/** In UTF-16 units. */
const longestAttributes = 4000;
/** The start of an image, which is a block only at the start of a line or cell, or of its attributes. */
const imageMarks = /(?:(?:^|\|\s*)image::|(?<!\\)\bimage:)(?=[^\s:])|\[/gu;
/** Also with a default: `ifndef::imagesdir[:imagesdir: pictures]`. */
const imagesFolder = /^(?:ifndef::imagesdir\[)?:imagesdir:([^\]]*)/u;
const laterFolder = /^:imagesdir:/mu;
const commentBlock = /^\/{4,}\s*$/u;
const documentTitle = /^=[ \t]/u;
/** Lines above the content, besides the title and the lines that follow it. */
const headerLine = /^(?:\s*$|\/\/|:[^:\s]|(?:ifn?def|ifeval|endif)::)/u;
/** A condition for the following lines, which may hold elsewhere. */
const condition = /^(?:ifdef::.*\[\]|ifeval::.*\])\s*$/u;

/**
 * Returns the path prefix of every image in a document from its header, with a trailing slash; undefined if it changes
 * further below.
 */
export function imagesFolderOf(text: string): string | undefined {
  let isUnderTitle = false;
  let isElsewhere = false;
  let isComment = false;
  for (const { start, text: line } of linesOf(text)) {
    const folder = imagesFolder.exec(line)?.[1]?.trim();
    if (commentBlock.test(line)) {
      isComment = !isComment;
    } else if (isComment) {
      continue;
    } else if (folder !== undefined && !isElsewhere) {
      return folder === '' || folder.endsWith('/') ? folder : `${folder}/`;
    } else if (!isUnderTitle && !headerLine.test(line) && !documentTitle.test(line)) {
      return laterFolder.test(text.slice(start)) ? undefined : '';
    }
    isElsewhere = condition.test(line) || (isElsewhere && !line.startsWith('endif::'));
    isUnderTitle = line.trim() !== '' && (isUnderTitle || documentTitle.test(line));
  }
  return '';
}

/** Whether a position is in a block that is HTML. */
export function isPassedThrough(text: string, offset: number): boolean {
  let block: string | undefined;
  for (const { start, text: line } of linesOf(text)) {
    if (start > offset) {
      break;
    }
    block = blockAfter(line.trimEnd(), block);
  }
  return block?.startsWith('+') === true;
}

/** Returns the delimiter of the verbatim block that is open behind a line. @param block that of the one before it */
function blockAfter(line: string, block: string | undefined): string | undefined {
  if (block !== undefined) {
    return line === block ? undefined : block;
  }
  return blockLine.test(line) ? (line.startsWith('`') ? '```' : line) : undefined;
}

/** Finds the images of AsciiDoc, whose addresses begin at the images folder. */
export function scanAsciiDoc(text: string): Reference[] {
  const found: Reference[] = [];
  let block: string | undefined;
  let heading: string | undefined;
  let caption: string | undefined;
  /** Whether the next paragraph or block is shown as it is written, and whether this paragraph is. */
  let [isNext, isVerbatim, isBlankAbove] = [false, false, true];
  for (const { start, text: line } of linesOf(text)) {
    const trimmed = line.trimEnd();
    const title = titleLine.exec(line)?.[1];
    const before = block;
    block =
      blockAfter(trimmed, block) ?? (isNext && trimmed === '--' && block === undefined ? '--' : undefined);
    const isBegun: boolean = isBlankAbove;
    isBlankAbove = trimmed === '';
    if (before !== undefined || block !== undefined) {
      isNext = false;
      continue;
    } else if (trimmed === '') {
      isVerbatim = false;
    } else if (isVerbatim || (isBegun && indentedLine.test(line))) {
      isVerbatim = true;
    } else if (attributeLine.test(trimmed)) {
      isNext ||= verbatimLine.test(trimmed);
      isBlankAbove = isBegun;
    } else if (title !== undefined) {
      caption = title;
    } else if (isNext && !commentLine.test(line)) {
      [isNext, isVerbatim] = [false, true];
    } else if (!commentLine.test(line)) {
      heading = headingLine.exec(line)?.[1] ?? heading;
      found.push(...imagesIn({ start, text: masked(line, passages) }, { caption, heading }));
      caption = undefined;
    }
  }
  return found;
}

function imagesIn(
  line: Line,
  around: { caption: string | undefined; heading: string | undefined },
): Reference[] {
  const found: Reference[] = [];
  const { text } = line;
  let start: number | undefined;
  let macro = 0;
  imageMarks.lastIndex = 0;
  for (let mark = imageMarks.exec(text); mark; mark = imageMarks.exec(text)) {
    const { index } = mark;
    if (mark[0] !== '[') {
      start = imageMarks.lastIndex;
      macro = index;
    } else if (start !== undefined) {
      const rest = text.slice(index + 1, index + 1 + longestAttributes);
      const length = rest.indexOf(']');
      if (length >= 0) {
        const address = text.slice(start, index);
        const at = line.start + start;
        if (namesImage(address, 'url')) {
          const said = saidIn(rest.slice(0, length), around);
          const whole = [line.start + macro, line.start + index + length + 2] as const;
          found.push({
            address,
            start: at,
            end: at + address.length,
            notation: 'url',
            wholes: [whole],
            ...said,
          });
        }
        // Reads brackets only once.
        imageMarks.lastIndex = index + 1 + length;
      }
      start = undefined;
    }
  }
  return found;
}

/** Reads the attributes of an image: alternative text, width, and height by their order or by their names. */
function saidIn(
  list: string,
  { caption, heading }: { caption: string | undefined; heading: string | undefined },
): Pick<Reference, 'words' | 'size'> {
  const positional: string[] = [];
  const named = new Map<string, string>();
  for (const [, part = ''] of list.matchAll(/((?:"[^"]*"?|[^",])*)(?:,|$)/gu)) {
    const [, name, value = part] = /^\s*([\w-]+)\s*=(.*)$/u.exec(part) ?? [];
    const plain = value.trim().replaceAll('"', '');
    if (name === undefined) {
      positional.push(plain);
    } else {
      named.set(name, plain);
    }
  }
  const [alt, across, down] = positional;
  const width = pixels(named.get('width') ?? across);
  const height = pixels(named.get('height') ?? down);
  const size: WantedSize = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
  const words = wordsFrom({ alt: named.get('alt') ?? alt, title: named.get('title'), caption, heading });
  return { words, size };
}

function pixels(text: string | undefined): number | undefined {
  const digits = /^(\d+)(?:px)?$/u.exec(text ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
