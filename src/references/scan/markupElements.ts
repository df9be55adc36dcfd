/** An attribute whose value is written out. */
export interface Attribute {
  value: string;
  /** Where the value begins in the text, in UTF-16 units. */
  start: number;
}

/** A start tag. */
export interface MarkupElement {
  name: string;
  /** By their names in lower case; without those whose value is computed. */
  attributes: ReadonlyMap<string, Attribute>;
  start: number;
  /** Where the tag ends. */
  end: number;
}

const tagStart = /<([A-Za-z][\w.:-]*)/gu;
const attributeName = /[\s/]*([^\s"'<>/={}]+)/uy;
const equals = /\s*=\s*/uy;
const literal = /"([^"]{0,4000})"|'([^']{0,4000})'|([^\s"'=<>`{}]+)/duy;
/** A JSX expression that is nothing but a string, or a number. */
const literalExpression = /\{\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)'|`([^`\\$]*)`|(\d+))\s*\}/duy;

/**
 * Finds the start tags in HTML and in what is like it: JSX, Vue, Svelte, Astro, templates. What is no whole tag is
 * skipped, as everything that is computed.
 *
 * @param text without comments
 */
export function* markupElements(text: string): Generator<MarkupElement> {
  for (const match of text.matchAll(tagStart)) {
    const [whole, name = ''] = match;
    const attributes = new Map<string, Attribute>();
    let at = match.index + whole.length;
    for (;;) {
      const afterBraces = skipBraces(text, at);
      if (afterBraces !== undefined) {
        at = afterBraces;
        continue;
      }
      const named = matchAt(attributeName, text, at);
      if (!named) {
        break;
      }
      at += named[0].length;
      const equal = matchAt(equals, text, at);
      if (!equal) {
        continue;
      }
      at += equal[0].length;
      const value = matchAt(literal, text, at) ?? matchAt(literalExpression, text, at);
      const end = value ? at + value[0].length : skipBraces(text, at);
      if (end === undefined) {
        break;
      }
      const [start, stop] = value?.indices?.slice(1).find((range) => range !== undefined) ?? [];
      if (start !== undefined) {
        attributes.set((named[1] ?? '').toLowerCase(), { value: text.slice(start, stop), start });
      }
      at = end;
    }
    yield { name, attributes, start: match.index, end: at };
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Longest expression that is skipped, in UTF-16 units. */
const longestExpression = 10_000;

/** Returns where an expression in braces ends that begins here, after white space; undefined if none does. */
function skipBraces(text: string, at: number): number | undefined {
  let place = at;
  while (/\s/u.test(text[place] ?? '')) {
    place++;
  }
  if (text[place] !== '{') {
    return undefined;
  }
  let depth = 0;
  const limit = Math.min(text.length, place + longestExpression);
  for (; place < limit; place++) {
    if (text[place] === '{') {
      depth++;
    } else if (text[place] === '}') {
      depth--;
      if (depth === 0) {
        return place + 1;
      }
    }
  }
  return undefined;
}
