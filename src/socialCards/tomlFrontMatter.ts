import { masked } from '../references/scan/masked.ts';
import { addressOf, isComputed, type TextEdit } from './cardImage.ts';
import {
  type Body,
  type FrontMatterKeys,
  imageEntryOf,
  isAltOf,
  isImageKey,
  lineEndOf,
  partKeys,
  plainKey,
} from './keys.ts';

/** A string that is written in one piece. */
interface Scalar {
  /** As it is meant. */
  value: string;
  /** Where it stands, with its quotes. */
  start: number;
  end: number;
  quote: '"' | "'";
}

interface Entry {
  key: string;
  /** Of which it is a part; empty for none. */
  table: string;
  /** The string that it is, or that is first in its list; undefined for anything else. */
  scalar: Scalar | undefined;
  /** Where the first of its list is put that is empty. */
  emptyAt: number | undefined;
}

const longStrings = /()(?:"""[^]*?"""|'''[^]*?''')/gu;
const lineStarts = /^[ \t]*(?:\[\[?([^[\]\n\r]+)\]\]?|(["']?)([\w.-]+)\2[ \t]*=[ \t]*)/gmu;
/** Strings that don't end go on to the end of their line. */
const signs = /"(?:[^"\\\n\r]|\\[^\n\r])*"?|'[^'\n\r]*'?|#[^\n\r]*|[[\]{}]/gu;
const emptyList = /\[\s*\]/uy;
const strings = /\[?\s*(?:"((?:[^"\\\n\r]|\\[^\n\r])*)"|'([^'\n\r]*)')/duy;

/** Reads front matter in TOML, whose lists end. */
export function tomlFrontMatter({ text, start, end }: Body): FrontMatterKeys | 'unreadable' {
  const source = masked(text.slice(0, end), longStrings);
  const entries: Entry[] = [];
  let table = '';
  let firstTable = end;
  lineStarts.lastIndex = start;
  for (let found = lineStarts.exec(source); found; found = lineStarts.exec(source)) {
    const [whole, header, , key = ''] = found;
    if (header === undefined) {
      const at = found.index + whole.length;
      emptyList.lastIndex = at;
      const emptyAt = emptyList.test(source) ? at + 1 : undefined;
      entries.push({ key, table, scalar: stringAt(source, at), emptyAt });
      const behind = behindValue(source, at);
      if (behind === undefined) {
        return 'unreadable';
      }
      lineStarts.lastIndex = behind;
    } else {
      table = header.trim().replaceAll(/["']/gu, '');
      firstTable = Math.min(firstTable, found.index);
    }
  }
  const ofPage = entries.filter(({ table }) => table === '' || plainKey(table) === 'params');
  const parts = entries.filter(({ key, table }) => isImageKey(table) && partKeys.has(key));
  const image = imageEntryOf(ofPage) ?? parts[0];
  return {
    value: (key) =>
      entries.find((one) => one.table === '' && plainKey(one.key) === plainKey(key))?.scalar?.value,
    image: () => image?.scalar?.value || undefined,
    edits: (card) => {
      if (!image) {
        const line = `images = [${JSON.stringify(addressOf(card, undefined))}]${lineEndOf(text)}`;
        return [{ start: firstTable, end: firstTable, text: line }];
      }
      const { scalar, key, table, emptyAt } = image;
      if (emptyAt !== undefined) {
        return [{ start: emptyAt, end: emptyAt, text: JSON.stringify(addressOf(card, undefined)) }];
      }
      if (!scalar) {
        return undefined;
      }
      if (isComputed(scalar.value)) {
        return undefined;
      }
      const isPart = parts.includes(image);
      const alternative = entries.find(
        (one) => one.table === table && (isPart ? one.key === 'alt' : isAltOf(one.key, key)),
      )?.scalar;
      const edits = [
        replacing(scalar, addressOf(card, scalar.value || undefined)),
        ...(alternative ? [replacing(alternative, card.alt)] : []),
      ];
      return edits.filter((edit) => text.slice(edit.start, edit.end) !== edit.text);
    },
  };
}

/** Returns where a list or a table in braces ends that is a value; undefined where it doesn't, `at` for anything else. */
function behindValue(source: string, at: number): number | undefined {
  if (!/[[{]/u.test(source[at] ?? '')) {
    return at;
  }
  let depth = 0;
  signs.lastIndex = at;
  for (let found = signs.exec(source); found; found = signs.exec(source)) {
    const [sign] = found;
    depth += /[[{]/u.test(sign[0] ?? '') ? 1 : /[\]}]/u.test(sign[0] ?? '') ? -1 : 0;
    if (depth === 0) {
      return found.index + 1;
    }
  }
  return undefined;
}

function stringAt(source: string, at: number): Scalar | undefined {
  strings.lastIndex = at;
  const found = strings.exec(source);
  const [from, to] = found?.indices?.[1] ?? found?.indices?.[2] ?? [];
  if (!found || from === undefined || to === undefined) {
    return undefined;
  }
  const [, double, single = ''] = found;
  return {
    value: double === undefined ? single : unescaped(double),
    start: from - 1,
    end: to + 1,
    quote: double === undefined ? "'" : '"',
  };
}

/** Reads what stands between double quotes; as it stands where it has escapes that JSON doesn't know. */
function unescaped(inner: string): string {
  try {
    return String(JSON.parse(`"${inner.replaceAll('\t', String.raw`\t`)}"`));
  } catch {
    return inner;
  }
}

function replacing({ start, end, quote }: Scalar, value: string): TextEdit {
  const isLiteral = quote === "'" && !/['\p{Cc}]/u.test(value);
  return { start, end, text: isLiteral ? `'${value}'` : JSON.stringify(value) };
}
