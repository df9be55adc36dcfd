import { type Heading, headingBefore } from './headings.ts';
import { type Attribute, type MarkupElement, markupElements } from './markupElements.ts';
import { plainWords, wordsFrom } from '../words.ts';
import { namesImage } from '../addresses.ts';
import type { Reference, WantedSize, Words } from '../reference.ts';

/** Attributes that name one image, by the elements that have them. */
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
/** How the attributes of components are called, or how their names end, that show an image. */
const imageName =
  /^(?!v-)[\w-]*(?:src|image|img|picture|photo|poster|cover|avatar|icon|logo|background|bg|thumbnail|thumb|banner|backdrop|illustration|screenshot)s?(?:-?(?:src|url|uri|path|file|light|dark))?$/u;
/** Tags that are no elements of HTML: those of components. */
const componentName = /^[A-Z]|[-.:]/u;
const headingTags = /<(\/?)h[1-6](?=[\s/>])[^<>]*>/giu;
/** Longer ones are none, in UTF-16 units. */
const longestHeading = 400;
const figureCaption = /<figcaption\b[^<>]*>([^]{0,600}?)<\/figcaption>/iu;

/**
 * Finds the images that elements name, in HTML and in what is like it.
 *
 * @param text without comments, and otherwise as it stands in the document
 */
export function scanMarkup(text: string): Reference[] {
  const headings = headingsIn(text);
  const found: Reference[] = [];
  for (const element of markupElements(text)) {
    const places = [...element.attributes]
      .flatMap(([name, attribute]) => placesIn(element, name, attribute))
      .filter(({ start, end }) => namesImage(text.slice(start, end), 'url'));
    if (places.length > 0) {
      const words = wordsOf(text, element, headings);
      for (const { start, end, width, isCandidate } of places) {
        const shown = sizeOf(element);
        const size = width === undefined ? shown : scaledTo(width, shown);
        const address = text.slice(start, end);
        found.push({
          address,
          start,
          end,
          notation: 'url',
          words,
          size,
          ...(isCandidate && { isCandidate }),
        });
      }
    }
  }
  return found;
}

function headingsIn(text: string): Heading[] {
  const headings: Heading[] = [];
  let open: { start: number; inside: number } | undefined;
  for (const { index, 0: tag, 1: slash } of text.matchAll(headingTags)) {
    if (slash === '') {
      open = { start: index, inside: index + tag.length };
    } else if (open && index - open.inside <= longestHeading) {
      headings.push({ start: open.start, text: plainWords(text.slice(open.inside, index)) });
      open = undefined;
    }
  }
  return headings;
}

function placesIn(element: MarkupElement, name: string, attribute: Attribute): Place[] {
  if (setAttributes.has(name)) {
    return addressesIn(attribute);
  }
  return mayNameImage(element, name) ? [whole(attribute)] : [];
}

function mayNameImage({ name, attributes }: MarkupElement, attribute: string): boolean {
  if (componentName.test(name)) {
    return imageName.test(attribute);
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
  /** It is from a list. */
  isCandidate?: true;
}

function whole({ value, start }: Attribute): Place {
  const blank = value.length - value.trimStart().length;
  return { start: start + blank, end: start + blank + value.trim().length, width: undefined };
}

/** Finds the addresses of a list: each ends with white space, or with a comma and white space. */
function addressesIn({ value, start }: Attribute): Place[] {
  const places: Place[] = [];
  const words = /[^\s,]\S*/gu;
  for (let word = words.exec(value); word; word = words.exec(value)) {
    const end = word.index + word[0].replace(/(?<!,),+$/u, '').length;
    const comma = value.indexOf(',', end);
    words.lastIndex = comma < 0 ? value.length : comma;
    const width = /^\s+(\d+)w/u.exec(value.slice(end, words.lastIndex))?.[1];
    places.push({
      start: start + word.index,
      end: start + end,
      width: width === undefined ? undefined : Number(width),
      isCandidate: true,
    });
  }
  return places;
}

/** Returns the size of a picture of another width. */
function scaledTo(width: number, shown: WantedSize): WantedSize {
  return shown.width && shown.height
    ? { width, height: Math.round((width * shown.height) / shown.width) }
    : { width };
}

/** How far a caption is looked for, in UTF-16 units. */
const figureLength = 2000;

/** The alternative text of the image that stands for all sources of a picture. */
const altOfImage = /<img\s(?:[^<>]*?\s)?alt=(?:"([^"]*)"|'([^']*)')/iu;

function altOfPicture(text: string, end: number): string | undefined {
  const [sources = ''] = text.slice(end, end + figureLength).split(/<\/picture/iu, 1);
  const [, double, single] = altOfImage.exec(sources) ?? [];
  return double ?? single;
}

function wordsOf(
  text: string,
  { name, attributes, start, end }: MarkupElement,
  headings: readonly Heading[],
): Words {
  const [after = '', ...rest] = text.slice(end, end + figureLength).split(/<\/figure\s*>/iu, 2);
  const isInFigure = rest.length > 0 && !/<figure\b/iu.test(after);
  const caption = isInFigure ? figureCaption.exec(after)?.[1] : undefined;
  const own = attributes.get('alt')?.value ?? attributes.get('aria-label')?.value;
  return wordsFrom({
    alt: own ?? (name === 'source' ? altOfPicture(text, end) : undefined),
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
