/** Keys for the image of a card, the most specific first, as `plainKey` returns them. */
const imageKeys = ['socialimage', 'ogimage', 'image', 'images', 'cover', 'thumbnail'];
/** Keys for the address within an image of several parts. */
export const partKeys: ReadonlySet<string> = new Set(['url', 'src', 'image', 'path', 'file', 'href']);

/** Normalizes the spelling of a key: `og_image`, `og-image` and `ogImage` are equal. */
export function plainKey(key: string): string {
  return key.replaceAll(/[-_: ]/gu, '').toLowerCase();
}

/** Returns the entry for the image of a card, if there is one. */
export function imageEntryOf<Entry extends { key: string }>(entries: readonly Entry[]): Entry | undefined {
  return imageKeys
    .map((wanted) => entries.find(({ key }) => plainKey(key) === wanted))
    .find((entry) => entry !== undefined);
}

export function isAltOf(key: string, other: string): boolean {
  return plainKey(key) === `${plainKey(other)}alt`;
}

export function isImageKey(key: string): boolean {
  return imageKeys.includes(plainKey(key));
}

export function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
