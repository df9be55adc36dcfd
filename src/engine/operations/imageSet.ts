import { ellipsize } from '../../common/text.ts';
import {
  askedFormat,
  foreignExtension,
  isFixedName,
  renderFileName,
  withoutExtension,
} from '../task/fileNames.ts';

/** An image of a set. All images of a set share every other setting. */
export interface SetRow {
  /** Part of the name of its file; an extension chooses the format. */
  name: string;
  prompt: string;
}

/** Why a set can't be made as it is written. Lines count from 1. */
export type SetProblem =
  | { of: 'empty' }
  | { of: 'many'; line: number; most: number }
  | { of: 'prompt'; line: number; name: string }
  | { of: 'name'; line: number; name: string }
  | { of: 'duplicate'; line: number; name: string; first: number };

export interface ImageSet {
  rows: SetRow[];
  /** Empty if the set can be made. */
  problems: SetProblem[];
}

/** Most of the names of a set that its title has, in UTF-16 units. */
const longestTitle = 60;
/** Most images of a set. */
export const largestSet = 100;

interface Cells {
  line: number;
  name: string;
  prompt: string;
}

/**
 * Reads a set: a Markdown table, CSV, or tab-separated values with the columns `name` and `prompt`, or one image a line,
 * `name: prompt` or just a prompt. Rows without a name are named by their prompts.
 */
export function readSet(text: string): ImageSet {
  return checkSet(cellsIn(text.replace(/^\uFEFF/u, '')));
}

/** Checks the rows of a set; those that are empty are left out. Each counts as a line, unless it has one. */
export function checkSet(rows: readonly (SetRow & { line?: number })[]): ImageSet {
  const filled = rows
    .map((row, index) => ({
      line: row.line ?? index + 1,
      name: row.name.trim(),
      prompt: row.prompt.replaceAll(/\s+/gu, ' ').trim(),
    }))
    .filter(({ name, prompt }) => name !== '' || prompt !== '');
  const lines = new Map<string, number>();
  const problems: SetProblem[] = filled.length === 0 ? [{ of: 'empty' }] : [];
  const taken = new Set(filled.map(({ name }) => keyOf(name)));
  const named = filled.slice(0, largestSet).map(({ line, name, prompt }) => {
    if (prompt === '') {
      problems.push({ of: 'prompt', line, name });
    }
    const key = keyOf(name);
    const first = lines.get(key);
    if (name !== '' && first !== undefined) {
      problems.push({ of: 'duplicate', line, name, first });
    } else if (name !== '' && !isName(name)) {
      problems.push({ of: 'name', line, name });
    }
    lines.set(key, first ?? line);
    return { name: name === '' ? freeName(prompt, taken) : name, prompt };
  });
  const surplus = filled[largestSet];
  if (surplus) {
    problems.push({ of: 'many', line: surplus.line, most: largestSet });
  }
  return { rows: named, problems };
}

/**
 * Returns the file name of an image of a set: the common template with the image's name in the place of `{name}` and
 * `{prompt}`, or else at its end. An extension of the image's own wins.
 */
export function setFileName(template: string, name: string): string {
  const stem = withoutExtension(template);
  const whole = /\{(?:name|prompt)\}/u.test(stem) ? stem : `${stem}${stem === '' ? '' : '-'}{name}`;
  const extension = askedFormat(name)?.extension ?? askedFormat(template)?.extension ?? '';
  return whole.replaceAll(/\{(?:name|prompt)\}/gu, () => withoutExtension(name)) + extension;
}

/** Names a set by its images. */
export function setTitle(rows: readonly Pick<SetRow, 'name'>[]): string {
  return ellipsize(rows.map(({ name }) => withoutExtension(name)).join(', '), longestTitle);
}

/** Returns the names that a file of this name may have got, if the template names one file. */
export function filesNamed(fileName: string): string[] {
  const stem = withoutExtension(fileName);
  const extension = askedFormat(fileName)?.extension;
  return fileName.includes('{')
    ? []
    : extension === undefined
      ? ['.png', '.jpg', '.webp'].map((one) => stem + one)
      : [stem + extension];
}

function isName(name: string): boolean {
  return isFixedName(name) && foreignExtension(name) === undefined;
}

/** Many file systems ignore case. */
function keyOf(name: string): string {
  return withoutExtension(name).normalize('NFC').toLowerCase();
}

/** @param taken gets the name */
function freeName(prompt: string, taken: Set<string>): string {
  const values = { prompt, model: '', at: new Date(0), index: 1, id: '' };
  const stem = renderFileName('{prompt}', values);
  let name = stem;
  for (let number = 2; taken.has(keyOf(name)); number++) {
    name = `${stem}-${number}`;
  }
  taken.add(keyOf(name));
  return name;
}

function cellsIn(text: string): Cells[] {
  const lines = text.split(/\r\n?|\n/u);
  if (lines.some((line) => /^\s*\|.*\|/u.test(line))) {
    return fromTable(
      lines.flatMap((line, index) =>
        /^\s*\|/u.test(line) ? { line: index + 1, cells: markdownCells(line) } : [],
      ),
    );
  }
  const delimiter = delimiterOf(lines);
  return delimiter === undefined
    ? lines.flatMap((line, index) => plainRow(line, index + 1) ?? [])
    : fromTable(separatedRows(text, delimiter), delimiter);
}

