import { type AST, parseTOML } from 'toml-eslint-parser';
import { isCollection, isMap, isPair, isScalar, isSeq, parseDocument, type ParsedNode } from 'yaml';
import type { FrontMatterNotation } from './reference.ts';

/** The position of front matter in its page, in UTF-16 units. */
export interface FrontMatterRange {
  format: 'yaml' | 'toml' | 'json';
  start: number;
  end: number;
  /** Where the page continues. */
  behind: number;
}

/** A string: its value, and where it stands without its quotes. */
export interface FrontText {
  kind: 'text';
  value: string;
  start: number;
  end: number;
  /** Undefined if it can't be replaced: it takes several lines, or something else refers to it. */
  notation: FrontMatterNotation | undefined;
  /** Whether its key stands alone, and its value would be written here. */
  isMissing?: true;
}

export interface FrontList {
  kind: 'list';
  /** Where its first item stands, or would. */
  start: number;
  items: FrontValue[];
}

export interface FrontMap {
  kind: 'map';
  entries: FrontEntry[];
}

/** Undefined for a value of another kind. */
export type FrontValue = FrontText | FrontList | FrontMap | undefined;

export interface FrontEntry {
  key: string;
  value: FrontValue;
  /** The position of the key and its value. */
  start: number;
  end: number;
}

export interface FrontMatter extends FrontMap {
  /** Where entries of the page end, and tables of TOML begin. */
  entriesEnd: number;
  /** Whether parts of it were not understood. */
  isBroken: boolean;
}

const fences = /^\uFEFF?(---|\+\+\+)[ \t]*(?:\r\n?|\n)/u;
const objectStart = /^\uFEFF?(?=\{\s*")/u;
/** Strings of JSON, and signs that count. Strings that don't end extend to the end of their line. */
const signs = /"(?:[^"\\\n\r]|\\.)*"?|[{}]/gu;
/** Maximum length, in UTF-16 units. Longer front matter is data for a program, and slow to read. */
export const longestFrontMatter = 100_000;

/** Returns the position of front matter: between lines of `---` or `+++`, or an object of JSON. */
export function frontMatterIn(text: string): FrontMatterRange | undefined {
  const [opening = '', fence] = fences.exec(text) ?? [];
  if (fence === undefined) {
    return objectIn(text);
  }
  const closing = fence === '---' ? /^(?:---|\.\.\.)[ \t]*$/gmu : /^\+\+\+[ \t]*$/gmu;
  closing.lastIndex = opening.length;
  const closed = closing.exec(text);
  return closed
    ? {
        format: fence === '---' ? 'yaml' : 'toml',
        start: opening.length,
        end: closed.index,
        behind: closed.index + closed[0].length,
      }
    : undefined;
}

function objectIn(text: string): FrontMatterRange | undefined {
  const start = objectStart.exec(text)?.[0].length;
  if (start === undefined) {
    return undefined;
  }
  let depth = 0;
  signs.lastIndex = start;
  for (let sign = signs.exec(text); sign; sign = signs.exec(text)) {
    depth += sign[0] === '{' ? 1 : sign[0] === '}' ? -1 : 0;
    if (depth === 0) {
      return { format: 'json', start, end: signs.lastIndex, behind: signs.lastIndex };
    }
  }
  return undefined;
}

/** Reads front matter; undefined if that is impossible, or if the keys of YAML don't begin their lines. */
export function readFrontMatter(text: string, range: FrontMatterRange): FrontMatter | undefined {
  const source = text.slice(range.start, range.end);
  if (source.length > longestFrontMatter) {
    return undefined;
  }
  return range.format === 'toml' ? readToml(source, range.start) : readYaml(source, range);
}

/** Options that keep values as they are written. The site's generator decides what a repeated key means. */
const options = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;

/** Reads YAML, which JSON is, too. */
function readYaml(source: string, { start, format }: FrontMatterRange): FrontMatter | undefined {
  const { contents, errors } = parseDocument(source, options);
  const isInLines =
    isMap(contents) &&
    (format === 'json' ||
      (contents.flow !== true && /(?<![^\n\r])$/u.test(source.slice(0, contents.range[0]))));
  if (contents && !isInLines) {
    return undefined;
  }
  const found = contents ? yamlValue(contents, source, start, format) : undefined;
  const entries = found?.kind === 'map' ? found.entries : [];
  return {
    kind: 'map',
    entries,
    entriesEnd: format === 'json' ? (entries.at(-1)?.end ?? start + 1) : start + source.length,
    isBroken: errors.length > 0,
  };
}

