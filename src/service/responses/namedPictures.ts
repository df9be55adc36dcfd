/** What a value that isn't one of the document's shapes says of images. */
export interface Named {
  /** Addresses that stand where services put those of images. */
  pictures: string[];
  /** Other addresses. */
  others: string[];
  /** How many images are in it as base64. */
  inline: number;
}

/** Names under which services put images, or their addresses. */
const pictureName =
  /^(?:data|images?|image_?ur[li]s?|ur[li]s?|src|outputs?|output_?(?:ur[li]s?|images?)|results?|result_?(?:ur[li]s?|images?)|file_?ur[li]s?|sample)$/iu;
/** What stands under these names came from the request, or is about a failure. */
const foreignName = /^(?:inputs?|request|parameters|errors?|metadata|usage)$/iu;
const pictureExtension = /^[^?#]+\.(?:png|jpe?g|webp)(?:[?#]|$)/iu;
const markdownImage = /!\[[^\]]{0,1000}\]\(\s*(https?:\/\/[^\s)]+)/giu;
const anyAddress = /https?:\/\/[^\s"'<>()\\]+/giu;
/** Begins a data URL of an image, or the base64 of a PNG, JPEG, or WebP image. */
const inlineStart = /data:image\/|(?<![\w+/=-])(?:iVBORw0KGgo|\/9j\/|UklGR[\w+/]{7}RUJQ)/u;

const maxDepth = 20;
const maxAddresses = 200;

/** Returns what a value says of images, wherever in it. */
export function namedIn(value: unknown): Named {
  const named: Named = { pictures: [], others: [], inline: 0 };
  walk(value, '', maxDepth, named);
  return named;
}

function walk(value: unknown, name: string, depth: number, named: Named): void {
  if (typeof value === 'string') {
    readText(value, name, named);
  } else if (typeof value === 'object' && value !== null && depth > 0) {
    for (const [key, inner] of Object.entries(value)) {
      if (Array.isArray(value)) {
        walk(inner, name, depth - 1, named);
      } else if (!foreignName.test(key)) {
        walk(inner, key, depth - 1, named);
      }
    }
  }
}

function readText(text: string, name: string, named: Named): void {
  if (inlineStart.test(text.slice(0, 200)) || text.includes('data:image/')) {
    named.inline += 1;
    return;
  }
  const trimmed = text.trim();
  const isAbsolute = /^https?:\/\/\S+$/iu.test(trimmed);
  const isAddress = isAbsolute || /^\/\S+\/\S+$/u.test(trimmed);
  if (isAddress && (pictureName.test(name) || (isAbsolute && pictureExtension.test(trimmed)))) {
    add(named.pictures, trimmed);
    return;
  }
  for (const [, address = ''] of text.matchAll(markdownImage)) {
    add(named.pictures, address);
  }
  for (const [address] of text.matchAll(anyAddress)) {
    if (!named.pictures.includes(address)) {
      add(named.others, address);
    }
  }
}

function add(addresses: string[], address: string): void {
  if (addresses.length < maxAddresses && !addresses.includes(address)) {
    addresses.push(address);
  }
}
