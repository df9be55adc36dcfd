import { mentionsPlaceholders } from './placeholders.ts';
import { type FrontMap, frontMatterIn, type FrontValue, readFrontMatter } from './frontMatter.ts';
import { type Reference, wordsFrom } from './reference.ts';
import { maskedAt, type Range } from './masked.ts';
import { pathReferences } from './scanStrings.ts';

const imageName = /\.(?:png|jpe?g|webp)/iu;
const altKeys: ReadonlySet<string> = new Set(['alt', 'image_alt', 'imagealt', 'coveralt', 'heroalt']);

/** Keys for images; the value of another key may be data, such as a name in a list of files. */
const imageKeys =
  /image|img|picture|photo|poster|cover|avatar|icon|logo|background|thumb|banner|backdrop|illustration|screenshot|teaser|gallery|figure|portrait|hero|featured|preview|^(?:src|bg|og|card|header|social)$/iu;
/** Keys that hold names for a component where a list describes people or products. */
const itemKeys = /avatar|icon|logo/iu;

/** Where a value of front matter stands. */
interface Place {
  /** The keys above it, and its own. */
  keys: readonly string[];
  /** Whether it describes an item of a list. */
  isInItem: boolean;
  /** The position of the key and its value. */
  whole: Range;
  /** The alternative text that holds there. */
  alt: string | undefined;
}

export function withoutFrontMatter(text: string): string {
  const range = frontMatterIn(text);
  return range ? maskedAt(text, [[range.start, range.end]]) : text;
}

/** Finds the images in the front matter of a page: `image: ./hero.png`. */
export function scanFrontMatter(text: string): Reference[] {
  const range = frontMatterIn(text);
  const source = range ? text.slice(range.start, range.end) : '';
  const page =
    range && (imageName.test(source) || mentionsPlaceholders(source)) && readFrontMatter(text, range);
  if (!page) {
    return [];
  }
  const heading = textOf(page, (key) => key === 'title');
  const referencesIn = (value: FrontValue, place: Place): Reference[] => {
    switch (value?.kind) {
      case 'map': {
        const alt = altIn(value) ?? place.alt;
        return value.entries.flatMap((entry) =>
          referencesIn(entry.value, {
            ...place,
            keys: [...place.keys, entry.key],
            whole: [entry.start, entry.end],
            alt,
          }),
        );
      }
      case 'list':
        return value.items.flatMap((item) =>
          referencesIn(item, {
            ...place,
            ...(item?.kind === 'text' && { whole: [item.start, item.end] }),
            isInItem: place.isInItem || item?.kind === 'map',
          }),
        );
      case 'text': {
        const { start, end, notation } = value;
        const words = wordsFrom({ alt: place.alt, heading });
        return notation && isForImage(value.value, place)
          ? pathReferences(text.slice(start, end), start, place.whole, words, notation)
          : [];
      }
      default:
        return [];
    }
  };
  return referencesIn(page, { keys: [], isInItem: false, whole: [range.start, range.end], alt: undefined });
}

/** Whether a value is an image rather than data. */
function isForImage(value: string, { keys, isInItem }: Pick<Place, 'keys' | 'isInItem'>): boolean {
  return value.includes('/') || keys.some((key) => imageKeys.test(key) && !(isInItem && itemKeys.test(key)));
}

function altIn(map: FrontMap): string | undefined {
  return textOf(map, (key) => altKeys.has(key.toLowerCase()));
}

function textOf({ entries }: FrontMap, isMeant: (key: string) => boolean): string | undefined {
  const value = entries.find(({ key }) => isMeant(key))?.value;
  return value?.kind === 'text' ? value.value : undefined;
}
