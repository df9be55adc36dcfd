import {
  addressOf,
  addressWritten,
  type CardImage,
  isComputed,
  isPlain,
  type TextEdit,
} from './cardImage.ts';
import {
  type Body,
  type FrontMatterKeys,
  imageEntryOf,
  isAltOf,
  lineEndOf,
  partKeys,
  plainKey,
  type Scalar,
} from './keys.ts';
import { partsIn } from './yamlParts.ts';
import { blankLines, plain, plainInFlow, restInFlow, restOfLine, scalarAt, skip } from './yamlScalars.ts';

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

const keys = /^(["']?)([\p{L}_][\p{L}\p{N}_. :-]*?)\1(?<![ \t])[ \t]*:(?=\s|$)/gmu;

/** Reads front matter in YAML, whose keys begin their lines. */
export function yamlFrontMatter(body: Body): FrontMatterKeys | 'unreadable' {
  const { text, start, end } = body;
  const lines = text.slice(start, end);
  const found = [...lines.matchAll(keys)];
  const entries = found.map(({ index, 0: whole, 2: key = '' }, at): Entry => ({
    key,
    from: start + index + whole.length,
    to: found[at + 1] ? start + (found[at + 1]?.index ?? 0) : end,
  }));
  const content = skip(blankLines, text, start);
  const isAtLineStart = content === start || /[\n\r]/u.test(text[content - 1] ?? '');
  if (content < end && (entries.length === 0 || !isAtLineStart || /[[{]/u.test(text[content] ?? ''))) {
    return 'unreadable';
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
  if (!target || isComputed(target.scalar?.value ?? '')) {
    return undefined;
  }
  const { scalar, at } = target;
  const before = scalar && !isNothing(scalar.value) ? scalar.value : undefined;
  const alternative =
    partsIn(text, entry.from, entry.to).find(({ key }) => key === 'alt')?.scalar ??
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
  const part = partsIn(text, from, to).find(({ key }) => partKeys.has(key));
  if (part) {
    const { scalar, at } = part;
    return at === undefined ? undefined : { ...(scalar && { scalar }), at };
  }
  if (text[inner] === '[') {
    const first = skip(blankLines, text, inner + 1);
    const scalar = scalarAt(text, first, plainInFlow, restInFlow);
    return scalar || text[first] === ']' ? { ...(scalar && { scalar }), at: inner + 1 } : undefined;
  }
  const scalar = /^-[ \t]/u.test(text.slice(inner, inner + 2))
    ? scalarAt(text, inner + 1, plain, restOfLine)
    : undefined;
  const next = scalar ? skip(blankLines, text, scalar.end) : to;
  // More of the first one may follow in the next lines.
  return scalar && (next >= to || /^-\s/u.test(text.slice(next, next + 2)))
    ? { scalar, at: scalar.start }
    : undefined;
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
