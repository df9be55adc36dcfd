import type * as vscode from 'vscode';
import { oneLine } from '../window/plainText.ts';

/** Returns the text that is selected, or the sentence at the cursor. */
export function promptIn(editor: vscode.TextEditor | undefined): string {
  const selected = selectedText(editor);
  if (!editor || selected !== '') {
    return selected;
  }
  const { document, selection } = editor;
  return sentenceAt(document.getText(), document.offsetAt(selection.active));
}

/** Returns the text that is selected, each of several selections on lines of its own; empty where there is none. */
export function selectedText(editor: vscode.TextEditor | undefined): string {
  return (editor?.selections ?? [])
    .map((one) => editor?.document.getText(one).trim() ?? '')
    .filter((text) => text !== '')
    .join('\n');
}

/** The longest part of a paragraph that is searched for sentences, in UTF-16 units to either side. */
const farthest = 5000;
const blankLine = /\r?\n[ \t]*\r?\n/u;
/** Marks at the beginning of a line that are no part of a sentence: of headings, lists, quotations, comments. */
const markup = /^[ \t]*(?:#{1,6}|[-*+>]|\d+[.)]|\/\/+|=+|%+|<!--)[ \t]+/gmu;

/**
 * Returns the sentence at an offset of a text, on one line and without the marks of its paragraph; empty if there is
 * none. Paragraphs end at blank lines.
 *
 * @param offset in UTF-16 units
 */
export function sentenceAt(text: string, offset: number): string {
  const before =
    text
      .slice(Math.max(0, offset - farthest), offset)
      .split(blankLine)
      .at(-1) ?? '';
  const [after = ''] = text.slice(offset, offset + farthest).split(blankLine, 1);
  // Otherwise a sentence would end at the end of its line.
  const paragraph = (before + after).replaceAll(markup, blank).replaceAll(/[\r\n]/gu, ' ');
  const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(paragraph);
  // At the end of a paragraph, the last sentence is meant.
  const found = sentences.containing(before.length) ?? sentences.containing(before.length - 1);
  return found?.segment.replaceAll(/\s+/gu, ' ').trim() ?? '';
}

function blank(text: string): string {
  return ' '.repeat(text.length);
}

const fenced = /^[ \t]*(?:```|~~~)[^\n]*\n(?<inside>.*?)\n[ \t]*(?:```|~~~)[ \t]*$/msu;
const link = /!?\[([^\]\n]*)\]\([^)\n]*\)/gu;
const emphasis = /(\*\*|__|\*|`)(?=\S)(.+?)(?<=\S)\1/gu;
/** Marks at the beginning of a line, of headings, lists, quotations; and lines that only separate. */
const marks = /^[ \t]*(?:(?:#{1,6}|[-*+>]|\d+[.)])[ \t]+|(?:-{3,}|\*{3,}|`{3,}|~{3,}).*$)/gmu;
/** Introductions that models write although they are told not to, in the order in which they appear. */
const introductions = [
  /^(?:sure|certainly|of course|absolutely)(?:[!.]\s+|,[^\n:]*:\s*)/iu,
  /^here(?:['’]s| is| are)\b[^\n:]*:\s*/iu,
  /^(?:\p{L}+ ){0,2}prompt\s*:\s*/iu,
];
/** Opening and closing quotes. */
const quotes = ['""', "''", '“”', '‘’', '«»', '„“', '「」'];

/**
 * Returns the prompt in the answer of a language model, on one line: without introduction, Markdown, and the quotes
 * around it. Empty if it has none.
 */
export function answeredPrompt(answer: string): string {
  const block = fenced.exec(answer)?.groups?.['inside'] ?? answer;
  const plain = block.replaceAll(marks, '').replaceAll(link, '$1').replaceAll(emphasis, '$2').trim();
  const said = introductions.reduce((text, introduction) => text.replace(introduction, ''), plain);
  return oneLine(unquoted(said.trim()));
}

const numbered = /^[\s>*_"“-]*(\d+)\s*[.:)\]]\s*(\S.*)$/u;
/** Beginnings of answers that are no prompts. */
const excuses =
  /^(?:i['’]?m sorry|sorry|i can(?:['’]t|not)|i am unable|unable to|as an ai|n\/a|none|unknown|-+)(?![\p{L}\p{N}])/iu;

/**
 * Returns the prompts in the answer of a language model that was asked for several, each on a line with its number.
 *
 * @param longest UTF-16 units of a prompt
 */
export function numberedPrompts(answer: string, longest: number): Map<number, string> {
  const found = new Map<number, string>();
  for (const line of answer.split('\n')) {
    const [, number = '', said = ''] = numbered.exec(line) ?? [];
    const prompt = answeredPrompt(said);
    const isPrompt = /\p{L}{2}/u.test(prompt) && prompt.length <= longest && !excuses.test(prompt);
    if (isPrompt && !found.has(Number(number))) {
      found.set(Number(number), prompt);
    }
  }
  return found;
}

function unquoted(text: string): string {
  const inside = text.slice(1, -1);
  const isQuoted = quotes.some(
    ([open = '', close = '']) =>
      text === `${open}${inside}${close}` && !inside.includes(open) && !inside.includes(close),
  );
  return isQuoted ? inside : text;
}
