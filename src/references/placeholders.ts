import type { Size } from './reference.ts';

/** What an address of a placeholder service asks for. */
export interface Placeholder {
  size?: Size;
  /** Words that are written on it, or what it is to show. */
  words?: string;
}

/** Reads the parts of a path, and the query, as one service has them; undefined for what is no image of it. */
type Reader = (parts: readonly string[], query: URLSearchParams) => Placeholder | undefined;

/** `600x400` or `600` in the first part, and words in the query. */
const sized: Reader = ([first = ''], query) => {
  const size = sizeOf(first);
  return size && { size, ...wordsIn(query) };
};
/** Width and height in the first parts that are numbers, and the subject in those after them. */
const inParts: Reader = (parts, query) => {
  const at = parts.findIndex(
    (part, index) => number.test(part) && !['id', 'seed'].includes(parts[index - 1] ?? ''),
  );
  const [width = '', height = ''] = at < 0 ? [] : parts.slice(at, at + 2);
  const isHeight = number.test(height);
  const size = sizeOf(isHeight ? `${width}x${height}` : width);
  const after = parts.slice(at + (isHeight ? 2 : 1)).join(' ');
  const subject = after.replaceAll(/\.\w+$|[^\p{L}]+/gu, ' ').trim();
  return size && { size, ...(subject === '' ? wordsIn(query) : { words: subject }) };
};
const number = /^\d+(?:\.\w+)?$/u;
/** A service whose images all show the same. */
const showing =
  (words: string): Reader =>
  (parts, query) => {
    const placeholder = inParts(parts, query);
    return placeholder && { words, ...placeholder };
  };
/** A size in any part, or else the name of an image; and subjects as the query's keys. */
const bySubject: Reader = (parts, query) => {
  const size = parts.map(sizeOf).find((found) => found !== undefined);
  const words = [...query.keys()]
    .join(' ')
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim();
  return size || words !== '' || /^[\w-]+$/u.test(parts[0] ?? '')
    ? { ...(size && { size }), ...(words !== '' && { words }) }
    : undefined;
};

/** Services by their hosts, without `www.`; many pages still name those that have ended. */
const services: Readonly<Record<string, Reader>> = {
  'placehold.co': sized,
  'placehold.it': sized,
  'via.placeholder.com': sized,
  'placeholder.com': sized,
  'dummyimage.com': sized,
  'fakeimg.pl': sized,
  'picsum.photos': inParts,
  'loremflickr.com': inParts,
  'placekitten.com': showing('a kitten'),
  'placebear.com': showing('a bear'),
  'placedog.net': showing('a dog'),
  'placeimg.com': inParts,
  'lorempixel.com': inParts,
  'source.unsplash.com': bySubject,
};

/** Names of files that are to be replaced, and of those that may also be what is shown where there is no image. */
const unfinishedName = /(?:^|\/)(?:todo|fixme)(?:[-_ ]?\d*)?\.(?:png|jpe?g|webp)$/iu;
const substituteName = /(?:^|\/)(?:placeholder|dummy)(?:[-_ ]?\d*)?\.(?:png|jpe?g|webp)$/iu;

/** What programs and templates put together when they run, and patterns of addresses. A backslash may be that of a line end in words. */
const computed = /[{}<>*`]|\$[a-z_(]|%(?![\da-f]{2})|["']\s*\+|\+\s*["']/iu;

const hosts = Object.keys(services)
  .join('|')
  .replaceAll('.', String.raw`\.`);
const anyHost = new RegExp(hosts, 'iu');

/** Whether a text may name a placeholder service: told much faster than where. */
export function mentionsPlaceholders(text: string): boolean {
  return anyHost.test(text);
}

/**
 * Returns what a placeholder's address asks for; undefined for every other address, also for those of the same services
 * that are no image's, and for those that only a program can tell.
 */
export function placeholderAt(address: string): Placeholder | undefined {
  const text = address.replaceAll('&amp;', '&');
  const url = computed.test(text) ? null : URL.parse(text.replace(/^\/\//u, 'https://'));
  if (!url) {
    return undefined;
  }
  const parts = url.pathname.split('/').filter((part) => part !== '');
  return serviceAt(url.hostname.replace(/^www\./u, ''))?.(parts, url.searchParams);
}

function serviceAt(host: string): Reader | undefined {
  return Object.hasOwn(services, host) ? services[host] : undefined;
}

/** Whether the name of a file says that it stands for another one. @param isThere whether the file is */
export function isUnfinished(path: string, isThere: boolean): boolean {
  return unfinishedName.test(path) || (!isThere && substituteName.test(path));
}

function sizeOf(text: string): Size | undefined {
  const [, width = '', height = width] =
    /^(\d{1,5})(?:[x×](\d{1,5}))?(?:@\dx)?(?:\.\w+)?$/iu.exec(text) ?? [];
  return Number(width) > 0 && Number(height) > 0
    ? { width: Number(width), height: Number(height) }
    : undefined;
}

function wordsIn(query: URLSearchParams): Pick<Placeholder, 'words'> {
  const words = (query.get('text') ?? '').replaceAll(/\\n|\s+/gu, ' ').trim();
  return words === '' || /^\d+\s*[x×]\s*\d+$/u.test(words) ? {} : { words };
}
