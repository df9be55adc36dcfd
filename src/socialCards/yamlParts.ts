import type { Scalar } from './keys.ts';
import {
  blankLines,
  matches,
  plain,
  plainInFlow,
  restInFlow,
  restOfLine,
  scalarAt,
  skip,
} from './yamlScalars.ts';

/** A key of an image that is described by several, and what it says. */
export interface Part {
  key: string;
  /** Undefined where it says nothing, and where it says what is no scalar of one line. */
  scalar: Scalar | undefined;
  /** Where its value is put; undefined where it says what is no scalar of one line. */
  at: number | undefined;
}

const blockKey = /(["']?)([\p{L}_][\p{L}\p{N}_. -]*?)\1(?<![ \t])[ \t]*:(?=\s|$)/uy;
const flowKey = /(?:(["'])([\w. -]+)\1[ \t]*:|([A-Za-z_][\w.-]*)[ \t]*:(?=\s))/uy;
const endOfFlow = /[,}]/u;

/** Returns the parts of an entry of front matter, without what is in them; none for what has no parts, or is not understood. */
export function partsIn(text: string, from: number, to: number): Part[] {
  const inner = skip(blankLines, text, from);
  if (text[inner] === '{') {
    return flowParts(text, inner, to) ?? [];
  }
  const first = text[inner] === '-' && text[inner + 1] === ' ' ? skip(/ */uy, text, inner + 1) : inner;
  return blockParts(text, first, Math.max(inner, from), to) ?? [];
}

/** @param dash where the first line begins but for its blanks: at its dash, in a list */
function blockParts(text: string, first: number, dash: number, to: number): Part[] | undefined {
  const lineStart = Math.max(text.lastIndexOf('\n', dash - 1), text.lastIndexOf('\r', dash - 1)) + 1;
  if (!/^ *$/u.test(text.slice(lineStart, dash)) || !matches(blockKey, text, first)) {
    return undefined;
  }
  const column = first - lineStart;
  const found: { key: string; from: number; start: number }[] = [];
  let end = to;
  for (let at = first; at < to; at = skip(/[^\n\r]*(?:\r\n?|\n)?/uy, text, at)) {
    const start = at === first ? at : skip(/ */uy, text, at);
    const indentation = at === first ? column : start - at;
    if (indentation > column || matches(/[ \t]*(?:[#\n\r]|$)/uy, text, start)) {
      continue;
    }
    if (indentation < column) {
      // The next one of the list, or what is not understood.
      if (first === dash || !/^-\s/u.test(text.slice(start, start + 2)) || indentation !== dash - lineStart) {
        return undefined;
      }
      end = at;
      break;
    }
    blockKey.lastIndex = start;
    const [whole, , key = ''] = blockKey.exec(text) ?? [];
    if (whole !== undefined) {
      found.push({ key, from: start + whole.length, start });
    } else if (!/^-\s/u.test(text.slice(start, start + 2))) {
      return undefined;
    }
  }
  return found.map(({ key, from }, index) => {
    const behind = found[index + 1]?.start ?? end;
    if (skip(blankLines, text, from) >= behind) {
      return { key, scalar: undefined, at: from };
    }
    const scalar = scalarAt(text, from, plain, restOfLine);
    // More of it may follow in the next lines.
    return scalar && skip(blankLines, text, scalar.end) >= behind
      ? { key, scalar, at: scalar.start }
      : { key, scalar: undefined, at: undefined };
  });
}

function flowParts(text: string, open: number, to: number): Part[] | undefined {
  const parts: Part[] = [];
  let at = skip(blankLines, text, open + 1);
  while (at < to && text[at] !== '}') {
    flowKey.lastIndex = at;
    const [whole, , inQuotes, bare] = flowKey.exec(text) ?? [];
    const key = inQuotes ?? bare;
    if (whole === undefined || key === undefined) {
      return undefined;
    }
    const from = at + whole.length;
    const scalar = scalarAt(text, from, plainInFlow, restInFlow);
    const value = skip(blankLines, text, from);
    const end = scalar ? scalar.end : endOfNested(text, value);
    const next = end === undefined ? to : skip(blankLines, text, end);
    if (next >= to || !endOfFlow.test(text[next] ?? '')) {
      return undefined;
    }
    parts.push({ key, scalar, at: scalar?.start });
    at = text[next] === ',' ? skip(blankLines, text, next + 1) : next;
  }
  return at < to && skip(blankLines, text, at + 1) >= to ? parts : undefined;
}

/** Returns where a list or a map in braces ends; undefined for anything else. */
function endOfNested(text: string, at: number): number | undefined {
  let depth = 0;
  const signs = /(?<=[\s,:[{])(?:"(?:[^"\\]|\\[^])*"|'[^']*')|(?<=\s)#[^\n\r]*|[[\]{}]/gu;
  signs.lastIndex = at;
  if (!/[[{]/u.test(text[at] ?? '')) {
    return undefined;
  }
  for (let found = signs.exec(text); found; found = signs.exec(text)) {
    const [sign] = found;
    depth += sign === '[' || sign === '{' ? 1 : sign === ']' || sign === '}' ? -1 : 0;
    if (depth === 0) {
      return found.index + 1;
    }
  }
  return undefined;
}
