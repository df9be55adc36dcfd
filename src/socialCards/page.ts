// Room: what a page says of itself, and how the image of its social card is written into it.
// Never: VS Code, files on disk, pixels.

import { writeAstro, readAstro } from './astroPage.ts';
import {
  addressWritten,
  type CardImage,
  isFoundAs,
  type PageChange,
  type PageWords,
  type TextEdit,
} from './cardImage.ts';
import { frontMatterOf } from './frontMatter.ts';
import { lineEndOf } from './keys.ts';
import { readMarkdown } from './markdownPage.ts';
import { readMetaTags, writeMetaTags } from './metaTags.ts';

/** Reads what a page says of itself. @param language one of `pageLanguages` */
export function readPage(text: string, language: string): PageWords {
  switch (language) {
    case 'astro':
      return readAstro(text);
    case 'html':
      return withFrontMatter(text, readMetaTags(text));
    default:
      return withFrontMatter(text, readMarkdown(text));
  }
}

/**
 * Returns what makes a page name the image of its card; undefined where only a program can tell where that belongs.
 *
 * @param language one of `pageLanguages`
 */
export function writePage(text: string, language: string, image: CardImage): PageChange | undefined {
  if (language === 'astro') {
    return writeAstro(text, image);
  }
  const front = frontMatterOf(text);
  if (front === 'unreadable') {
    return undefined;
  }
  if (front) {
    const edits = front.edits(image);
    return edits && { edits, isWhole: isFoundAs(image, front.image()) };
  }
  if (language === 'html') {
    return writeMetaTags(text, image);
  }
  // Without front matter, a module is read by a program that may not know any.
  return language === 'mdx' && /^export\s+(?:const|default)\b/mu.test(text)
    ? undefined
    : { edits: [newFrontMatter(text, image)], isWhole: true };
}

/** Returns the address of the image that a page names already, as it stands there; undefined without one. */
export function imageOfPage(text: string, language: string): string | undefined {
  const front = language === 'astro' ? undefined : frontMatterOf(text);
  return front && front !== 'unreadable' ? front.image() : undefined;
}

function withFrontMatter(text: string, words: PageWords): PageWords {
  const front = frontMatterOf(text);
  if (!front || front === 'unreadable') {
    return words;
  }
  const said = (...keys: readonly string[]): string =>
    keys.map((key) => front.value(key) ?? '').find((value) => value !== '') ?? '';
  return {
    title: said('title') || words.title,
    description: said('description', 'summary', 'excerpt', 'subtitle') || words.description,
    siteName: said('siteName', 'site') || words.siteName,
  };
}

function newFrontMatter(text: string, image: CardImage): TextEdit {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const lines = ['---', `image: ${addressWritten(image, undefined)}`, '---', '', ''];
  return { start, end: start, text: lines.join(lineEndOf(text)) };
}
