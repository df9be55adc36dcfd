import { oneLine } from '../window/plainText.ts';

const fenced = /^[ \t]*(?:```|~~~)[^\n]*\n(?<inside>.*?)\n[ \t]*(?:```|~~~)[ \t]*$/msu;
const link = /!?\[([^\]\n]*)\]\([^)\n]*\)/gu;
const emphasis = /(\*\*|__|\*|`)(?=\S)(.+?)(?<=\S)\1/gu;
/** What begins a line without being said: headings, lists, quotations; and lines that only separate. */
const marks = /^[ \t]*(?:(?:#{1,6}|[-*+>]|\d+[.)])[ \t]+|(?:-{3,}|\*{3,}|`{3,}|~{3,}).*$)/gmu;
/** What a model says before a prompt although it is told not to, in the order in which it says so. */
const introductions = [
  /^(?:sure|certainly|of course|absolutely)(?:[!.]\s+|,[^\n:]*:\s*)/iu,
  /^here(?:['’]s| is| are)\b[^\n:]*:\s*/iu,
  /^(?:\p{L}+ ){0,2}prompt\s*:\s*/iu,
];
/** Opening and closing. */
const quotes = ['""', "''", '“”', '‘’', '«»', '„“', '「」'];

/**
 * Returns the prompt in the answer of a language model, on one line: without introduction, Markdown, and the quotes
 * around it. Empty where it has none.
 */
export function answeredPrompt(answer: string): string {
  const block = fenced.exec(answer)?.groups?.['inside'] ?? answer;
  const plain = block.replaceAll(marks, '').replaceAll(link, '$1').replaceAll(emphasis, '$2').trim();
  const said = introductions.reduce((text, introduction) => text.replace(introduction, ''), plain);
  return oneLine(unquoted(said.trim()));
}

function unquoted(text: string): string {
  const inside = text.slice(1, -1);
  const isQuoted = quotes.some(
    ([open = '', close = '']) =>
      text === `${open}${inside}${close}` && !inside.includes(open) && !inside.includes(close),
  );
  return isQuoted ? inside : text;
}
