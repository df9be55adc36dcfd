import type { Size } from './reference.ts';

export interface Placeholder {
  size?: Size;
  /** The text on the image, or its subject. */
  words?: string;
}

/** Reads the parts of a path and the query as a service defines them; undefined if they request no image. */
type Reader = (parts: readonly string[], query: URLSearchParams) => Placeholder | undefined;

/** `600x400` in any part or `600` in the first, and the text in the query. */
const sized: Reader = (parts, query) => {
  const [first = ''] = parts;
  const size = sizeOf(parts.find((part) => /^\d+x\d/iu.test(part)) ?? first);
  return size && { size, ...wordsIn(query) };
};
/** Width and height in the leading numeric parts, and the subject in those after them. */
const inParts: Reader = (parts, query) => {
  const at = parts.findIndex(
    (part, index) => number.test(part) && !['id', 'seed'].includes(parts[index - 1] ?? ''),
  );
  const [width = '', height = ''] = at < 0 ? [] : parts.slice(at, at + 2);
  const isHeight = number.test(height);
  const size = sizeOf(isHeight ? `${width}x${height}` : width);
  const after = parts.slice(at + (isHeight ? 2 : 1)).filter((part) => !modes.has(part));
  const seed = parts[parts.indexOf('seed') + 1];
  const said = after.length === 0 && parts.includes('seed') && seed !== undefined && isWord(seed);
  const subject = lettersIn((said ? seed : after.join(' ')).replaceAll(/\.\w+$/gu, ''));
  return size && { size, ...(subject === '' ? wordsIn(query) : { words: subject }) };
};
const number = /^\d+(?:x\d+)?(?:\.\w+)?$/u;
/** Parts of a path that say how to find or to show an image. */
const modes: ReadonlySet<string> = new Set(['all', 'any', 'g', 'grayscale', 'sepia', 'random']);
/** Whether an image's seed is a word rather than a number, a code, or the name of the service. */
const isWord = (seed: string): boolean => !/\d/u.test(seed) && /\p{L}{3}/u.test(seed) && seed !== 'picsum';
const showing =
  (words: string): Reader =>
  (parts, query) => {
    const placeholder = inParts(parts, query);
    return placeholder && { words, ...placeholder };
  };
/** Services whose images all have the same subject. @param images paths that are no pages or data */
const always =
  (words: string, images = /./u): Reader =>
  (parts, query) =>
    images.test(parts.join('/')) ? { words, ...sizeIn(query) } : undefined;
/** Portraits, of men or women if the path says so. @param images paths that are no pages or data */
const portraits =
  (images: RegExp): Reader =>
  (parts, query) => {
    const path = parts.join('/');
    const who = /\b(?:wom[ae]n|girl|female)\b/u.test(path)
      ? 'woman'
      : /\b(?:m[ae]n|boy|male)\b/u.test(path)
        ? 'man'
        : 'person';
    return images.test(path) ? { words: `a portrait of a ${who}`, ...sizeIn(query) } : undefined;
  };
/** Portraits with their size as the first part. */
const sizedPortraits: Reader = ([first = ''], query) => {
  const size = sizeOf(first);
  return !size && query.size === 0
    ? undefined
    : { words: 'a portrait of a person', ...sizeIn(query), ...(size && { size }) };
};
/** Avatars in a style, which is a part of the path behind the version. */
const avatars: Reader = (parts, query) => {
  const style = parts[1] ?? '';
  const words = style.startsWith('bottts')
    ? 'a robot'
    : /^(?:glass|icons|identicon|initials|rings|shapes)$/u.test(style)
      ? 'an abstract icon'
      : 'a portrait of a person';
  return parts.length < 2 ? undefined : { words, ...sizeIn(query) };
};
/** A size in any part, or else the name of an image; and subjects as keys of the query without a value. */
const bySubject: Reader = (parts, query) => {
  const size = parts.map(sizeOf).find((found) => found !== undefined);
  const subjects = [...query].flatMap(([key, value]) => (value === '' ? [key] : []));
  const words = lettersIn(subjects.join(' '));
  return size || words !== '' || /^[\w-]+$/u.test(parts[0] ?? '')
    ? { ...(size && { size }), ...(words !== '' && { words }) }
    : undefined;
};
/** The size in the query, and the subject as the last part. */
const lastPart: Reader = (parts, query) => {
  const words = lettersIn(parts.slice(1).join(' '));
  return parts.length < 2 ? undefined : { ...sizeIn(query), ...(words !== '' && { words }) };
};
const inQuery: Reader = (_, query) => {
  const { size } = sizeIn(query);
  return size && { size, ...wordsIn(query) };
};

