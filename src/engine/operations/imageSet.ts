import { CsvError, parse } from 'csv-parse/sync';
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
 * Reads a set: Markdown tables, CSV, tab-separated values, or JSON with the columns `name` and `prompt`, or one image a
 * line, `name: prompt` or just a prompt. Rows without a name are named by their prompts.
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
  const tables = markdownTables(lines);
  if (tables.length > 0) {
    const ofSets = tables.filter((table) => namesBothColumns(table[0]?.cells ?? []));
    return (ofSets.length > 0 ? ofSets : tables).flatMap((table) => fromTable(table));
  }
  const fence = fenceIn(lines);
  if (fence) {
    // What stands around it introduces it. Lines keep their numbers.
    return cellsIn(lines.map((line, at) => (at > fence.from && at < fence.to ? line : '')).join('\n'));
  }
  if (isJson(text)) {
    return fromJson(text);
  }
  const delimiter = delimiterOf(text, lines);
  return delimiter === undefined
    ? fromLines(lines.flatMap((line, index) => plainRow(line, index + 1) ?? []))
    : fromTable(separatedRows(text, delimiter), delimiter);
}

/** Lines that all begin with a title, such as `name:` or `prompt:`, are two to an image. */
function fromLines(rows: readonly Cells[]): Cells[] {
  if (rows.length === 1 || !rows.every(({ name }) => isNameTitle(name) || isPromptTitle(name))) {
    return [...rows];
  }
  const paired: Cells[] = [];
  for (const { line, name: title, prompt: value } of rows) {
    const last = paired.at(-1);
    if (isNameTitle(title)) {
      paired.push({ line, name: value, prompt: '' });
    } else if (last?.prompt === '') {
      last.prompt = value;
    } else {
      paired.push({ line, name: '', prompt: value });
    }
  }
  return paired;
}

/** Returns the lines of the first code block. */
function fenceIn(lines: readonly string[]): { from: number; to: number } | undefined {
  const from = lines.findIndex((line) => /^\s*(?:```|~~~)/u.test(line));
  const to = lines.findIndex((line, at) => at > from + 1 && /^\s*(?:```|~~~)\s*$/u.test(line));
  return from >= 0 && to > from ? { from, to } : undefined;
}

function isJson(text: string): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*["{\]])/u.test(text);
}

/** Reads JSON: a list of images, an image a line, or an object of prompts by name. Returns none if any of it is broken. */
function fromJson(text: string): Cells[] {
  const values = parsed(text) ?? jsonLines(text);
  const list = Array.isArray(values) ? values : Object.values(values).find(Array.isArray);
  const pairs: unknown[] =
    list ?? Object.entries(values).map(([name, prompt]: [string, unknown]) => ({ name, prompt }));
  return pairs.flatMap((value, index) => {
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [['prompt', value]];
    const textOf = (isTitle: (title: string) => boolean): string =>
      entries
        .filter(([title, one]) => isTitle(String(title).toLowerCase()) && typeof one === 'string')
        .map(([, one]) => String(one))[0] ?? '';
    const [name, prompt] = [textOf(isNameTitle), textOf(isPromptTitle)];
    return name === '' && prompt === '' ? [] : [{ line: index + 1, name, prompt }];
  });
}

