import { namesImage } from './addresses.ts';
import type { Range } from './masked.ts';
import type { Reference, WantedSize } from './reference.ts';

/** `url(…)`, with or without quotes. */
const urls = /\burl\(\s*(?:"([^"\n]{0,2000})"|'([^'\n]{0,2000})'|([^\s"'()]{1,2000}))\s*\)/dgu;
/** The same image in several resolutions or formats, as strings or as `url(…)`. */
const imageSets =
  /\bimage-set\((?:"[^"\n]{0,2000}"|'[^'\n]{0,2000}'|\((?:"[^"\n]{0,2000}"|'[^'\n]{0,2000}'|[^;{}()"']){0,2000}\)|[^;{}()"']){0,4000}/gu;
/** One of its images, with or without `url(`. */
const imagesOfSet =
  /type\([^()]{0,200}\)|(?:"([^"\n]{0,2000})"|'([^'\n]{0,2000})'|\burl\(\s*([^\s"'()]{1,2000}))/dgu;

/**
 * Finds the images in style sheets, and in styles anywhere else: `url(…)` and `image-set(…)`.
 *
 * @param text without comments, and otherwise as in the document
 */
export function scanStyles(text: string): Reference[] {
  const structure = text.replaceAll(interpolations, (match) => '_'.repeat(match.length));
  const found: Reference[] = [];
  for (const { indices } of text.matchAll(urls)) {
    const [whole, ...inside] = indices ?? [];
    const address = inside.find((range) => range !== undefined);
    found.push(...styleReferences(text, structure, address ?? [0, 0], whole));
  }
  const known = new Map(found.map((reference) => [reference.start, reference]));
  for (const { index, 0: whole } of text.matchAll(imageSets)) {
    const images = [...whole.matchAll(imagesOfSet)].flatMap(({ indices }) => {
      const [start, end] = indices?.[1] ?? indices?.[2] ?? indices?.[3] ?? [0, 0];
      return known.get(index + start) ?? styleReferences(text, structure, [index + start, index + end]);
    });
    for (const image of images.slice(1)) {
      image.isCandidate = true;
    }
    found.push(...images.filter(({ start }) => !known.has(start)));
  }
  return found;
}

function styleReferences(
  text: string,
  structure: string,
  [start, end]: Range,
  whole: Range = [start, end],
): Reference[] {
  const address = text.slice(start, end);
  if (!namesImage(address, 'url')) {
    return [];
  }
  const { selector, declarations } = ruleAround(structure, start);
  const words = selector === '' ? {} : { heading: selector };
  return [{ address, start, end, notation: 'url', wholes: [whole], words, size: sizeIn(declarations) }];
}

/** Distance to search for a rule in both directions, in UTF-16 units. */
const reach = 4000;

const interpolations = /#\{[^{}]*\}/gu;

/**
 * Returns the selector and the declarations of the rule around a position, both empty outside of rules. @param text
 * without interpolations
 */
function ruleAround(text: string, at: number): { selector: string; declarations: string } {
  const before = text.slice(Math.max(0, at - reach), at);
  const open = before.lastIndexOf('{');
  if (open < 0 || before.lastIndexOf('}') > open) {
    return { selector: '', declarations: '' };
  }
  const beginning = before.slice(Math.max(0, open - 200), open).split(/[{};<>\n]/u);
  const selector = (beginning.at(-1) ?? '').trim();
  const after = text.slice(at, at + reach);
  const end = after.search(/[{}]/u);
  const isRule = /^[\w\s.#:>+~*&@[\]="'(),-]{1,200}$/u.test(selector);
  return isRule
    ? {
        selector: selectorWords(selector),
        declarations: before.slice(open + 1) + (end < 0 ? after : after.slice(0, end)),
      }
    : { selector: '', declarations: '' };
}

/** Returns the names in a selector as words: `.hero-banner > .sky` is "hero banner sky". */
function selectorWords(selector: string): string {
  return selector
    .replaceAll(/@[\w-]+|::?[\w-]+(?:\([^)]*\))?/gu, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns the size in pixels from declarations: of the background, else of the box. */
function sizeIn(declarations: string): WantedSize {
  const ofBackground = /\bbackground-size\s*:\s*(\d+)px\s+(\d+)px/u.exec(declarations);
  if (ofBackground) {
    return { width: Number(ofBackground[1]), height: Number(ofBackground[2]) };
  }
  const of = (side: string): number | undefined => {
    const length = new RegExp(String.raw`(?<![\w-])${side}\s*:\s*(\d+)px`, 'u').exec(declarations)?.[1];
    return length === undefined ? undefined : Number(length);
  };
  const [width, height] = [of('width'), of('height')];
  return { ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
}
