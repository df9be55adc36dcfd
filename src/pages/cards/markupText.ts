import type { TextEdit } from './cardImage.ts';

/** An attribute in a text: its value without quotes. */
interface Written {
  value: string;
  /** In UTF-16 units. */
  start: number;
}

/** The text before a value: the attribute's name, the brace of an expression, and a quote. */
const before = /([^\s"'<>/={}]+)\s*=\s*(\{\s*)?(["'`]?)$/u;
/** Attributes whose value is an expression, in Vue and Angular. */
const binding = /^(?::|v-|\[)/u;

/** Returns the value of an attribute. For an expression, this is its text. */
export function meantBy(text: string, { value, start }: Written): string {
  return opening(text, start)?.isExpression === true ? value : decoded(value);
}

/** Returns the edit that changes an attribute's value; undefined for a binding. */
export function attributeEdit(
  text: string,
  { value, start }: Written,
  content: string,
): TextEdit | undefined {
  const opened = opening(text, start);
  if (!opened) {
    return undefined;
  }
  const { isExpression, quote } = opened;
  const end = start + value.length;
  if (isExpression) {
    return { start, end, text: quote === '' ? JSON.stringify(content) : inString(content, quote) };
  }
  return quote === '"' || quote === "'"
    ? { start, end, text: encoded(content, quote) }
    : { start, end, text: `"${encoded(content, '"')}"` };
}

function opening(text: string, start: number): { isExpression: boolean; quote: string } | undefined {
  const [, name, brace, quote = ''] = before.exec(text.slice(Math.max(0, start - 200), start)) ?? [];
  return name === undefined || binding.test(name) ? undefined : { isExpression: brace !== undefined, quote };
}

/** Escapes a text for a string of a program between these quotes. */
function inString(text: string, quote: string): string {
  const escaped = JSON.stringify(text).slice(1, -1);
  return quote === '"'
    ? escaped
    : escaped
        .replaceAll(String.raw`\"`, '"')
        .replaceAll(quote === '`' ? /`|\$(?=\{)/gu : quote, String.raw`\$&`);
}

/** Common named entities in titles; others stay as they are written. */
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

export function textOf(markup: string): string {
  return decoded(markup.replaceAll(/<\/?[A-Za-z!][^<>]*>/gu, ' '))
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

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

/** Escapes a text for an attribute between these quotes. */
export function encoded(text: string, quote: '"' | "'"): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(quote, quote === '"' ? '&quot;' : '&#39;');
}