function jsonLines(text: string): object[] {
  const lines = text.split(/\r\n?|\n/u).filter((line) => line.trim() !== '');
  const values = lines.flatMap((line) => parsed(line) ?? []);
  return values.length === lines.length ? values : [];
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

interface TableRow {
  line: number;
  cells: string[];
}

/** Returns the tables of a page, each with its lines. */
function markdownTables(lines: readonly string[]): TableRow[][] {
  const tables: TableRow[][] = [];
  for (const [index, line] of lines.entries()) {
    if (/^\s*\|.*\|/u.test(line)) {
      const row = { line: index + 1, cells: markdownCells(line) };
      const table = tables.at(-1);
      if (table?.at(-1)?.line === index) {
        table.push(row);
      } else {
        tables.push([row]);
      }
    }
  }
  return tables;
}

function namesBothColumns(cells: readonly string[]): boolean {
  const titles = cells.map((cell) => cell.toLowerCase());
  return titles.some(isNameTitle) && titles.some(isPromptTitle);
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

const nameTitles = new Set(
  (
    'name file filename id icon image key slug datei dateiname nombre archivo nom fichier nome arquivo ' +
    '名前 ファイル ファイル名 이름 파일 파일명 名称 文件 文件名 名稱 檔案 檔名'
  ).split(' '),
);
const promptTitles = new Set(
  (
    'prompt prompts description text subject beschreibung descripción texto texte descrição ' +
    'プロンプト 説明 프롬프트 설명 提示词 描述 提示詞 說明'
  ).split(' '),
);

/** Whether a column has names, by its title in small letters in a language that VS Code speaks. */
function isNameTitle(title: string): boolean {
  return nameTitles.has(title.replaceAll(/[\s_-]/gu, ''));
}

function isPromptTitle(title: string): boolean {
  return promptTitles.has(title);
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
      .replace(/^\[([^\]]+)\]\([^)]*\)$/u, '$1')
      .replace(/^(`+|\*\*)(.+)\1$/u, '$2'),
  );
}

/**
 * Returns what stands between the columns; undefined for one image a line. A comma in prose is no delimiter: there must
 * be a header, quotes, or a name in each line that the comma follows and no space does.
 */
function delimiterOf(text: string, lines: readonly string[]): string | undefined {
  const told = /^sep=([,;\t])\s*$/mu.exec(lines[0] ?? '')?.[1];
  if (told !== undefined) {
    return told;
  }
  const tabbed = text.includes('\t') ? separatedRows(text, '\t') : [];
  if (tabbed.length > 0 && tabbed.every(({ cells }) => cells.length > 1)) {
    return '\t';
  }
  const filled = lines.filter((line) => line.trim() !== '');
  const [first = ''] = filled;
  const isHeader = namesBothColumns(first.split(/[,;]/u).map((title) => title.trim().replaceAll('"', '')));
  const isQuoted = /^\s*(?:"(?:[^"]|"")*"|[\p{L}\p{N}_.-]+)\s*[,;]\s*"/u.test(first);
  const isTable = filled.every((line) => /^[\p{L}\p{N}_.-]+[,;]\S/u.test(line));
  return isHeader || isQuoted || (isTable && filled.length > 1) ? /[,;]/u.exec(first)?.[0] : undefined;
}

/** Reads values in quotes, which may hold the delimiter, line breaks, and doubled quotes. */
function separatedRows(text: string, delimiter: string, quote: '"' | null = '"'): TableRow[] {
  const rows: TableRow[] = [];
  try {
    parse(text, {
      delimiter,
      quote,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_records_with_empty_values: true,
      trim: delimiter !== '\t',
      on_record(record: string[], { lines }) {
        const breaks = record.join('').match(/\r\n?|\n/gu)?.length ?? 0;
        rows.push({ line: lines - breaks, cells: record.map((cell) => cell.trim()) });
        return null;
      },
    });
  } catch (error) {
    if (error instanceof CsvError && quote) {
      // A quote that nothing closes is part of a prompt.
      return separatedRows(text, delimiter, null);
    }
    throw error;
  }
  return rows.filter(({ cells }) => cells.join(delimiter) !== `sep=${delimiter}`);
}

/** Reads `name: prompt` or a prompt, also in a list; headings, comments, and fences are no images. */
function plainRow(line: string, number: number): Cells | undefined {
  const text = line.trim().replace(/^(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/u, '');
  if (text === '' || /^(?:#{1,6}\s|```|-{3,}$|\/\/)/u.test(text)) {
    return undefined;
  }
  const [, name = '', prompt = text] =
    /^[`*"]*([^\s:：`*"]+)[`*"]*(?::[`*"]*\s|：[`*"]*)\s*(.+)$/u.exec(text) ?? [];
  return { line: number, name, prompt };
}
