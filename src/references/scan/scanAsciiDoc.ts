import { type Heading, headingBefore } from './headings.ts';
import { masked } from './masked.ts';
import { plainWords, wordsFrom } from '../words.ts';
import { namesImage } from '../addresses.ts';
import type { Reference, WantedSize } from '../reference.ts';

const blocks = /^()(-{4,}|\.{4,}|\+{4,}|\/{4,})[ \t]*\n(?:[^]*?\n)??\2[ \t]*$/gmu;
const lineComments = /^()\/\/(?!\/).*$/gmu;
const images = /\bimage::?([^\s:[\]][^\n[\]]{0,2000}?)\[([^\n\]]{0,2000})\]/dgu;
const headingLines = /^={1,6}[ \t]+(\S[^\n]{0,300})$/gmu;
const titleLine = /(?:^|\n)\.([^\s.][^\n]{0,300})\n(?:\[[^\n]*\]\n)*$/u;
const imagesFolder = /^:imagesdir:[ \t]*([^\n]*?)[ \t]*$/mu;

/** What AsciiDoc puts before the path of every image of a document, with a slash at its end. */
export function imagesFolderOf(text: string): string {
  const folder = imagesFolder.exec(text)?.[1] ?? '';
  return folder === '' || folder.endsWith('/') ? folder : `${folder}/`;
}

/** Finds the images of AsciiDoc, whose addresses begin at the folder of images. */
export function scanAsciiDoc(document: string): Reference[] {
  const text = masked(masked(document, blocks), lineComments);
  const headings = [...text.matchAll(headingLines)].map(({ index, 1: words = '' }): Heading => ({
    start: index,
    text: plainWords(words),
  }));
  return [...text.matchAll(images)].flatMap(({ index, 2: list = '', indices }) => {
    const [start, end] = indices?.[1] ?? [0, 0];
    const address = text.slice(start, end);
    if (!namesImage(address, 'path')) {
      return [];
    }
    const { positional, named } = attributesIn(list);
    const words = wordsFrom({
      alt: named.get('alt') ?? positional[0],
      title: named.get('title'),
      caption: titleLine.exec(text.slice(Math.max(0, index - 1000), index))?.[1],
      heading: headingBefore(headings, index),
    });
    const [width, height] = [named.get('width') ?? positional[1], named.get('height') ?? positional[2]].map(
      pixels,
    );
    const size: WantedSize = {
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
    };
    return [{ address, start, end, notation: 'path', words, size }];
  });
}

function attributesIn(list: string): { positional: string[]; named: Map<string, string> } {
  const positional: string[] = [];
  const named = new Map<string, string>();
  for (const [, name, double, plain = ''] of list.matchAll(
    /(?:([\w-]+)\s*=\s*)?(?:"([^"]*)"|([^,"]*))(?:,\s*|$)/gu,
  )) {
    const value = (double ?? plain).trim();
    if (name === undefined) {
      positional.push(value);
    } else {
      named.set(name, value);
    }
  }
  return { positional, named };
}

function pixels(text: string | undefined): number | undefined {
  const digits = /^(\d+)(?:px)?$/u.exec(text ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