function yamlValue(
  node: ParsedNode | null | undefined,
  source: string,
  from: number,
  format: FrontMatterRange['format'],
): FrontValue {
  if (isMap(node)) {
    const entries = node.items.filter(isPair).flatMap(({ key, value }): FrontEntry[] => {
      if (!isScalar(key)) {
        return [];
      }
      const start = from + key.range[0];
      const end = from + (isCollection(value) ? value.range[1] : (value?.range[1] ?? key.range[1]));
      return [{ key: String(key.value), value: yamlValue(value, source, from, format), start, end }];
    });
    return { kind: 'map', entries };
  }
  if (isSeq(node)) {
    const items = node.items.map((item) => yamlValue(item, source, from, format));
    return { kind: 'list', items, start: from + node.range[0] + (node.flow === true ? 1 : 0) };
  }
  if (!isScalar(node) || (node.type === 'PLAIN' && format === 'json')) {
    return undefined;
  }
  const { value, type, range, source: written, anchor, tag } = node;
  const isNull = type === 'PLAIN' && /^(?:~|null)?$/iu.test(written);
  const notation =
    anchor !== undefined || tag !== undefined
      ? undefined
      : type === 'PLAIN'
        ? 'yaml'
        : type === 'QUOTE_SINGLE'
          ? "yaml'"
          : type === 'QUOTE_DOUBLE'
            ? 'yaml"'
            : undefined;
  const quotes = type === 'PLAIN' ? 0 : 1;
  const isMissing = isNull && written === '';
  const start = isMissing ? source.slice(0, range[0]).trimEnd().length : range[0] + quotes;
  return {
    kind: 'text',
    value: isNull ? '' : String(value),
    start: from + start,
    end: isMissing ? from + start : from + range[1] - quotes,
    notation,
    ...(isMissing && { isMissing }),
  };
}

function readToml(source: string, from: number): FrontMatter | undefined {
  let tree: AST.TOMLProgram;
  try {
    tree = parseTOML(source);
  } catch {
    return undefined;
  }
  const page: FrontMap = { kind: 'map', entries: [] };
  const [{ body }] = tree.body;
  for (const part of body) {
    if (part.type === 'TOMLTable') {
      const table = mapAt(page, part.resolvedKey, from + part.range[0], from + part.range[1]);
      addEntries(table, part.body, from);
    } else {
      addEntries(page, [part], from);
    }
  }
  const firstTable = body.find(({ type }) => type === 'TOMLTable');
  return { ...page, entriesEnd: from + (firstTable?.range[0] ?? source.length), isBroken: false };
}

function addEntries(map: FrontMap, pairs: readonly AST.TOMLKeyValue[], from: number): void {
  for (const { key, value, range } of pairs) {
    const names = key.keys.map((one) => (one.type === 'TOMLBare' ? one.name : one.value));
    const [start, end] = [from + range[0], from + range[1]];
    const parent = mapAt(map, names.slice(0, -1), start, end);
    parent.entries.push({ key: names.at(-1) ?? '', value: tomlValue(value, from), start, end });
  }
}

/** Returns the map at a path of keys and of indexes in lists, and adds what is missing on the way. */
function mapAt(
  map: FrontMap,
  [name, ...rest]: readonly (string | number)[],
  start: number,
  end: number,
): FrontMap {
  if (name === undefined) {
    return map;
  }
  const known = map.entries.find(({ key }) => key === String(name))?.value;
  if (known?.kind === 'map') {
    return mapAt(known, rest, start, end);
  }
  const [index, ...behind] = rest;
  const next: FrontMap = { kind: 'map', entries: [] };
  if (known?.kind === 'list' && typeof index === 'number') {
    const item = known.items[index];
    if (item?.kind === 'map') {
      return mapAt(item, behind, start, end);
    }
    known.items.push(next);
    return mapAt(next, behind, start, end);
  }
  const isList = typeof index === 'number';
  const value: FrontValue = isList ? { kind: 'list', start, items: [next] } : next;
  map.entries.push({ key: String(name), value, start, end });
  return mapAt(next, isList ? behind : rest, start, end);
}

function tomlValue(node: AST.TOMLContentNode, from: number): FrontValue {
  if (node.type === 'TOMLInlineTable') {
    const map: FrontMap = { kind: 'map', entries: [] };
    addEntries(map, node.body, from);
    return map;
  }
  if (node.type === 'TOMLArray') {
    const items = node.elements.map((item) => tomlValue(item, from));
    return { kind: 'list', items, start: from + node.range[0] + 1 };
  }
  if (node.kind !== 'string') {
    return undefined;
  }
  return {
    kind: 'text',
    value: node.value,
    start: from + node.range[0] + 1,
    end: from + node.range[1] - 1,
    notation: node.multiline ? undefined : node.style === 'literal' ? "toml'" : 'yaml"',
  };
}
