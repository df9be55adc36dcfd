import { DivertedBlob } from './base64Decoder.ts';

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Candidate = { blob: DivertedBlob } | { url: string };

/** Images in a value without a documented shape. */
export interface Named {
  /** Base64 of images anywhere, and addresses under an image's name or with an image's extension. */
  sure: Candidate[];
  /** As `sure`, and addresses under more general names; in order. */
  likely: Candidate[];
  /** Other addresses that end like an image's, or are images in Markdown. */
  mentioned: string[];
  others: string[];
  /** Number of incomplete base64 images. */
  inline: number;
}

const imageName = /^(?:\w+_)?(?:images?|pictures?|photos?)(?:_(?:ur[li]s?|base64|b64))?$/u;
/** Names for the addresses of images and of other results. */
const resultName =
  /^(?:data|ur[li]s?|src|outputs?|output_ur[li]s?|results?|result_ur[li]s?|file_ur[li]s?|artifacts?|sample)$/u;
/** Names for data from the request, previews, decoration, and failures. */
const foreignName =
  /^(?:(?:init|input|source|src|ref|reference|original|mask|control)_.*|inputs?|requests?|references?|original|masks?|param(?:eter)?s?|messages|prompts?|.*(?:thumb|preview|partial|logo|avatar|icon|qr_?code|_qr|qr_).*|pay_.*|examples?|users?|providers?|errors?|meta|metadata|usage|links?|help.*|docs?|documentation.*|webhook.*|callback.*)$/u;
const pictureExtension = /^[^?#]+\.(?:png|jpe?g|webp)(?:[?#]|$)/iu;
const markdownImage = /!\[[^\]]{0,200}\]\(\s*(https?:\/\/[^\s)]+)/giu;
const anyAddress = /https?:\/\/[^\s"'<>()\\]+/giu;
/** The beginning of an image's data URL, or of base64 of a PNG, JPEG, or WebP image. */
const inlineStart = /^\s*(?:data:image\/|iVBORw0KGgo|\/9j\/|UklGR[\w+/]{7}RUJQ)/u;

const maxDepth = 20;
const maxAddresses = 200;

/** Returns the images anywhere in a value. */
export function namedIn(value: unknown): Named {
  const named: Named = { sure: [], likely: [], mentioned: [], others: [], inline: 0 };
  walk(value, '', maxDepth, named);
  return named;
}

/** Returns the images of a value from the likeliest places only. */
export function picturesIn({ likely, mentioned }: Named): Candidate[] {
  return likely.length > 0 ? likely : mentioned.map((url) => ({ url }));
}

function walk(value: unknown, name: string, depth: number, named: Named): void {
  if (value instanceof DivertedBlob) {
    named.sure.push({ blob: value });
    named.likely.push({ blob: value });
  } else if (typeof value === 'string') {
    readText(value, name, named);
  } else if (Array.isArray(value) && depth > 0) {
    for (const inner of value as unknown[]) {
      walk(inner, name, depth - 1, named);
    }
  } else if (typeof value === 'object' && value !== null && depth > 0) {
    const fields = Object.entries(value);
    const isThought = fields.some(([key, inner]) => key === 'thought' && inner === true);
    for (const [key, inner] of isThought ? [] : fields) {
      const inSnakeCase = key.replaceAll(/(?<=[a-z])[A-Z]/gu, '_$&').toLowerCase();
      if (!foreignName.test(inSnakeCase)) {
        walk(inner, inSnakeCase, depth - 1, named);
      }
    }
  }
}

function readText(text: string, name: string, named: Named): void {
  if (inlineStart.test(text) || text.includes('data:image/')) {
    named.inline += 1;
    return;
  }
  const trimmed = text.trim();
  const isAbsolute = /^https?:\/\/\S+$/iu.test(trimmed);
  const isPicture = pictureExtension.test(trimmed);
  // A path without a host is one of the service's calls, unless it ends like an image.
  if (isAbsolute || (isPicture && /^\/\S+$/u.test(trimmed))) {
    const isImage = imageName.test(name);
    if ((isImage || (resultName.test(name) && isPicture)) && isNew(trimmed, named.sure)) {
      named.sure.push({ url: trimmed });
    }
    if ((isImage || resultName.test(name)) && isNew(trimmed, named.likely)) {
      named.likely.push({ url: trimmed });
      return;
    }
    if (isPicture) {
      add(named.mentioned, trimmed);
      return;
    }
  }
  for (const [, address = ''] of text.matchAll(markdownImage)) {
    add(named.mentioned, address);
  }
  for (const [address] of text.matchAll(anyAddress)) {
    if (!named.mentioned.includes(address)) {
      add(named.others, address);
    }
  }
}

function isNew(url: string, candidates: readonly Candidate[]): boolean {
  return (
    candidates.length < maxAddresses &&
    !candidates.some((candidate) => 'url' in candidate && candidate.url === url)
  );
}

function add(addresses: string[], address: string): void {
  if (addresses.length < maxAddresses && !addresses.includes(address)) {
    addresses.push(address);
  }
}
