import { namesImage } from '../addresses.ts';
import type { Reference, WantedSize } from '../reference.ts';

/** `url(…)`, with its quotes or without. */
const urls = /\burl\(\s*(?:"([^"\n]{0,2000})"|'([^'\n]{0,2000})'|([^\s"'()]{1,2000}))\s*\)/dgu;
/** Strings that stand for images of several resolutions. */
const imageSets = /\bimage-set\(([^;{}]{0,4000})/dgu;
const strings = /(?=["'])(?<!url\(\s*)(?:"([^"\n]{0,2000})"|'([^'\n]{0,2000})')/dgu;

/**
 * Finds the images that styles name, in a style sheet or anywhere else: `url(…)` and `image-set(…)`.
 *
 * @param text without comments, and otherwise as it stands in the document
 */
export function scanStyles(text: string): Reference[] {
  const structure = text.replaceAll(interpolations, (match) => '_'.repeat(match.length));
  const found: Reference[] = [];
  const add = (range: [number, number] | undefined): void => {
    const reference = range && styleReference(text, structure, ...range);
    if (reference) {
      found.push(reference);
    }
  };
  for (const { indices } of text.matchAll(urls)) {
    add(indices?.[1] ?? indices?.[2] ?? indices?.[3]);
  }
  for (const { index, 0: whole } of text.matchAll(imageSets)) {
    for (const { indices } of whole.matchAll(strings)) {
      const [start = 0, end = 0] = indices?.[1] ?? indices?.[2] ?? [];
      add([index + start, index + end]);
    }
  }
  return found;
}

function styleReference(text: string, structure: string, start: number, end: number): Reference | undefined {
  const address = text.slice(start, end);
  if (!namesImage(address, 'url')) {
    return undefined;
  }
  const { selector, declarations } = ruleAround(structure, start);
  return {
    address,
    start,
    end,
    notation: 'url',
    words: selector === '' ? {} : { heading: selector },
    size: sizeIn(declarations),
  };
}

/** How far a rule is looked for in both directions, in UTF-16 units. */
const reach = 4000;

const interpolations = /#\{[^{}]*\}/gu;

/** Returns the selector and the declarations of the rule around a place, both empty outside of rules. @param text without interpolations */
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
        selector: wordsOf(selector),
        declarations: before.slice(open + 1) + (end < 0 ? after : after.slice(0, end)),
      }
    : { selector: '', declarations: '' };
}

/** Returns the names in a selector as words: `.hero-banner > .sky` is "hero banner sky". */
function wordsOf(selector: string): string {
  return selector
    .replaceAll(/@[\w-]+|::?[\w-]+(?:\([^)]*\))?/gu, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns the size in pixels that declarations ask for: of the background, else of the box. */
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
