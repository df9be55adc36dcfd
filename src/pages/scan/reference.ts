import type { Range } from './masked.ts';

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
};

/** An expression that a template or a program replaces. */
const computed = /\{[^]*\}|<%|<\?|\$\(/u;
/** The id of a heading in some kinds of Markdown: `{#start}`. */
const attributes = /\{[#.][\w\s#.:=-]*\}\s*$/u;

/** Returns the visible text of markup, without emphasis. Empty if any part is computed. */
export function plainWords(markup: string): string {
  const words = markup.replace(attributes, '');
  if (computed.test(words)) {
    return '';
  }
  return words
    .replaceAll(/<[^<>]*>/gu, ' ')
    .replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/gu, (entity) => entities[entity] ?? entity)
    .replaceAll(/\\([!-/:-@[-`{-~])/gu, '$1')
    .replaceAll(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])?/gu, '$1')
    .replaceAll(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

const kinds = ['alt', 'title', 'caption', 'heading', 'below'] as const;

/** Returns the description of an image in plain words, without empty values. @param said pieces of markup */
export function wordsFrom(said: Readonly<Partial<Record<keyof ImageWords, string | undefined>>>): ImageWords {
  const words: ImageWords = {};
  for (const kind of kinds) {
    const plain = plainWords(said[kind] ?? '');
    if (plain !== '') {
      words[kind] = plain;
    }
  }
  return words;
}

/**
 * The notation of an address: percent-encoded as in HTML, CSS, and Markdown, as a path in a string of a program, or as
 * a path in front matter, unquoted or in these quotes. Double ones are the same in YAML, TOML, and JSON.
 */
export type Notation = 'url' | 'path' | FrontMatterNotation;
export type FrontMatterNotation = 'yaml' | "yaml'" | 'yaml"' | "toml'";

/** The description of an image in a document's own words; for a prompt. */
export interface ImageWords {
  alt?: string;
  title?: string;
  caption?: string;
  /** The heading above it, or the selector of its style. */
  heading?: string;
  /** The name below it in its card. */
  below?: string;
}

/** Width and height in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** The known parts of the size that a document wants, in CSS pixels. */
export type WantedSize = Partial<Size>;

/** The images in a part of a document. */
export interface Findings {
  references: readonly Reference[];
  /** Labels of images, where they are used, and the descriptions there; of the same label the last counts. */
  uses?: readonly { label: string; words: ImageWords; whole: Range }[];
  /** Images that are shown wherever their label is used. */
  definitions?: readonly { label: string; reference: Reference }[];
}

/** A position in a document that names an image. */
export interface Reference {
  /** As it stands in the document, without delimiters. */
  address: string;
  /** Position of the address in the text, in UTF-16 units. */
  start: number;
  end: number;
  notation: Notation;
  /** The whole image: its tag, its macro, its key with its value; and wherever its label is used. */
  wholes: readonly Range[];
  words: ImageWords;
  size: WantedSize;
  /** Whether it is one of several versions of an image, of which a browser shows one. */
  isCandidate?: true;
  /** Whether it is the string of a program or of data. */
  isString?: true;
}

/** Returns a reference in a part of a text as one in the whole. @param by start of the part */
export function placed(reference: Reference, by: number): Reference {
  const [start, end] = moved([reference.start, reference.end], by);
  return { ...reference, start, end, wholes: reference.wholes.map((whole) => moved(whole, by)) };
}

export function moved([start, end]: Range, by: number): Range {
  return [start + by, end + by];
}
