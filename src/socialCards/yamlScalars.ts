import { type Scalar, unescaped } from './keys.ts';

const quoted = /"((?:[^"\\\n\r]|\\[^\n\r])*)"|'((?:[^'\n\r]|'')*)'/uy;
const plainStart = String.raw`(?:[^\s\-?:,[\]{}#&*!|>'"%@${'`'}]|[-?:](?=[^\s,[\]{}]))`;
export const plain = new RegExp(
  String.raw`${plainStart}(?:[^\s:#]|:(?=\S)|(?<=\S)#|[ \t]+(?=[^\s#:]|:\S))*`,
  'uy',
);
export const plainInFlow = new RegExp(
  String.raw`${plainStart}(?:[^\s:#,[\]{}]|:(?=[^\s,[\]{}])|(?<=\S)#|[ \t]+(?=[^\s#:,[\]{}]))*`,
  'uy',
);
export const restOfLine = /[ \t]*(?:(?<=[ \t])#[^\n\r]*)?(?=[\n\r]|$)/uy;
export const restInFlow = /\s*(?=[,\]}])/uy;
const blanks = /[ \t]*/uy;
export const blankLines = /(?:\s|#[^\n\r]*)*/uy;

/** Reads a scalar behind blanks, of which nothing else but what `rest` matches may follow. */
export function scalarAt(text: string, from: number, unquoted: RegExp, rest: RegExp): Scalar | undefined {
  const start = skip(blanks, text, from);
  quoted.lastIndex = start;
  const [whole, double, single] = quoted.exec(text) ?? [];
  unquoted.lastIndex = start;
  const written = whole ?? unquoted.exec(text)?.[0];
  if (written === undefined || !matches(rest, text, start + written.length)) {
    return undefined;
  }
  const value = double === undefined ? (single?.replaceAll("''", "'") ?? written) : unescaped(double);
  const quote = double === undefined ? (single === undefined ? '' : "'") : '"';
  return { value, start, end: start + written.length, quote };
}

/** Returns where a text goes on behind what a pattern matches. */
export function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

export function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