/** Services by their hosts, without `www.`, including discontinued ones that many pages still name. */
const services: Readonly<Record<string, Reader>> = {
  'placehold.co': sized,
  'placehold.it': sized,
  'placehold.net': sized,
  'placeholder.pics': sized,
  'via.placeholder.com': sized,
  'placeholder.com': sized,
  'dummyimage.com': sized,
  'fakeimg.pl': sized,
  'images.placeholders.dev': inQuery,
  'picsum.photos': inParts,
  'fastly.picsum.photos': inParts,
  'i.picsum.photos': inParts,
  'unsplash.it': inParts,
  'loremflickr.com': inParts,
  'placekitten.com': showing('a kitten'),
  'placecats.com': showing('a cat'),
  'cataas.com': always('a cat', /^cat(?:\/|$)/u),
  'placebear.com': showing('a bear'),
  'placedog.net': showing('a dog'),
  'place.dog': showing('a dog'),
  'placeimg.com': inParts,
  'lorempixel.com': inParts,
  'api.lorem.space': lastPart,
  'source.unsplash.com': bySubject,
  'baconmockup.com': showing('bacon'),
  'placebeard.it': showing('a man with a beard'),
  'placecage.com': showing('a portrait of a man'),
  'fillmurray.com': showing('a portrait of a man'),
  'placehold.jp': sized,
  'fpoimg.com': sized,
  'i.pravatar.cc': sizedPortraits,
  'pravatar.cc': sizedPortraits,
  'randomuser.me': portraits(/^api\/portraits\//u),
  'xsgames.co': portraits(/^randomusers\//u),
  'avatar.iran.liara.run': portraits(/^(?:public|username)(?:\/|$)/u),
  'thispersondoesnotexist.com': portraits(/^(?:image)?$/u),
  'robohash.org': always('a robot'),
  'ui-avatars.com': always('a portrait of a person', /^api(?:\/|$)/u),
  'api.dicebear.com': avatars,
  'avatars.dicebear.com': avatars,
};

/** File names that are to be replaced, and those that may also be fallbacks for missing images. */
const unfinishedName = /(?:^|\/)(?:todo|fixme)(?:[-_ ]?\d*)?\.(?:png|jpe?g|webp)$/iu;
const substituteName = /(?:^|\/)(?:placeholder|dummy)(?:[-_ ]?\d*)?\.(?:png|jpe?g|webp)$/iu;

/** Expressions of programs and templates, and address patterns. A backslash may be that of a line end in text. */
const computed = /[{}<>*`]|\$[a-z_(]|%(?![\da-f]{2}|$|[&#\s\d])|["']\s*\+|\+\s*["']/iu;

const hosts = Object.keys(services)
  .join('|')
  .replaceAll('.', String.raw`\.`);
const anyHost = new RegExp(hosts, 'iu');

/** Whether a text may name a placeholder service: much faster than finding where. */
export function mentionsPlaceholders(text: string): boolean {
  return anyHost.test(text);
}

/**
 * Returns the image that a placeholder's address requests; undefined for all other addresses, also of the same
 * services, and for computed ones.
 */
export function placeholderAt(address: string): Placeholder | undefined {
  const text = address.replaceAll('&amp;', '&');
  // Some services take a query without its question mark.
  const whole = text.includes('?') ? text : text.replace('&', '?');
  const url = computed.test(text) ? null : URL.parse(whole.replace(/^\/\//u, 'https://'));
  if (!url) {
    return undefined;
  }
  const parts = url.pathname.split('/').filter((part) => part !== '');
  return serviceAt(url.hostname.replace(/^www\./u, ''))?.(parts, url.searchParams);
}

function serviceAt(host: string): Reader | undefined {
  return Object.hasOwn(services, host) ? services[host] : undefined;
}

/** Whether a file name marks a substitute for another file. @param isThere whether the file exists */
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
  const words = (query.get('text') ?? '').replaceAll(/\\+n|\s+/gu, ' ').trim();
  return /^(?:\d+\s*[x×]\s*\d+|[a-z]{0,2})$/iu.test(words) ? {} : { words };
}

function sizeIn(query: URLSearchParams): Pick<Placeholder, 'size'> {
  const of = (...names: readonly string[]): string =>
    names.map((name) => query.get(name) ?? '').find((value) => value !== '') ?? '';
  const [width, height] = [of('width', 'w'), of('height', 'h')];
  const size = sizeOf(width !== '' && height !== '' ? `${width}x${height}` : of('size', 's', 'width', 'w'));
  return size ? { size } : {};
}

function lettersIn(text: string): string {
  return text.replaceAll(/[^\p{L}]+/gu, ' ').trim();
}
