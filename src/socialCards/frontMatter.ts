import type { FrontMatter } from './keys.ts';
import { tomlFrontMatter } from './tomlFrontMatter.ts';
import { yamlFrontMatter } from './yamlFrontMatter.ts';

const fences = /^\uFEFF?(---|\+\+\+)[ \t]*(?:\r\n?|\n)/u;
/** Longer front matter is data for a program, and would take long to read. In UTF-16 units. */
const longest = 100_000;
const objectStart = /^\uFEFF?\{\s*"/u;

/**
 * Reads the front matter of a page: YAML or TOML. JSON is unreadable, as is YAML whose keys don't begin their lines, and
 * what is very long.
 */
export function frontMatterOf(text: string): FrontMatter | 'unreadable' | undefined {
  if (objectStart.test(text)) {
    return 'unreadable';
  }
  const [opening = '', fence] = fences.exec(text) ?? [];
  if (fence === undefined) {
    return undefined;
  }
  const closing = fence === '---' ? /^(?:---|\.\.\.)[ \t]*$/gmu : /^\+\+\+[ \t]*$/gmu;
  closing.lastIndex = opening.length;
  const closed = closing.exec(text);
  if (!closed) {
    return undefined;
  }
  if (closed.index > longest) {
    return 'unreadable';
  }
  const body = { text, start: opening.length, end: closed.index };
  const keys = fence === '---' ? yamlFrontMatter(body) : tomlFrontMatter(body);
  return keys === 'unreadable' ? keys : { ...keys, end: closed.index + closed[0].length };
}
