import { blank, masked } from './masked.ts';

const markupComments = /<!--[^]*?(?:-->|$)/gu;
const styleComments = /\/\*[^]*?(?:\*\/|$)/gu;
const styleLineComments = /((?:^|[\s;{}]))\/\/.*/gmu;
/** Not those in `image/*`, a pattern of files, or the signs of a regular expression. */
const scriptComments = /((?:^|[\s{}()\];,=:>]))\/\*(?!\])[^]*?(?:\*\/|$)/gu;
const scriptLineComments = /((?:^|[\s{}();,]))\/\/.*/gmu;
const mdxComments = /(\{\s*)\/\*[^]*?(?:\*\/|$)/gu;

export function withoutStyleComments(text: string): string {
  return masked(text, styleComments);
}

/** Comments of a line are in SCSS and Less. */
export function withoutStyleLineComments(text: string): string {
  return masked(text, styleLineComments);
}

export function withoutMdxComments(text: string): string {
  return masked(text, mdxComments);
}

/** Without the comments of both script and markup, as components have them. */
export function withoutComments(text: string): string {
  return withoutScriptComments(masked(text, markupComments));
}

function withoutScriptComments(text: string): string {
  return masked(masked(text, scriptComments), scriptLineComments);
}

/** What becomes of elements whose content is no markup, or is shown as it is written. */
const contents: ReadonlyMap<string, (element: string) => string> = new Map([
  ['pre', blank],
  ['code', blank],
  ['textarea', blank],
  ['script', withoutScriptComments],
  ['style', withoutStyleComments],
]);
const rawStart = /<(?:!--|(pre|code|textarea|script|style)(?=[\s>]))/giu;

/** Returns markup without code and comments, also without those of its scripts and styles. */
export function withoutMarkupCode(text: string): string {
  const unclosed = new Set<string>();
  let result = '';
  let at = 0;
  for (const { index, 1: tag } of text.matchAll(rawStart)) {
    const name = tag?.toLowerCase() ?? '';
    if (index < at || unclosed.has(name)) {
      continue;
    }
    const end = name === '' ? endOf(text, index, /-->/gu) : endOf(text, index, closingTag(name));
    if (end === undefined && name !== '') {
      unclosed.add(name);
      continue;
    }
    result += text.slice(at, index) + (contents.get(name) ?? blank)(text.slice(index, end));
    at = end ?? text.length;
  }
  return result + text.slice(at);
}

function closingTag(name: string): RegExp {
  return new RegExp(String.raw`</${name}\s*>`, 'giu');
}

/** Returns where the first match of a pattern from a place on ends. @param pattern global */
function endOf(text: string, from: number, pattern: RegExp): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
