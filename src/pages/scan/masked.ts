/** A part of a text, in UTF-16 units. */
export type Range = readonly [start: number, end: number];

/**
 * Blanks the matches of a pattern, so that nothing is found there, and keeps all positions and line ends.
 *
 * @param pattern global; a first group is kept, before the blanked part
 */
export function masked(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (match: string, kept: unknown) => {
    const before = typeof kept === 'string' ? kept : '';
    return before + blank(match.slice(before.length));
  });
}

/** Like `masked`, for parts of the text. @param ranges in the order of the text */
export function maskedAt(text: string, ranges: Iterable<Range>): string {
  let result = '';
  let at = 0;
  for (const [start, end] of ranges) {
    result += text.slice(at, start) + blank(text.slice(start, end));
    at = end;
  }
  return result + text.slice(at);
}

/** Returns white space of the same length, with the line ends. */
export function blank(text: string): string {
  return text.replaceAll(/[^\n\r]+/gu, (line) => ' '.repeat(line.length));
}

/** Comments of template languages: Hugo, Handlebars, Jinja, Liquid, EJS, Razor, and JSX. */
export const templateComment = [
  String.raw`\{\{-?\s*\/\*[^]*?\*\/\s*-?\}\}`,
  String.raw`\{\{!--[^]*?--\}\}`,
  String.raw`\{\{![^{}]*\}\}`,
  String.raw`\{#(?!if\b|each\b|await\b|key\b|snippet\b)[^]*?#\}`,
  String.raw`\{%-?\s*comment\b[^%]*%\}[^]*?\{%-?\s*endcomment\b[^%]*%\}`,
  String.raw`<%(?:#|--)[^]*?%>`,
  String.raw`@\*[^]*?\*@`,
  String.raw`\{\s*\/\*[^]*?\*\/\s*\}`,
].join('|');
const templateComments = new RegExp(templateComment, 'gu');
const markupComments = /<!--[^]*?(?:-->|$)/gu;
const styleComments = /\/\*[^]*?(?:\*\/|$)/gu;
const styleLineComments = /((?:^|[\s;{}]))\/\/.*/gmu;
/** Excludes those in `image/*`, a glob pattern, and in regular expressions. */
const scriptComments = /((?:^|[\s{}()\];,=:>]))\/\*(?!\])[^]*?(?:\*\/|$)/gu;
const scriptLineComments = /((?:^|[\s{}();,]))\/\/.*/gmu;
const mdxComments = /(\{\s*)\/\*[^]*?(?:\*\/|$)/gu;

export function withoutStyleComments(text: string): string {
  return masked(text, styleComments);
}

/** Blanks line comments in SCSS and Less. */
export function withoutStyleLineComments(text: string): string {
  return masked(text, styleLineComments);
}

export function withoutMdxComments(text: string): string {
  return masked(text, mdxComments);
}

/** Blanks the comments of templates that have an end. */
export function withoutTemplateComments(text: string): string {
  return masked(text, templateComments);
}

/** Blanks the comments of both script and markup, as in components. */
export function withoutComments(text: string): string {
  return withoutScriptComments(masked(text, markupComments));
}

function withoutScriptComments(text: string): string {
  return masked(masked(text, scriptComments), scriptLineComments);
}

/** Elements whose content is not markup, or is shown as written. */
const contents: ReadonlyMap<string, (element: string) => string> = new Map([
  ['pre', blank],
  ['code', blank],
  ['textarea', blank],
  ['script', withoutScriptComments],
  ['style', withoutStyleComments],
]);
const rawStart = /<(?:!--|(pre|code|textarea|script|style)(?=[\s>]))/giu;

/** Blanks code and comments in markup, also those of its scripts and styles. */
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

/** Blanks what is not in a script of a page. */
export function scriptsIn(text: string): string {
  const outside: Range[] = [];
  let at = 0;
  for (const { index } of text.matchAll(/<script(?=[\s>])/giu)) {
    const end = index < at ? undefined : endOf(text, index, closingTag('script'));
    if (end !== undefined) {
      outside.push([at, index]);
      at = end;
    } else if (index >= at) {
      break;
    }
  }
  return maskedAt(text, [...outside, [at, text.length]]);
}

function closingTag(name: string): RegExp {
  return new RegExp(String.raw`</${name}\s*>`, 'giu');
}

/** Returns the end of the first match of a pattern from a position on. @param pattern global */
function endOf(text: string, from: number, pattern: RegExp): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
