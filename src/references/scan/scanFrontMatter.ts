import type { Reference } from '../reference.ts';
import { wordsFrom } from '../words.ts';
import { linesOf } from './lines.ts';
import type { Range } from './masked.ts';
import { pathReferences } from './pathReferences.ts';

/** Longer ones are none, in UTF-16 units. */
const longest = 20_000;

const firstLine = /^\uFEFF?---[ \t]*\r?\n/u;
const lastLine = /^---[ \t]*$/mu;
/** A key, also the first one of a list's item, and what begins its value. */
const keyOfLine = /^[ \t]*(?:-[ \t]+)?([\w-]+):[ \t]*(?=\S)/u;
const quoted = /^(?:"([^"\\]+)"|'([^']+)')[ \t]*(?:#|$)/u;
/** Keys that say what the page shows. */
const altKeys: ReadonlySet<string> = new Set(['alt', 'image_alt', 'imagealt', 'coveralt', 'heroalt']);

/** Returns where the lines of a page's front matter are; undefined if it has none. */
export function frontMatterOf(text: string): Range | undefined {
  const start = firstLine.exec(text)?.[0].length;
  const end = start === undefined ? -1 : text.slice(start, start + longest).search(lastLine);
  return start === undefined || end < 0 ? undefined : [start, start + end];
}

/** Finds the images that the front matter of a page names: `image: ./hero.png`. */
export function scanFrontMatter(text: string): Reference[] {
  const [from, to] = frontMatterOf(text) ?? [0, 0];
  const values = [...linesOf(text.slice(from, to))].flatMap(({ start, text: line }) => {
    const [before, key = ''] = keyOfLine.exec(line) ?? [];
    return before === undefined ? [] : [{ key, ...valueOf(line, before.length, from + start) }];
  });
  const alt = values.find(({ key }) => altKeys.has(key.toLowerCase()))?.value;
  const heading = values.find(({ key }) => key === 'title')?.value;
  const words = wordsFrom({ alt, heading });
  return values.flatMap(({ value, start }) => pathReferences(value, start, words));
}

/** Returns a value without its quotes and a comment behind it. */
function valueOf(line: string, at: number, start: number): { value: string; start: number } {
  const rest = line.slice(at);
  const [, double, single] = quoted.exec(rest) ?? [];
  const inside = double ?? single;
  if (inside !== undefined) {
    return { value: inside, start: start + at + 1 };
  }
  const comment = rest.indexOf(' #');
  return { value: (comment < 0 ? rest : rest.slice(0, comment)).trimEnd(), start: start + at };
}
