import { encodePath } from '../common/text.ts';

/** A change of a text: what stands from `start` to `end`, in UTF-16 units, gives way to another text. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** The languages of pages, as VS Code's ids. */
export const pageLanguages: ReadonlySet<string> = new Set(['markdown', 'mdx', 'astro', 'html']);

/** What a page says of itself, in plain words; empty where it says nothing. */
export interface PageWords {
  title: string;
  description: string;
  siteName: string;
}

/** How a page comes to name an image. */
export interface PageChange {
  edits: TextEdit[];
  /** Whether networks find the image by the address: it is whole, or the generator of the site makes it so. */
  isWhole: boolean;
}

/** The image of a card, as a page may name it. Paths have slashes and are not encoded. */
export interface CardImage {
  /** Relative to the page, without `./`. */
  fromPage: string;
  /** Path of the page, from the root of the workspace, without `/` at its beginning. */
  page: string;
  /** Absolute, from the root of the site; where that is not known, from the root of the workspace. */
  fromSite: string;
  /** Whether it is in a folder that is served as the root of the site. */
  isPublic: boolean;
  /** What the image says, for people who don't see it. */
  alt: string;
  /** In pixels. */
  width: number;
  height: number;
}

/** Returns a text after edits that don't touch each other. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  let from = 0;
  const parts = edits
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, end, text: put }) => {
      const part = text.slice(from, start) + put;
      from = end;
      return part;
    });
  return [...parts, text.slice(from)].join('');
}

/**
 * Returns the address of an image as front matter has it, in the manner of the one that is there; its path alone where
 * that one doesn't tell where the site is.
 *
 * @param before the address that it takes the place of; undefined without one
 */
export function addressOf(image: CardImage, before: string | undefined): string {
  const { fromPage, fromSite, isPublic } = image;
  if (before !== undefined && wholeAddress(before)) {
    const site = siteBefore(image, before);
    return site === undefined ? addressOf(image, undefined) : site + encodePath(fromSite);
  }
  if (before?.startsWith('/')) {
    return fromSite;
  }
  if (before !== undefined && /^\.{1,2}\//u.test(before)) {
    return fromPage.startsWith('../') ? fromPage : `./${fromPage}`;
  }
  if (before !== undefined && before !== '') {
    return isPublic ? fromSite.slice(1) : fromPage;
  }
  return isPublic ? fromSite : fromPage;
}

/** Whether networks find the image by what `addressOf` returns as they found the one before. */
export function isFoundAs(image: CardImage, before: string | undefined): boolean {
  return before === undefined || !wholeAddress(before) || siteBefore(image, before) !== undefined;
}

/**
 * Returns the address of the site, without `/` at its end, by that of the image that was there: of this file, or it may
 * be on any other site.
 */
export function siteBefore({ fromSite }: CardImage, before: string): string | undefined {
  const { origin, pathname } = wholeAddress(before) ?? {};
  const path = encodePath(fromSite);
  return origin !== undefined && pathname?.endsWith(path)
    ? origin + pathname.slice(0, -path.length)
    : undefined;
}

/** As `addressOf`, as a scalar of YAML that needs quotes only where they are. */
export function addressWritten(image: CardImage, before: string | undefined): string {
  const address = addressOf(image, before);
  return isPlain(address) ? address : JSON.stringify(address);
}

/** Whether a text can stand in YAML as it is, in a list too. */
export function isPlain(text: string): boolean {
  return /^[\p{L}\p{N}./](?:[\p{L}\p{N}\p{M}._/~+%@-]|:(?=\/\/))*$/u.test(text) && !notString.test(text);
}

/** What YAML takes for a number, a date or a truth. */
const notString = /^(?:[\d.][\d._:xobe+-]*|true|false|yes|no|on|off|null|y|n|\.(?:inf|nan))$/iu;

/** Returns an address on the web; null for a path. */
export function wholeAddress(text: string): URL | null {
  return /^(?:https?:)?\/\//iu.test(text) ? URL.parse(text.replace(/^\/\//u, 'https://')) : null;
}

/** Whether a program puts a text together, or a part of it. */
export function isComputed(text: string): boolean {
  return /\{\{|\{%|<%|<\?|\$\{/u.test(text);
}
