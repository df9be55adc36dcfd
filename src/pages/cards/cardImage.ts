import { encodePath } from '../../common/text.ts';

/** A change of a text: replaces the part from `start` to `end`, in UTF-16 units. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** The texts of a page, in plain words; empty if missing. */
export interface PageWords {
  title: string;
  description: string;
  siteName: string;
}

export interface PageChange {
  edits: TextEdit[];
  /** Whether social networks find the image by the address: it is complete, or the site generator completes it. */
  isWhole: boolean;
}

/** The image of a card, with the paths that a page may use. They have slashes and are not encoded. */
export interface CardImage {
  /** Relative to the page, without `./`. */
  fromPage: string;
  /** Path of the page from the root of the workspace, without a leading `/`. */
  page: string;
  /** Absolute, from the root of the site or, if that is unknown, of the workspace. */
  fromSite: string;
  /** Whether it is in a folder that is served as the root of the site. */
  isPublic: boolean;
  alt: string;
  /** In pixels. */
  width: number;
  height: number;
}

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
 * Returns the address of an image for front matter, in the form of the existing one; only its path if the existing one
 * doesn't show where the site is.
 *
 * @param before the address to replace; undefined without one
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

/** Whether social networks find the image by the result of `addressOf`, as they found the one before. */
export function isFoundAs(image: CardImage, before: string | undefined): boolean {
  return before === undefined || !wholeAddress(before) || siteBefore(image, before) !== undefined;
}

/**
 * Returns the address of the site from that of the previous image, without a trailing `/`; undefined unless that was this
 * file, since another one may be on any site.
 */
export function siteBefore({ fromSite }: CardImage, before: string): string | undefined {
  const { origin, pathname } = wholeAddress(before) ?? {};
  const path = encodePath(fromSite);
  return origin !== undefined && pathname?.endsWith(path)
    ? origin + pathname.slice(0, -path.length)
    : undefined;
}

/** Returns an address on the web; null for a path. */
export function wholeAddress(text: string): URL | null {
  return /^(?:https?:)?\/\//iu.test(text) ? URL.parse(text.replace(/^\/\//u, 'https://')) : null;
}

/** Whether a program assembles a text, or a part of it. */
export function isComputed(text: string): boolean {
  return /\{\{|\{%|<%|<\?|\$\{/u.test(text);
}
