import { elementsAround, Headings, nameBelow } from './wordsAround.ts';
import { type Attribute, type MarkupElement, markupElements } from './markupElements.ts';
import { plainWords, wordsFrom, type Reference, type WantedSize, type ImageWords } from './reference.ts';
import { namesImage } from './addresses.ts';

/** Attributes for one image, by their elements. */
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
/** Attributes for a list of images, each with its width or resolution. */
const setAttributes: ReadonlySet<string> = new Set(['srcset', 'data-srcset', 'imagesrcset']);
/** Names, or ends of names, of a component's attributes for an image. */
const imageName =
  /^(?!v-)[\w-]*(?:src|image|img|picture|photo|poster|cover|avatar|icon|logo|background|bg|thumbnail|thumb|banner|backdrop|illustration|screenshot)s?(?:-?(?:src|url|uri|path|file|light|dark))?$/u;
const componentName = /^[A-Z]|[-.:]/u;
/** Components that take a name for a path, as `<img>` does; for others, it may be a key. */
const imageComponent = /(?:image|img|picture|photo|figure|avatar|parallax)$/iu;
const headingTags = /<(\/?)h([1-6])(?=[\s/>])[^<>]*>/giu;
/** Maximum length of a heading, in UTF-16 units. */
const longestHeading = 400;
const figureCaption = /<figcaption\b[^<>]*>([^]{0,600}?)<\/figcaption>/iu;

const tagEnd = /^[\s/]*>/u;

/** @param text without comments, and otherwise as in the document */
export function scanMarkup(text: string): Reference[] {
  const headings = headingsIn(text);
  const found: Reference[] = [];
  for (const element of markupElements(text)) {
    const places = [...element.attributes]
      .flatMap(([name, attribute]) => placesIn(element, name, attribute))
      .filter(({ start, end }) => {
        const address = text.slice(start, end);
        return namesImage(address, 'url') && takesAsPath(element.name, address);
      });
    if (places.length > 0) {
      const words = elementWords(text, element, headings);
      for (const { start, end, width, isCandidate } of places) {
        const shown = sizeOf(element);
        const size = width === undefined ? shown : scaledTo(width, shown);
        found.push({
          address: text.slice(start, end),
          start,
          end,
          notation: 'url',
          wholes: [
            [
              element.start,
              element.end + (tagEnd.exec(text.slice(element.end, element.end + 100))?.[0].length ?? 0),
            ],
          ],
          words,
          size,
          ...(isCandidate && { isCandidate }),
        });
      }
    }
  }
  return found;
}

function headingsIn(text: string): Headings {
  const headings = new Headings();
  let open: { start: number; inside: number } | undefined;
  for (const { index, 0: tag, 1: slash, 2: level } of text.matchAll(headingTags)) {
    if (slash === '') {
      open = { start: index, inside: index + tag.length };
    } else if (open && index - open.inside <= longestHeading) {
      headings.add({
        start: open.start,
        text: plainWords(text.slice(open.inside, index)),
        level: Number(level),
      });
      open = undefined;
    }
  }
  return headings;
}

function placesIn(element: MarkupElement, name: string, attribute: Attribute): FoundAddress[] {
  if (listsImages(name)) {
    return addressesIn(attribute);
  }
  return mayNameImage(element.name, name, (other) => element.attributes.get(other)?.value)
    ? [whole(attribute)]
    : [];
}

/** Whether an attribute names several images. */
export function listsImages(attribute: string): boolean {
  return setAttributes.has(attribute);
}

/** Whether an attribute of an element names an image. @param valueOf returns the values of its other attributes */
export function mayNameImage(
  name: string,
  attribute: string,
  valueOf: (name: string) => string | undefined,
): boolean {
  if (componentName.test(name)) {
    return imageName.test(attribute);
  }
  const tag = name.toLowerCase();
  if (!Object.hasOwn(attributesOf, tag) || !attributesOf[tag]?.includes(attribute)) {
    return false;
  }
  const what = valueOf('property') ?? valueOf('name') ?? valueOf('itemprop');
  return tag !== 'meta' || /image$/iu.test(what ?? '');
}

/** Whether an element takes an address for a path. A bare name may be a key for a component. */
export function takesAsPath(name: string, address: string): boolean {
  return address.includes('/') || !componentName.test(name) || imageComponent.test(name);
}

interface FoundAddress {
  start: number;
  end: number;
  /** Width in pixels, if stated for this address. */
  width: number | undefined;
  isCandidate?: true;
}

function whole({ value, start }: Attribute): FoundAddress {
  const blank = value.length - value.trimStart().length;
  return { start: start + blank, end: start + blank + value.trim().length, width: undefined };
}

/** Finds the addresses of a list: each ends with white space, or with a comma and white space. */
function addressesIn({ value, start }: Attribute): FoundAddress[] {
  const places: FoundAddress[] = [];
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

/** Returns the size of a version with another width. */
function scaledTo(width: number, shown: WantedSize): WantedSize {
  return shown.width && shown.height
    ? { width, height: Math.round((width * shown.height) / shown.width) }
    : { width };
}

/** Distance to search for a caption, in UTF-16 units. */
const figureLength = 2000;

/** The alternative text of the fallback image in a `<picture>`. */
const altOfImage = /<img\s(?:[^<>]*?\s)?alt=(?:"([^"]*)"|'([^']*)')/iu;

function altOfPicture(text: string, end: number): string | undefined {
  const [sources = ''] = text.slice(end, end + figureLength).split(/<\/picture/iu, 1);
  const [, double, single] = altOfImage.exec(sources) ?? [];
  return double ?? single;
}

function elementWords(
  text: string,
  { name, attributes, start, end }: MarkupElement,
  headings: Headings,
): ImageWords {
  const [after = '', ...rest] = text.slice(end, end + figureLength).split(/<\/figure\s*>/iu, 2);
  const isInFigure = rest.length > 0 && !/<figure\b/iu.test(after);
  const caption = isInFigure ? figureCaption.exec(after)?.[1] : undefined;
  const own = attributes.get('alt')?.value ?? attributes.get('aria-label')?.value;
  const around = elementsAround(text, start);
  const above = headings.above(start, around);
  const below = caption === undefined ? nameBelow(text, end, around, above) : undefined;
  if (below !== undefined) {
    headings.take(start, around[0]);
  }
  return wordsFrom({
    alt: own ?? (name === 'source' ? altOfPicture(text, end) : undefined),
    title: attributes.get('title')?.value,
    caption,
    heading: above?.text,
    below,
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
