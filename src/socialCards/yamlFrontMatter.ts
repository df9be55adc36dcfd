import { addressOf, addressWritten, type CardImage, isPlain, type TextEdit } from './cardImage.ts';
import {
  type Body,
  type FrontMatterKeys,
  imageEntryOf,
  isAltOf,
  lineEndOf,
  partKeys,
  plainKey,
  type Scalar,
  unescaped,
} from './keys.ts';

/** A key of the first level. */
interface Entry {
  key: string;
  /** Behind its colon. */
  from: number;
  /** Where the next one begins. */
  to: number;
}

/** What an entry names as its image: a scalar, or a place where one is missing. */
interface Target {
  scalar?: Scalar;
  /** Where it is put without one. */
  at: number;
}

const keys = /^(["']?)([\p{L}_][\p{L}\p{N}_. :-]*?)\1[ \t]*:(?=\s|$)/gmu;
const partKey = /(?<=[\s{,-])(["']?)([A-Za-z_]+)\1[ \t]*:(?=\s|$|["'])/gu;
const quoted = /"((?:[^"\\\n\r]|\\[^\n\r])*)"|'((?:[^'\n\r]|'')*)'/uy;
const plainStart = String.raw`(?:[^\s\-?:,[\]{}#&*!|>'"%@${'`'}]|[-?:](?=[^\s,[\]{}]))`;
const plain = new RegExp(String.raw`${plainStart}(?:[^\s:#]|:(?=\S)|(?<=\S)#|[ \t]+(?=[^\s#:]|:\S))*`, 'uy');
const plainInFlow = new RegExp(
  String.raw`${plainStart}(?:[^\s:#,[\]{}]|:(?=[^\s,[\]{}])|(?<=\S)#|[ \t]+(?=[^\s#:,[\]{}]))*`,
  'uy',
);
const restOfLine = /[ \t]*(?:(?<=[ \t])#[^\n\r]*)?(?=[\n\r]|$)/uy;
const restInFlow = /\s*(?=[,\]}])/uy;
const blanks = /[ \t]*/uy;
const blankLines = /(?:\s|#[^\n\r]*)*/uy;

/** Reads front matter in YAML; undefined for lines that are none. */
export function yamlFrontMatter(body: Body): FrontMatterKeys | undefined {
  const { text, start, end } = body;
  const lines = text.slice(start, end);
  const found = [...lines.matchAll(keys)];
  const entries = found.map(({ index, 0: whole, 2: key = '' }, at): Entry => ({
    key,
    from: start + index + whole.length,
    to: found[at + 1] ? start + (found[at + 1]?.index ?? 0) : end,
  }));
  if (entries.length === 0 && /^[ \t]*[^\s#]/mu.test(lines)) {
    return undefined;
  }
  return {
    value: (key) => {
      const entry = entries.find((one) => plainKey(one.key) === plainKey(key));
      return entry && wordsOf(text, entry);
    },
    image: () => {
      const entry = imageEntryOf(entries);
      const value = (entry && targetOf(text, entry))?.scalar?.value;
      return value === undefined || isNothing(value) ? undefined : value;
    },
    edits: (image) => {
      const entry = imageEntryOf(entries);
      if (entry) {
        return editsOf(text, entry, entries, image);
      }
      const put = `image: ${addressWritten(image, undefined)}${lineEndOf(text)}`;
      return [{ start: end, end, text: put }];
    },
  };
}

function editsOf(
  text: string,
  entry: Entry,
  entries: readonly Entry[],
  image: CardImage,
): TextEdit[] | undefined {
  const target = targetOf(text, entry);
  if (!target) {
    return undefined;
  }
  const { scalar, at } = target;
  const before = scalar && !isNothing(scalar.value) ? scalar.value : undefined;
  const alternative =
    partsIn(text, entry).find(({ key }) => key === 'alt')?.scalar ??
    entries
      .filter(({ key }) => isAltOf(key, entry.key))
      .map((one) => targetOf(text, one)?.scalar)
      .find((one) => one !== undefined);
  const edits = [
    scalar
      ? replacing(scalar, addressOf(image, before))
      : { start: at, end: at, text: missing(text[at - 1] === ':', entry, addressWritten(image, before)) },
    ...(alternative ? [replacing(alternative, image.alt)] : []),
  ];
  return edits.filter((edit) => text.slice(edit.start, edit.end) !== edit.text);
}

/** Returns what is put where nothing is. @param isAlone whether it is behind the colon of its key */
function missing(isAlone: boolean, { key }: Entry, address: string): string {
  return isAlone ? (plainKey(key) === 'images' ? ` [${address}]` : ` ${address}`) : address;
}

function replacing({ start, end, quote }: Scalar, value: string): TextEdit {
  const text =
    quote === "'"
      ? `'${value.replaceAll("'", "''")}'`
      : quote === '"' || !isPlain(value)
        ? JSON.stringify(value)
        : value;
  return { start, end, text };
}

/** Returns where the image of an entry is named: by itself, as the first of a list, or in one of several parts. */
function targetOf(text: string, entry: Entry): Target | undefined {
  const { from, to } = entry;
  const alone = scalarAt(text, from, plain, restOfLine);
  if (alone) {
    // More of it may follow in the next lines.
    return skip(blankLines, text, alone.end) >= to ? { scalar: alone, at: alone.start } : undefined;
  }
  const inner = skip(blankLines, text, from);
  if (inner >= to) {
    return { at: from };
  }
  const part = partsIn(text, entry).find(({ key }) => partKeys.has(key));
  if (part) {
    return { ...(part.scalar && { scalar: part.scalar }), at: part.at };
  }
  if (text[inner] === '[') {
    const first = skip(blankLines, text, inner + 1);
    const scalar = scalarAt(text, first, plainInFlow, restInFlow);
    return scalar || text[first] === ']' ? { ...(scalar && { scalar }), at: inner + 1 } : undefined;
  }
  const scalar = /^-[ \t]/u.test(text.slice(inner, inner + 2))
    ? scalarAt(text, inner + 1, plain, restOfLine)
    : undefined;
  return scalar && { scalar, at: scalar.start };
}

/** Returns the parts of an image that is described by several, as far as they are scalars or empty. */
function partsIn(text: string, { from, to }: Entry): { key: string; scalar?: Scalar; at: number }[] {
  const lines = text.slice(from, to);
  if (!/^\s*(?:#[^\n\r]*\s+)*(?:\{|-?[ \t]*["']?[A-Za-z_]+["']?[ \t]*:\s)/u.test(lines)) {
    return [];
  }
  const isFlow = lines.trimStart().startsWith('{');
  return [...lines.matchAll(partKey)].flatMap(({ index, 0: whole, 2: key = '' }) => {
    const at = from + index + whole.length;
    const scalar = isFlow
      ? scalarAt(text, at, plainInFlow, restInFlow)
      : scalarAt(text, at, plain, restOfLine);
    const isEmpty = !isFlow && matches(restOfLine, text, at);
    return scalar ? [{ key, scalar, at }] : isEmpty ? [{ key, at }] : [];
  });
}

/** Reads a scalar behind blanks, of which nothing else but what `rest` matches may follow. */
function scalarAt(text: string, from: number, unquoted: RegExp, rest: RegExp): Scalar | undefined {
  const start = skip(blanks, text, from);
  quoted.lastIndex = start;
  const [whole, double, single] = quoted.exec(text) ?? [];
  unquoted.lastIndex = start;
  const written = whole ?? unquoted.exec(text)?.[0];
  if (written === undefined || !matches(rest, text, start + written.length)) {
    return undefined;
  }
  const value = double === undefined ? (single?.replaceAll("''", "'") ?? written) : unescaped(double);
  const quote = double === undefined ? (single === undefined ? '' : "'") : '"';
  return { value, start, end: start + written.length, quote };
}

/** Returns what an entry says, on one line; undefined where it says nothing in words. */
function wordsOf(text: string, { from, to }: Entry): string | undefined {
  const alone = scalarAt(text, from, plain, restOfLine);
  const [first = '', ...rest] = text.slice(from, to).split(/\r\n?|\n/u);
  const more = rest.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  if (alone && (alone.quote !== '' || more.length === 0)) {
    return isNothing(alone.value) && alone.quote === '' ? undefined : alone.value.trim();
  }
  const isBlock = /^[ \t]*[|>][-+\d]*[ \t]*(?:#.*)?$/u.test(first);
  const words = [...(isBlock ? [] : [alone?.value ?? first.trim()]), ...more].join(' ');
  return /^[[{&*!|>-]/u.test(words) || (!isBlock && !alone) ? undefined : words;
}

/** Whether a plain scalar means that there is nothing. */
function isNothing(value: string): boolean {
  return value === '' || /^(?:~|null)$/iu.test(value);
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
