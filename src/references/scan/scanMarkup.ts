import { type Heading, headingBefore } from './headings.ts';
import { type Attribute, type MarkupElement, markupElements } from './markupElements.ts';
import { plainWords, wordsFrom } from '../words.ts';
import { namesImage } from '../addresses.ts';
import type { Reference, WantedSize, Words } from '../reference.ts';

/** Attributes that name one image, by the elements that have them; components may name one by any attribute. */
const attributesOf: Readonly<Record<string, readonly string[]>> = {
  img: ['src', 'data-src'],
  input: ['src'],
  source: ['src'],
  video: ['poster'],
  link: ['href'],
  meta: ['content'],
  image: ['href', 'xlink:href', 'src'],
  use: ['href'],
  object: ['data'],
  embed: ['src'],
  body: ['background'],
  table: ['background'],
  td: ['background'],
};
/** Attributes with a list of images, each with its width or resolution. */
const setAttributes: ReadonlySet<string> = new Set(['srcset', 'data-srcset', 'imagesrcset']);
/** What attributes of components are never the image that is shown. */
const noImages: ReadonlySet<string> = new Set([
  'alt',
  'class',
  'classname',
  'id',
  'key',
  'title',
  'href',
  'to',
]);
/** Tags that are no elements of HTML: those of components. */
const componentName = /^[A-Z]|[-.:]/u;
const headingTags = /<h[1-6]\b[^>]*>([^]{0,400}?)<\/h[1-6]>/giu;
const figureCaption = /<figcaption\b[^>]*>([^]{0,600}?)<\/figcaption>/iu;
const candidates = /([^\s,]\S*[^\s,])(?:\s+(\d+)w|\s+[\d.]+x)?\s*(?:,|$)/dgu;

/**
 * Finds the images that elements name, in HTML and in what is like it.
 *
 * @param text without comments, and otherwise as it stands in the document
 */
export function scanMarkup(text: string): Reference[] {
  const headings = [...text.matchAll(headingTags)].map(({ index, 1: inner = '' }): Heading => ({
    start: index,
    text: plainWords(inner),
  }));
  const found: Reference[] = [];
  for (const element of markupElements(text)) {
    for (const [name, attribute] of element.attributes) {
      const isSet = setAttributes.has(name);
      if (!isSet && !mayNameImage(element, name)) {
        continue;
      }
      for (const { start, end, width } of isSet ? addressesIn(attribute) : [whole(attribute)]) {
        const address = text.slice(start, end);
        if (namesImage(address, 'url')) {
          const words = wordsOf(text, element, headings);
          const size = width === undefined ? sizeOf(element) : { width };
          found.push({ address, start, end, notation: 'url', words, size });
        }
      }
    }
  }
  return found;
}

function mayNameImage({ name, attributes }: MarkupElement, attribute: string): boolean {
  if (componentName.test(name)) {
    return !noImages.has(attribute);
  }
  const tag = name.toLowerCase();
  if (!Object.hasOwn(attributesOf, tag) || !attributesOf[tag]?.includes(attribute)) {
    return false;
  }
  const what = attributes.get('property') ?? attributes.get('name') ?? attributes.get('itemprop');
  return tag !== 'meta' || /image$/iu.test(what?.value ?? '');
}

interface Place {
  start: number;
  end: number;
  /** In pixels, where it is said for this one. */
  width: number | undefined;
}

function whole({ value, start }: Attribute): Place {
  const blank = value.length - value.trimStart().length;
  return { start: start + blank, end: start + blank + value.trim().length, width: undefined };
}

function addressesIn({ value, start }: Attribute): Place[] {
  return [...value.matchAll(candidates)].map(({ indices, 2: width }) => {
    const [from, to] = indices?.[1] ?? [0, 0];
    return { start: start + from, end: start + to, width: width === undefined ? undefined : Number(width) };
  });
}

/** How far a caption is looked for, in UTF-16 units. */
const figureLength = 2000;

function wordsOf(
  text: string,
  { attributes, start, end }: MarkupElement,
  headings: readonly Heading[],
): Words {
  const [after = '', ...rest] = text.slice(end, end + figureLength).split(/<\/figure\s*>/iu, 2);
  const isInFigure = rest.length > 0 && !/<figure\b/iu.test(after);
  const caption = isInFigure ? figureCaption.exec(after)?.[1] : undefined;
  return wordsFrom({
    alt: attributes.get('alt')?.value ?? attributes.get('aria-label')?.value,
    title: attributes.get('title')?.value,
    caption,
    heading: headingBefore(headings, start),
  });
}

function sizeOf({ attributes }: MarkupElement): WantedSize {
  const of = (side: string): number | undefined => {
    const digits = /^(\d+)(?:px)?$/u.exec(attributes.get(side)?.value.trim() ?? '')?.[1];
    return digits === undefined ? undefined : Number(digits);
  };
  const [width, height] = [of('width'), of('height')];
  return { ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
}
