import { placeholderAt } from '../placeholders.ts';
import type { Reference, Words } from '../reference.ts';
import { wordsFrom } from '../words.ts';

/** A string that is an address of the web. */
const addresses = /(["'`])((?:https?:)?\/\/[^"'`\s\\${}]{3,2000})\1/dgu;
/** What stands behind a string, or before it, of which a program makes another one. */
const joinedBehind = /^\s*(?:\+|\??\.\s*[\w$]+\s*\()/u;
const joinedBefore = /\+=?\s*$/u;
/** Calls that load an address or compare with it, and show nothing. */
const otherCalls =
  /(?<![\w$])(?:fetch|expect|to[A-Z]\w*|assert\w*|(?:assert|expect|axios|http|https|request|page|cy|test|jest|vi)\s*\.\s*\w+)\s*$/u;
/** What is said of an image beside its address, in the properties of an object. */
const properties =
  /(?<![\w$])["']?(alt|title|name|label|caption|description)["']?\s*:\s*(?:"((?:[^"\\\n]|\\.){1,500})"|'((?:[^'\\\n]|\\.){1,500})'|`([^`\\$]{1,500})`)(?!\s*(?:\+|\??\.\s*[\w$]+\s*\())/giu;
/** Objects in it, and in these. */
const innerObjects = /\{(?:[^{}]|\{[^{}]*\})*\}/gu;
/** How far away the ends of an object are looked for, in UTF-16 units. */
const reach = 2000;
/** How far from a string it is looked for what becomes of it. */
const besides = 100;
/** What a call may be told before an address, in UTF-16 units. */
const longestArguments = 300;

/**
 * Finds the placeholders that strings name, as data in JavaScript, TypeScript and JSON has them.
 *
 * @param text without comments
 * @param known where addresses begin that are not looked at again
 */
export function scanStrings(text: string, known: ReadonlySet<number>): Reference[] {
  return [...text.matchAll(addresses)].flatMap(({ indices }) => {
    const [start, end] = indices?.[2] ?? [0, 0];
    const address = text.slice(start, end);
    return !known.has(start) &&
      placeholderAt(address) &&
      !isJoined(text, start - 1, end + 1) &&
      !otherCalls.test(callBefore(text, start))
      ? [{ address, start, end, notation: 'url', words: wordsBeside(text, start), size: {} }]
      : [];
  });
}

/** Whether a program makes another string of one. @param start with its quotes */
function isJoined(text: string, start: number, end: number): boolean {
  return (
    joinedBehind.test(text.slice(end, end + besides)) ||
    joinedBefore.test(text.slice(Math.max(0, start - besides), start))
  );
}

/** What an object or a list stands behind, where a block of statements does not. */
const beforeValue = /[(,:[=?|&]\s*$/u;

/** Returns what stands before the parenthesis of the call that a place is an argument of, or in one; empty for none. */
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

/** Returns what the object that a place is in says of its image. */
function wordsBeside(text: string, at: number): Words {
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

/** Returns where the object that a place is in begins or ends; undefined if that is in none, or in a large one. */
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
