import type { Size } from './reference.ts';

/** What an address of a placeholder service asks for. */
export interface Placeholder {
  size?: Size;
  /** Words that are written on it, or what it is to show. */
  words?: string;
}

/** Reads the parts of a path, and the query, as one service has them. */
type Reader = (parts: readonly string[], query: URLSearchParams) => Placeholder;

/** `600x400` or `600` in the first part, and words in the query. */
const sized: Reader = ([first = ''], query) => ({ ...sizeOf(first), ...wordsIn(query) });
/** Width and height in the last parts that are numbers, and the subject in those after them. */
const inParts: Reader = (parts, query) => {
  const at = parts.findIndex(
    (part, index) => /^\d+$/u.test(part) && !['id', 'seed'].includes(parts[index - 1] ?? ''),
  );
  const [width = '', height = ''] = parts.slice(at, at + 2);
  const isHeight = /^\d+(?:\.\w+)?$/u.test(height);
  const after = parts.slice(at + (isHeight ? 2 : 1)).join(' ');
  const subject = after.replaceAll(/\.\w+$|[^\p{L}]+/gu, ' ').trim();
  return {
    ...(at >= 0 && sizeOf(isHeight ? `${width}x${height}` : width)),
    ...(subject === '' ? wordsIn(query) : { words: subject }),
  };
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
  'placekitten.com': (parts, query) => ({ words: 'a kitten', ...inParts(parts, query) }),
  'placebear.com': (parts, query) => ({ words: 'a bear', ...inParts(parts, query) }),
  'placedog.net': (parts, query) => ({ words: 'a dog', ...inParts(parts, query) }),
  'placeimg.com': inParts,
  'lorempixel.com': inParts,
  'source.unsplash.com': (parts, query) => {
    const size = parts.map(sizeOf).find((found) => found.size);
    const words = [...query.keys()]
      .join(' ')
      .replaceAll(/[^\p{L}]+/gu, ' ')
      .trim();
    return { ...size, ...(words !== '' && { words }) };
  },
};

/** Names of files that were meant to be replaced. */
const unfinishedName = /(?:^|\/)(?:todo|placeholder|fixme|dummy)(?:[-_ ]?\d*)?\.(?:png|jpe?g|webp)$/iu;

/** Whether a text may name a placeholder service: told much faster than where. */
export function mentionsPlaceholders(text: string): boolean {
  return Object.keys(services).some((host) => text.includes(host));
}

/** Returns what a placeholder's address asks for; undefined for every other address. */
export function placeholderAt(address: string): Placeholder | undefined {
  const text = address.replaceAll('&amp;', '&');
  const url = URL.parse(text.replace(/^\/\//u, 'https://'));
  if (!url) {
    return undefined;
  }
  const parts = url.pathname.split('/').filter((part) => part !== '');
  return serviceAt(url.hostname.replace(/^www\./u, ''))?.(parts, url.searchParams);
}

function serviceAt(host: string): Reader | undefined {
  return Object.hasOwn(services, host) ? services[host] : undefined;
}

/** Whether the name of a file says that it stands for another one. */
export function isUnfinished(path: string): boolean {
  return unfinishedName.test(path);
}

function sizeOf(text: string): Pick<Placeholder, 'size'> {
  const [, width = '', height = width] =
    /^(\d{1,5})(?:[x×](\d{1,5}))?(?:@\dx)?(?:\.\w+)?$/iu.exec(text) ?? [];
  return Number(width) > 0 && Number(height) > 0
    ? { size: { width: Number(width), height: Number(height) } }
    : {};
}

function wordsIn(query: URLSearchParams): Pick<Placeholder, 'words'> {
  const words = (query.get('text') ?? '').replaceAll(/\\n|\s+/gu, ' ').trim();
  return words === '' || /^\d+\s*[x×]\s*\d+$/u.test(words) ? {} : { words };
}
