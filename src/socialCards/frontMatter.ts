import type { FrontMatter } from './keys.ts';
import { tomlFrontMatter } from './tomlFrontMatter.ts';
import { yamlFrontMatter } from './yamlFrontMatter.ts';

const fences = /^\uFEFF?(---|\+\+\+)[ \t]*(?:\r\n?|\n)/u;
const objectStart = /^\uFEFF?\{\s*"/u;

/** Reads the front matter of a page: YAML or TOML. JSON is unreadable, as is YAML whose keys don't begin their lines. */
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
  const body = { text, start: opening.length, end: closed.index };
  const keys = fence === '---' ? yamlFrontMatter(body) : tomlFrontMatter(body);
  return keys === 'unreadable' ? keys : { ...keys, end: closed.index + closed[0].length };
}
