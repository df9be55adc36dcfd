import type { TextEdit } from './cardImage.ts';
import { decoded, encoded } from './markupText.ts';

/** An attribute as it stands in a text: its value without quotes. */
interface Written {
  value: string;
  /** In UTF-16 units. */
  start: number;
}

/** What stands before a value: the name of its attribute, the brace of an expression, and a quote. */
const before = /([^\s"'<>/={}]+)\s*=\s*(\{\s*)?(["'`]?)$/u;
/** Attributes whose value is an expression, in Vue and Angular. */
const binding = /^(?::|v-|\[)/u;

/** Returns what an attribute means, which in an expression is what stands there. */
export function meantBy(text: string, { value, start }: Written): string {
  return opening(text, start)?.isExpression === true ? value : decoded(value);
}

/** Returns what gives an attribute another value; undefined where a binding holds it. */
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

/** Returns a text as it stands in a string of a program between these quotes. */
function inString(text: string, quote: string): string {
  const escaped = JSON.stringify(text).slice(1, -1);
  return quote === '"'
    ? escaped
    : escaped
        .replaceAll(String.raw`\"`, '"')
        .replaceAll(quote === '`' ? /`|\$(?=\{)/gu : quote, String.raw`\$&`);
}
