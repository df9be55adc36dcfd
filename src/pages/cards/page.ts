import { writeAstro, readAstro } from './astroPage.ts';
import {
  addressOf,
  type CardImage,
  isFoundAs,
  type PageChange,
  type PageWords,
  type TextEdit,
} from './cardImage.ts';
import { frontMatterOf } from './frontMatter.ts';
import { quotedFor } from '../scan/addresses.ts';
import { lineEndOf } from './keys.ts';
import { readMarkdown } from './markdownPage.ts';
import { readMetaTags, writeMetaTags } from './metaTags.ts';

export { writeHeadLinks } from './headLinks.ts';
export { writeSources } from './pictureSources.ts';

/** Reads the texts of a page. @param language of a page */
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
 * Returns the edits that make a page name the image of its card; undefined if only a program knows the right place.
 *
 * @param language of a page
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
  // Without front matter, a program that reads the module may not support any.
  return language === 'mdx' && /^export\s+(?:const|default)\b/mu.test(text)
    ? undefined
    : { edits: [newFrontMatter(text, image)], isWhole: true };
}

/** Returns the existing image address of a page, as written; undefined without one. */
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
  const lines = ['---', `image: ${quotedFor(addressOf(image, undefined), 'yaml')}`, '---', '', ''];
  return { start, end: start, text: lines.join(lineEndOf(text)) };
}