interface TableRow {
  line: number;
  cells: string[];
}

/** @param delimiter between columns, which a prompt without quotes may hold, too */
function fromTable(table: readonly TableRow[], delimiter?: string): Cells[] {
  const isRule = ({ cells }: TableRow): boolean => cells.every((cell) => /^:?-+:?$/u.test(cell));
  const rule = table.findIndex(isRule);
  const rows = table.filter((row) => !isRule(row));
  const header = rows[0]?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const [nameAt, promptAt] = [header.findIndex(isNameTitle), header.findIndex(isPromptTitle)];
  const hasHeader = rule === 1 || (promptAt >= 0 && (nameAt >= 0 || header.length === 1));
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  const name = nameAt >= 0 ? nameAt : promptAt === 0 || width === 1 ? -1 : 0;
  const prompt = promptAt >= 0 ? promptAt : name + 1;
  const isLast = delimiter !== undefined && (!hasHeader || prompt === header.length - 1);
  return rows.slice(hasHeader ? 1 : 0).map(({ line, cells }) => ({
    line,
    name: cells[name] ?? '',
    prompt: isLast ? cells.slice(prompt).join(`${delimiter} `) : (cells[prompt] ?? ''),
  }));
}

function isNameTitle(title: string): boolean {
  return /^(?:name|file|file ?name|id|icon|image)$/u.test(title);
}

function isPromptTitle(title: string): boolean {
  return /^(?:prompts?|description|text|subject)$/u.test(title);
}

function markdownCells(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/u, '')
    .replace(/(?<!\\)\|$/u, '');
  return inner.split(/(?<!\\)\|/u).map((cell) =>
    cell
      .replaceAll(String.raw`\|`, '|')
      .replaceAll(/<br\s*\/?>/giu, ' ')
      .trim()
      .replace(/^(`+|\*\*)(.+)\1$/u, '$2'),
  );
}

/**
 * Returns what stands between the columns; undefined for one image a line. A comma in prose is no delimiter: there must
 * be a header, quotes, or a name in each line that the comma follows and no space does.
 */
function delimiterOf(lines: readonly string[]): string | undefined {
  const filled = lines.filter((line) => line.trim() !== '');
  if (filled.length > 0 && filled.every((line) => line.includes('\t'))) {
    return '\t';
  }
  const [first = ''] = filled;
  const titles = first.split(/[,;]/u).map((title) => title.trim().replaceAll('"', '').toLowerCase());
  const isHeader = titles.some(isNameTitle) && titles.some(isPromptTitle);
  const isQuoted = /^\s*(?:"(?:[^"]|"")*"|[\p{L}\p{N}_.-]+)\s*[,;]\s*"/u.test(first);
  const isTable = filled.every((line) => /^[\p{L}\p{N}_.-]+[,;]\S/u.test(line));
  return isHeader || isQuoted || (isTable && filled.length > 1) ? /[,;]/u.exec(first)?.[0] : undefined;
}

/** Reads values in quotes, which may hold the delimiter, line breaks, and doubled quotes. */
function separatedRows(text: string, delimiter: string): TableRow[] {
  const rows: TableRow[] = [];
  let [row, cell, isQuoted, line, start]: [string[], string, boolean, number, number] = [[], '', false, 1, 1];
  const endRow = (): void => {
    row.push(cell.trim());
    if (row.some((one) => one !== '')) {
      rows.push({ line: start, cells: row });
    }
    [row, cell, start] = [[], '', line];
  };
  for (const [token] of text.matchAll(/""|\r\n?|\n|[^]/gu)) {
    const isBreak = token.startsWith('\r') || token === '\n';
    line += isBreak ? 1 : 0;
    if (isQuoted && token === '""') {
      cell += '"';
    } else if (token === '""' && cell.trim() === '') {
      cell = '';
    } else if (token === '"' && (isQuoted || cell.trim() === '')) {
      isQuoted = !isQuoted;
    } else if (isQuoted || (!isBreak && token !== delimiter)) {
      cell += token;
    } else if (isBreak) {
      endRow();
    } else {
      row.push(cell.trim());
      cell = '';
    }
  }
  endRow();
  return rows;
}

/** Reads `name: prompt` or a prompt, also in a list; headings, comments, and fences are no images. */
function plainRow(line: string, number: number): Cells | undefined {
  const text = line.trim().replace(/^(?:[-*+•]|\d{1,3}[.)])\s+/u, '');
  if (text === '' || /^(?:#{1,6}\s|```|-{3,}$|\/\/)/u.test(text)) {
    return undefined;
  }
  const [, name = '', prompt = text] =
    /^[`*"]*([^\s:：`*"]+)[`*"]*(?::[`*"]*\s|：[`*"]*)\s*(.+)$/u.exec(text) ?? [];
  return { line: number, name, prompt };
}
