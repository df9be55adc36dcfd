/** An attribute with a literal value, also in the quotes of a binding: `:src="'a.png'"`. */
export interface Attribute {
  value: string;
  /** Position of the value in the text, in UTF-16 units. */
  start: number;
}

export interface MarkupElement {
  name: string;
  /** Attributes with literal values, by their names in lower case without the signs of a binding. */
  attributes: ReadonlyMap<string, Attribute>;
  start: number;
  end: number;
}

const tagStart = /<([A-Za-z][\w.:-]*)/gu;
const attributeName = /[\s/]*([^\s"'<>/={}]+)/uy;
const equals = /\s*=\s*/uy;
const literal = /"([^"]{0,4000})"|'([^']{0,4000})'|([^\s"'=<>`{}]+)/duy;
/** A JSX expression that is only a string, or a number. */
const literalExpression = /\{\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)'|`([^`\\$]*)`|(\d+))\s*\}/duy;
/** Attributes whose value is an expression, in Vue and Angular. */
const binding = /^(?::|v-bind:)([\w-]+)$|^\[([\w-]+)\]$/u;
const bound = /^\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)'|`([^`\\$]*)`|(\d+))\s*$/du;

/**
 * Finds the start tags in HTML and similar languages: JSX, Vue, Svelte, Astro, templates. Skips incomplete tags and
 * computed values.
 *
 * @param text without comments
 */
export function* markupElements(text: string): Generator<MarkupElement> {
  const skipBraces = bracesIn(text);
  for (const match of text.matchAll(tagStart)) {
    const [whole, name = ''] = match;
    const attributes = new Map<string, Attribute>();
    let at = match.index + whole.length;
    for (;;) {
      const afterBraces = skipBraces(at);
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
      const end = value ? at + value[0].length : skipBraces(at);
      if (end === undefined) {
        break;
      }
      const [start, stop] = value ? insideOf(value) : [];
      if (start !== undefined) {
        add(attributes, (named[1] ?? '').toLowerCase(), { value: text.slice(start, stop), start });
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

function insideOf({ indices }: RegExpExecArray): readonly number[] {
  return indices?.slice(1).find((range) => range !== undefined) ?? [];
}

function add(attributes: Map<string, Attribute>, name: string, attribute: Attribute): void {
  const [, ofVue, ofAngular] = binding.exec(name) ?? [];
  const boundName = ofVue ?? ofAngular;
  if (boundName === undefined) {
    attributes.set(name, attribute);
    return;
  }
  const value = bound.exec(attribute.value);
  const [start, stop] = value ? insideOf(value) : [];
  if (start !== undefined) {
    attributes.set(boundName, {
      value: attribute.value.slice(start, stop),
      start: attribute.start + start,
    });
  }
}

/** Maximum length of a skipped expression, in UTF-16 units. */
const longestExpression = 10_000;
const blanks = /\s*/uy;

/**
 * Returns a function for the end of a braced expression at a position, after white space; undefined if there is none.
 * The first call scans all braces.
 */
function bracesIn(text: string): (at: number) => number | undefined {
  let ends: ReadonlyMap<number, number> | undefined;
  return (at) => {
    const start = at + (matchAt(blanks, text, at)?.[0].length ?? 0);
    if (text[start] !== '{') {
      return undefined;
    }
    ends ??= endsOfBraces(text);
    const end = ends.get(start);
    return end !== undefined && end - start <= longestExpression ? end : undefined;
  };
}

function endsOfBraces(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const { index, 0: brace } of text.matchAll(/[{}]/gu)) {
    const start = brace === '{' ? undefined : open.pop();
    if (brace === '{') {
      open.push(index);
    } else if (start !== undefined) {
      ends.set(start, index + 1);
    }
  }
  return ends;
}
