import { namesImage } from '../addresses.ts';
import type { Reference, WantedSize } from '../reference.ts';
import { wordsFrom } from '../words.ts';
import { type Line, linesOf } from './lines.ts';
import { masked } from './masked.ts';

/** Lines between which everything is as it is written, up to the next one that is the same. */
const blockLine = /^(?:-{4,}|\.{4,}|\+{4,}|\/{4,}|```.*)$/u;
const commentLine = /^\/\/(?!\/)/u;
const headingLine = /^={1,6}[ \t]+(\S.{0,300})$/u;
const titleLine = /^\.([^\s.].{0,300})$/u;
const attributeLine = /^\[.*\]$/u;
const codeSpans = /`(?!\s)[^`]+`/gu;
/** In UTF-16 units. */
const longestAttributes = 4000;
/** Where an image may begin, and where its attributes do. */
const imageMarks = /\bimage::?(?=[^\s:])|\[/gu;
/** Also where nothing else has set it: `ifndef::imagesdir[:imagesdir: pictures]`. */
const imagesFolder = /^(?:ifndef::imagesdir\[)?:imagesdir:([^\]]*)/u;
const laterFolder = /^:imagesdir:/mu;
const commentBlock = /^\/{4,}\s*$/u;
const documentTitle = /^=[ \t]/u;
/** What stands above the content, beside the title and the lines that follow it. */
const headerLine = /^(?:\s*$|\/\/|:[^:\s]|(?:ifn?def|ifeval|endif)::)/u;
/** A condition for the lines that follow, which elsewhere than here may hold. */
const condition = /^(?:ifdef::.*\[\]|ifeval::.*\])\s*$/u;

/**
 * Returns what AsciiDoc puts before the path of every image of a document as its header says, with a slash at its end;
 * undefined where it changes further below.
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

/** Finds the images of AsciiDoc, whose addresses begin at the folder of images. */
export function scanAsciiDoc(text: string): Reference[] {
  const found: Reference[] = [];
  let block: string | undefined;
  let heading: string | undefined;
  let caption: string | undefined;
  for (const { start, text: line } of linesOf(text)) {
    const trimmed = line.trimEnd();
    const title = titleLine.exec(line)?.[1];
    if (block !== undefined) {
      block = trimmed === block ? undefined : block;
    } else if (blockLine.test(trimmed)) {
      block = trimmed.startsWith('`') ? '```' : trimmed;
    } else if (title !== undefined) {
      caption = title;
    } else if (!commentLine.test(line) && !attributeLine.test(trimmed)) {
      heading = headingLine.exec(line)?.[1] ?? heading;
      found.push(...imagesIn({ start, text: masked(line, codeSpans) }, { caption, heading }));
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
  imageMarks.lastIndex = 0;
  for (let mark = imageMarks.exec(text); mark; mark = imageMarks.exec(text)) {
    const { index } = mark;
    if (mark[0] !== '[') {
      start = imageMarks.lastIndex;
    } else if (start !== undefined) {
      const rest = text.slice(index + 1, index + 1 + longestAttributes);
      const length = rest.indexOf(']');
      if (length >= 0) {
        const address = text.slice(start, index);
        const at = line.start + start;
        if (namesImage(address, 'url')) {
          const said = saidIn(rest.slice(0, length), around);
          found.push({ address, start: at, end: at + address.length, notation: 'url', ...said });
        }
        // What is in brackets is read once.
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
