/** Names of characters that titles have; the others stay as they are written. */
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  middot: '·',
  bull: '•',
  copy: '©',
  reg: '®',
  trade: '™',
  times: '×',
  shy: '',
};

/** Returns what a person reads of a piece of HTML, on one line. */
export function textOf(markup: string): string {
  return decoded(markup.replaceAll(/<\/?[A-Za-z!][^<>]*>/gu, ' '))
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** Returns a text with the characters that its references stand for. */
export function decoded(text: string): string {
  return text.replaceAll(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]+));/giu,
    (reference: string, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) {
        return Object.hasOwn(named, name) ? (named[name] ?? reference) : reference;
      }
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
        ? String.fromCodePoint(code)
        : reference;
    },
  );
}

/** Returns a text as it stands in an attribute between these quotes. */
export function encoded(text: string, quote: '"' | "'"): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(quote, quote === '"' ? '&quot;' : '&#39;');
}
