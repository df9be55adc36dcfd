import { namesImage } from './addresses.ts';
import type { Range } from './masked.ts';
import { type Notation, type Reference, type ImageWords, wordsFrom } from './reference.ts';
import { placeholderAt } from './placeholders.ts';

/**
 * Returns the reference of an address that is an unencoded path; none if it names no image.
 *
 * @param whole of the image
 */
export function pathReferences(
  address: string,
  start: number,
  whole: Range,
  words: ImageWords,
  notation: Notation = 'path',
): Reference[] {
  return namesImage(address, notation)
    ? [{ address, start, end: start + address.length, notation, wholes: [whole], words, size: {} }]
    : [];
}

/** The start of an import in JavaScript and TypeScript. */
const imports =
  /(?<![\w$.])(?:(?:from|import)\s*(?:\(\s*)?|require(?:\.resolve)?\s*\(\s*|new\s+URL\s*\(\s*)(?:"([^"\\\n]{1,2000})"|'([^'\\\n]{1,2000})')/dgu;

/** Finds the images that a module imports. @param text without comments */
export function scanModules(text: string): Reference[] {
  return [...text.matchAll(imports)].flatMap(({ indices }) => {
    const [start, end] = indices?.[1] ?? indices?.[2] ?? [0, 0];
    return pathReferences(text.slice(start, end), start, indices?.[0] ?? [start, end], {});
  });
}

/** Also with line ends in the text of a placeholder. Those that end with `=` are completed elsewhere. */
const addresses = /(["'`])((?:https?:)?\/\/(?:[^"'`\s\\${}]|\\{1,2}n){3,2000})(?<!=)\1/dgu;
/** Signs that a program combines a string with another one. */
const joinedBehind = /^\s*(?:\+|\??\.\s*[\w$]+\s*\()/u;
const joinedBefore = /\+=?\s*$/u;
/** Calls that load or compare an address, and show nothing. */
const otherCalls =
  /(?<![\w$])(?:fetch|expect|to[A-Z]\w*|assert\w*|(?:assert|expect|axios|http|https|request|page|cy|test|jest|vi)\s*\.\s*\w+)\s*$/u;
/** Properties that describe the image beside its address in an object. */
const properties =
  /(?<![\w$])["']?(alt|title|name|label|caption|description)["']?\s*:\s*(?:"((?:[^"\\\n]|\\.){1,500})"|'((?:[^'\\\n]|\\.){1,500})'|`([^`\\$]{1,500})`)(?!\s*(?:\+|\??\.\s*[\w$]+\s*\())/giu;
/** Nested objects, up to two levels. */
const innerObjects = /\{(?:[^{}]|\{[^{}]*\})*\}/gu;
/** Distance to search for the ends of an object, in UTF-16 units. */
const reach = 2000;
/** Distance around a string to search for operators, in UTF-16 units. */
const besides = 100;
/** Maximum length of a call's arguments before an address, in UTF-16 units. */
const longestArguments = 300;

/**
 * Finds the placeholders in strings, as in data of JavaScript, TypeScript, and JSON.
 *
 * @param text without comments
 * @param known positions of addresses to skip
 */
export function scanStrings(text: string, known: ReadonlySet<number>): Reference[] {
  return [...text.matchAll(addresses)].flatMap(({ indices }) => {
    const [start, end] = indices?.[2] ?? [0, 0];
    const address = text.slice(start, end);
    return !known.has(start) &&
      placeholderAt(address) &&
      !isJoined(text, start - 1, end + 1) &&
      !otherCalls.test(callBefore(text, start))
      ? [
          {
            address,
            start,
            end,
            notation: 'url',
            wholes: [[start - 1, end + 1]],
            words: wordsBeside(text, start),
            size: {},
            isString: true,
          },
        ]
      : [];
  });
}

/** Whether a program combines a string with another one. @param start with its quotes */
function isJoined(text: string, start: number, end: number): boolean {
  return (
    joinedBehind.test(text.slice(end, end + besides)) ||
    joinedBefore.test(text.slice(Math.max(0, start - besides), start))
  );
}

/** The text before an object or a list, but not before a block of statements. */
const beforeValue = /[(,:[=?|&]\s*$/u;

/** Returns the text before the parenthesis of the call around a position; empty for none. */
function callBefore(text: string, at: number): string {
  let depth = 0;
  for (let index = at - 1; index >= 0 && at - index < longestArguments; index--) {
    const sign = text[index] ?? '';
    if (')]}'.includes(sign)) {
      depth++;
    } else if ('([{'.includes(sign) && depth-- === 0) {
      const before = text.slice(Math.max(0, index - besides), index);
      if (sign === '(') {
        return before;
      }
      if (!beforeValue.test(before)) {
        return '';
      }
      depth = 0;
    } else if (sign === ';' && depth === 0) {
      return '';
    }
  }
  return '';
}

/** Returns the image description in the object around a position. */
function wordsBeside(text: string, at: number): ImageWords {
  const from = edgeOf(text, at, -1);
  const to = edgeOf(text, at, 1);
  if (from === undefined || to === undefined) {
    return {};
  }
  const said = new Map<string, string>();
  const own = text.slice(from + 1, to).replaceAll(innerObjects, '');
  for (const [, key = '', ...values] of own.matchAll(properties)) {
    said.set(key.toLowerCase(), values.find((value) => value !== undefined) ?? '');
  }
  return wordsFrom({
    alt: said.get('alt'),
    title: said.get('title') ?? said.get('name') ?? said.get('label'),
    caption: said.get('caption') ?? said.get('description'),
  });
}

/** Returns the start or end of the object around a position; undefined without one, or in a large one. */
function edgeOf(text: string, at: number, step: 1 | -1): number | undefined {
  const [inwards, outwards] = step === 1 ? ['{', '}'] : ['}', '{'];
  let depth = 0;
  for (let index = at; Math.abs(index - at) < reach && index >= 0 && index < text.length; index += step) {
    if (text[index] === inwards) {
      depth++;
    } else if (text[index] === outwards && depth-- === 0) {
      return index;
    }
  }
  return undefined;
}
