import type { CardImage, TextEdit } from './cardImage.ts';

/** What the lines of front matter say. */
export interface FrontMatterKeys {
  /** Returns the words of a key of the first level; undefined without it, and where it has no words. */
  value: (key: string) => string | undefined;
  /** Returns the address of the image that it names; undefined without one. */
  image: () => string | undefined;
  /** Returns what makes it name another image; undefined where its key holds what is not understood. */
  edits: (image: CardImage) => TextEdit[] | undefined;
}

/** The front matter of a page. */
export interface FrontMatter extends FrontMatterKeys {
  /** Where the page goes on behind it, in UTF-16 units. */
  end: number;
}

/** Where the lines of front matter are in the text of their page, in UTF-16 units. */
export interface Body {
  text: string;
  start: number;
  end: number;
}

/** Keys that name the image of a card, the most particular first, as `plainKey` gives them. */
const imageKeys = ['socialimage', 'ogimage', 'image', 'images', 'cover', 'thumbnail'];
/** Keys of an image that is described by several. */
export const partKeys: ReadonlySet<string> = new Set(['url', 'src', 'image', 'path', 'file', 'href']);

/** Returns a key as all ways of writing it have it: `og_image`, `og-image` and `ogImage` are one. */
export function plainKey(key: string): string {
  return key.replaceAll(/[-_: ]/gu, '').toLowerCase();
}

/** Returns the one of these that names the image of a card, if one does. */
export function imageEntryOf<Entry extends { key: string }>(entries: readonly Entry[]): Entry | undefined {
  return imageKeys
    .map((wanted) => entries.find(({ key }) => plainKey(key) === wanted))
    .find((entry) => entry !== undefined);
}

/** Whether a key says in words what the image of another key shows. */
export function isAltOf(key: string, other: string): boolean {
  return plainKey(key) === `${plainKey(other)}alt`;
}

export function isImageKey(key: string): boolean {
  return imageKeys.includes(plainKey(key));
}

/** Returns how lines end in a text. */
export function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
