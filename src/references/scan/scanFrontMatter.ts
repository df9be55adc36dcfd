import type { Reference, YamlNotation } from '../reference.ts';
import { wordsFrom } from '../words.ts';
import { linesOf } from './lines.ts';
import type { Range } from './masked.ts';
import { pathReferences } from './pathReferences.ts';

/** Longer ones are none, in UTF-16 units. */
const longest = 20_000;

const firstLine = /^\uFEFF?---[ \t]*\r?\n/u;
const lastLine = /^---[ \t]*$/mu;
/** A key, an item of a list, or both, and what begins the value. */
const startOfLine = /^[ \t]*(?:(?:-[ \t]+)?([\w-]+):|-)[ \t]+(?=\S)/u;
const quoted = /^(?:"([^"\\]+)"|'([^']+)')[ \t]*(?:#|$)/u;
/** A value in brackets or braces, maybe with its key. */
const flowValues =
  /(?<=[[{,][ \t]{0,20})(?:["']?([\w-]+)(?:["']:|:[ \t])[ \t]*)?(?:"([^"\\]{1,2000})"|'([^']{1,2000})'|([^\s"'[\]{},#][^"'[\]{},#]{0,2000}))(?=[ \t]*[,\]}])/dgu;
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
  const values: (Value & { group: number })[] = [];
  let [group, last] = [ofPage, ofPage];
  for (const { start, text: line } of linesOf(text.slice(from, to))) {
    if (/^(?:[ \t]*-|\S)/u.test(line)) {
      group = /^\S[^:]*:[ \t]+[^\s#]/u.test(line) && !line.startsWith('-') ? ofPage : ++last;
    }
    const [before, key = ''] = startOfLine.exec(line) ?? [];
    if (before !== undefined) {
      const own = isFlow(line, before.length) ? ++last : group;
      for (const value of valuesOf(line, before.length, key, from + start)) {
        values.push({ ...value, group: own });
      }
    }
  }
  const heading = values.find(({ key }) => key === 'title')?.value;
  const alts = values.filter(({ key }) => altKeys.has(key.toLowerCase()));
  return values.flatMap(({ value, start, notation, group }) => {
    const alt = alts.find((one) => one.group === group) ?? alts.find((one) => one.group === ofPage);
    return pathReferences(value, start, wordsFrom({ alt: alt?.value, heading }), notation);
  });
}

/** The group of values that stand alone; others are those of an item, of a key, or in brackets. */
const ofPage = 0;

interface Value {
  key: string;
  /** Without its quotes. */
  value: string;
  start: number;
  notation: YamlNotation;
}

/** Returns the value that begins at a place of a line, or those in its brackets. @param start of the line */
function valuesOf(line: string, at: number, key: string, start: number): Value[] {
  if (isFlow(line, at)) {
    return [...line.slice(at).matchAll(flowValues)].map(
      ({ 1: own = key, 2: double, 3: single, 4: plain = '', indices }) => {
        const [inside = 0] = indices?.[2] ?? indices?.[3] ?? indices?.[4] ?? [];
        const value = double ?? single ?? plain.trimEnd();
        return { key: own, value, start: start + at + inside, notation: notationOf(double, single) };
      },
    );
  }
  const rest = line.slice(at);
  const [, double, single] = quoted.exec(rest) ?? [];
  const inside = double ?? single;
  if (inside !== undefined) {
    return [{ key, value: inside, start: start + at + 1, notation: notationOf(double, single) }];
  }
  const comment = rest.indexOf(' #');
  const value = (comment < 0 ? rest : rest.slice(0, comment)).trimEnd();
  return [{ key, value, start: start + at, notation: 'yaml' }];
}

function isFlow(line: string, at: number): boolean {
  return /[[{]/u.test(line[at] ?? '');
}

function notationOf(double: string | undefined, single: string | undefined): YamlNotation {
  return double === undefined ? (single === undefined ? 'yaml' : "yaml'") : 'yaml"';
}
