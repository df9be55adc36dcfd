import { isMap, isScalar, isSeq, parseDocument, type ParsedNode, type Scalar } from 'yaml';
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
} from './keys.ts';

type Value = ParsedNode | null | undefined;

interface Entry {
  key: string;
  value: Value;
}

/** Values stay the strings they are written as. The site's generator decides what a repeated key means. */
const options = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;

/** Reads front matter in YAML, whose keys begin their lines. */
export function yamlFrontMatter({ text, start, end }: Body): FrontMatterKeys | 'unreadable' {
  const source = text.slice(start, end);
  const { contents, errors } = parseDocument(source, options);
  const isInLines =
    isMap(contents) && contents.flow !== true && /(?<![^\n\r])$/u.test(source.slice(0, contents.range[0]));
  if (contents && !isInLines) {
    return 'unreadable';
  }
  const entries = entriesOf(contents);
  return {
    value: (key) => {
      const words = wordsOf(entries.find((one) => plainKey(one.key) === plainKey(key))?.value);
      return words?.replaceAll(/\s+/gu, ' ').trim();
    },
    image: () => wordsOf(imageIn(imageEntryOf(entries)?.value).address) || undefined,
    edits: (image) => {
      const entry = imageEntryOf(entries);
      if (errors.length > 0) {
        return undefined;
      }
      const edits = entry
        ? editsOf(source, entry, entries, image)
        : [
            {
              start: source.length,
              end: source.length,
              text: `image: ${addressWritten(image, undefined)}${lineEndOf(text)}`,
            },
          ];
      return edits
        ?.filter((edit) => source.slice(edit.start, edit.end) !== edit.text)
        .map((edit) => ({ start: start + edit.start, end: start + edit.end, text: edit.text }));
    },
  };
}

function entriesOf(value: Value): Entry[] {
  const pairs = isMap(value) ? value.items : [];
  return pairs.flatMap(({ key, value }) => (isScalar(key) ? { key: String(key.value), value } : []));
}

/** Returns what names an image: a value by itself, the first of a list, or one of several parts, which may tell what it shows. */
function imageIn(value: Value): { address: Value; alt?: Value } {
  const first = isSeq(value) ? value.items[0] : value;
  if (!isMap(first)) {
    return { address: first };
  }
  const parts = entriesOf(first);
  return {
    address: parts.find(({ key }) => partKeys.has(key))?.value,
    alt: parts.find(({ key }) => key === 'alt')?.value,
  };
}

function editsOf(
  source: string,
  { key, value }: Entry,
  entries: readonly Entry[],
  image: CardImage,
): TextEdit[] | undefined {
  if (isSeq(value) && value.items.length === 0) {
    const at = value.range[0] + 1;
    return [{ start: at, end: at, text: addressWritten(image, undefined) }];
  }
  const { address, alt } = imageIn(value);
  const before = wordsOf(address);
  if (!isReplaceable(address) || isComputed(before ?? '')) {
    return undefined;
  }
  const isWholeList = address === value && address.source === '' && plainKey(key) === 'images';
  const alternative = [alt, ...entries.flatMap((one) => (isAltOf(one.key, key) ? one.value : []))].find(
    isReplaceable,
  );
  return [
    replacing(source, address, addressOf(image, before), isWholeList),
    ...(alternative ? [replacing(source, alternative, image.alt)] : []),
  ];
}

/** Whether a value is a string that nothing else depends on, and that isn't written as a block of lines. */
function isReplaceable(value: Value): value is Scalar.Parsed {
  return (
    isScalar(value) &&
    value.anchor === undefined &&
    value.tag === undefined &&
    (value.type === 'PLAIN' || value.type === 'QUOTE_SINGLE' || value.type === 'QUOTE_DOUBLE')
  );
}

/** Replaces a string with another one, in the same quotes where it has some; puts it behind its colon or dash where it is missing. */
function replacing(
  source: string,
  { source: old, type, range }: Scalar.Parsed,
  value: string,
  isList = false,
): TextEdit {
  const plain = isPlain(value) ? value : JSON.stringify(value);
  if (old === '' && type === 'PLAIN') {
    const at = source.slice(0, range[0]).trimEnd().length;
    return { start: at, end: at, text: isList ? ` [${plain}]` : ` ${plain}` };
  }
  const quoted = type === 'QUOTE_SINGLE' ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);
  return { start: range[0], end: range[1], text: type === 'PLAIN' ? plain : quoted };
}

/** Returns the text of a value; undefined if it isn't a string, or is null. */
function wordsOf(value: Value): string | undefined {
  const isWords = isScalar(value) && !(value.type === 'PLAIN' && /^(?:~|null)?$/iu.test(value.source));
  return isWords ? String(value.value) : undefined;
}
