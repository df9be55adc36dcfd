import {
  type FrontEntry,
  type FrontMap,
  frontMatterIn,
  type FrontMatterRange,
  type FrontText,
  type FrontValue,
  readFrontMatter,
} from '../scan/frontMatter.ts';
import { quotedFor } from '../scan/addresses.ts';
import { addressOf, type CardImage, isComputed, type TextEdit } from './cardImage.ts';
import { imageEntryOf, isAltOf, lineEndOf, partKeys, plainKey } from './keys.ts';

export interface FrontMatter {
  /** Where the page continues after the front matter, in UTF-16 units. */
  end: number;
  /** Returns the text of a top-level key; undefined if it has none. */
  value: (key: string) => string | undefined;
  image: () => string | undefined;
  /** Returns the edits that change the image; undefined if the value of its key isn't understood. */
  edits: (image: CardImage) => TextEdit[] | undefined;
}

/** Reads the front matter of a page, in YAML, TOML, or JSON. */
export function frontMatterOf(text: string): FrontMatter | 'unreadable' | undefined {
  const range = frontMatterIn(text);
  if (!range) {
    return undefined;
  }
  const page = readFrontMatter(text, range);
  if (!page) {
    return 'unreadable';
  }
  const params = page.entries.find(
    ({ key, value }) => plainKey(key) === 'params' && value?.kind === 'map',
  )?.value;
  const entries = [...page.entries, ...(params?.kind === 'map' ? params.entries : [])];
  return {
    end: range.behind,
    value: (key) => {
      const words = textOf(page.entries.find((one) => plainKey(one.key) === plainKey(key))?.value);
      return words?.replaceAll(/\s+/gu, ' ').trim();
    },
    image: () => textOf(imageIn(imageEntryOf(entries)?.value).address) || undefined,
    edits: (image) => {
      if (page.isBroken) {
        return undefined;
      }
      const entry = imageEntryOf(entries);
      const edits = entry
        ? editsOf(entry, entries, image, range)
        : [newEntry(text, page, range, addressOf(image, undefined))];
      return edits?.filter(({ start, end, text: put }) => text.slice(start, end) !== put);
    },
  };
}

/** Returns the address of an image, with its alternative text if the value has several parts. */
function imageIn(value: FrontValue): { address: FrontValue; alt?: FrontValue } {
  const first = value?.kind === 'list' ? value.items[0] : value;
  if (first?.kind !== 'map') {
    return { address: first };
  }
  return {
    address: first.entries.find(({ key }) => partKeys.has(key))?.value,
    alt: first.entries.find(({ key }) => key === 'alt')?.value,
  };
}

function editsOf(
  { key, value }: FrontEntry,
  entries: readonly FrontEntry[],
  image: CardImage,
  { format }: FrontMatterRange,
): TextEdit[] | undefined {
  if (value?.kind === 'list' && value.items.length === 0) {
    const text = quotedFor(addressOf(image, undefined), format === 'yaml' ? 'yaml' : 'yaml"');
    return [{ start: value.start, end: value.start, text }];
  }
  const { address, alt } = imageIn(value);
  if (!isReplaceable(address) || isComputed(address.value)) {
    return undefined;
  }
  const isWholeList = address === value && address.isMissing === true && plainKey(key) === 'images';
  const alternative = [alt, ...entries.flatMap((one) => (isAltOf(one.key, key) ? one.value : []))].find(
    isReplaceable,
  );
  return [
    replacing(address, addressOf(image, address.value), isWholeList),
    ...(alternative ? [replacing(alternative, image.alt)] : []),
  ];
}

function isReplaceable(value: FrontValue): value is Required<Pick<FrontText, 'notation'>> & FrontText {
  return value?.kind === 'text' && value.notation !== undefined;
}

/** Replaces a string, keeping its quotes if they allow it; inserts it behind its colon or dash if it is missing. */
function replacing(
  { start, end, notation = 'yaml', isMissing }: FrontText,
  value: string,
  isList = false,
): TextEdit {
  const text = quotedFor(value, notation);
  const quotes = notation === 'yaml' ? 0 : 1;
  return isMissing
    ? { start, end, text: isList ? ` [${text}]` : ` ${text}` }
    : { start: start - quotes, end: end + quotes, text };
}

/** Returns the edit that adds an image, as generators of sites with this format name it. */
function newEntry(
  text: string,
  { entries, entriesEnd: at }: FrontMap & { entriesEnd: number },
  { format, start }: FrontMatterRange,
  address: string,
): TextEdit {
  const quoted = JSON.stringify(address);
  if (format === 'json') {
    const [first] = entries;
    const gap = first ? text.slice(start + 1, first.start) : '';
    return { start: at, end: at, text: `${first ? ',' : ''}${gap}"images": [${quoted}]` };
  }
  const line = format === 'yaml' ? `image: ${quotedFor(address, 'yaml')}` : `images = [${quoted}]`;
  return { start: at, end: at, text: line + lineEndOf(text) };
}

function textOf(value: FrontValue): string | undefined {
  return value?.kind === 'text' && !(value.value === '' && value.notation === 'yaml')
    ? value.value
    : undefined;
}
