import type { Help } from 'commander';
import * as l10n from '@vscode/l10n';
import { columnsOf } from './terminalText.ts';

/** In columns; a wider text is continued below itself. */
const width = 120;
/** Where Chinese and Japanese, which have no spaces, may begin a new line: before no punctuation. */
const withinWords = /(?<=[\u2e80-\u9fff\uff00-\uffef])(?=[\u3041-\u30fa\u4e00-\u9fff])/u;

/** A part of a text that stays on one line, such as an example. */
export function whole(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

/** Returns a title, and below it terms with their texts, which begin at a column. */
export function section(title: string, column: number, rows: readonly (readonly [string, string])[]): string {
  return `\n${title}\n${rows.map(([term, text]) => row(term, column, text)).join('')}`;
}

/** Returns a text in lines that fit. */
export function paragraph(text: string): string {
  return `\n${wrapped(text, 0, 0)}\n`;
}

/** Returns a title, and below it commands. */
export function examples(title: string, commands: readonly string[]): string {
  return `\n${title}\n${commands.map((command) => `  ${command}\n`).join('')}`;
}

function row(term: string, column: number, text: string): string {
  const start = `  ${term}`;
  const room = column - columnsOf(start);
  const gap = room < 2 ? 3 : room;
  return `${start}${' '.repeat(gap)}${wrapped(text, column, columnsOf(start) + gap)}\n`;
}

/** Wraps a text. @param column where its lines begin. @param first where the first one does */
function wrapped(text: string, column: number, first: number, most = width): string {
  let at = first;
  return text
    .split(/[ \n]+/u)
    .flatMap((word) => word.split(withinWords).map((part, index) => ({ part, gap: index === 0 ? ' ' : '' })))
    .map(({ part, gap }, index) => {
      const length = columnsOf(part);
      const isNew = index > 0 && at + gap.length + length > most;
      const before = index === 0 ? '' : isNew ? `\n${' '.repeat(column)}` : gap;
      at = (isNew ? column : at + before.length) + length;
      return `${before}${part}`;
    })
    .join('')
    .replaceAll('\u00a0', ' ');
}

/** Returns the words of commander's own help in the user's language. */
export function helpWords(): Partial<Help> {
  const titles = new Map([
    ['Usage:', l10n.t('Usage:')],
    ['Arguments:', l10n.t('Arguments:')],
    ['Options:', l10n.t('Options:')],
    ['Commands:', l10n.t('Commands:')],
  ]);
  return {
    styleTitle: (title) => titles.get(title) ?? title,
    displayWidth: columnsOf,
    boxWrap: (text, most) => wrapped(text, 0, 0, most),
    optionDescription: ({ description, argChoices, defaultValue }) =>
      [
        description,
        ...(argChoices
          ? [l10n.t('(choices: {0})', argChoices.map((one) => JSON.stringify(one)).join(', '))]
          : []),
        ...(defaultValue === undefined ? [] : [l10n.t('(default: {0})', JSON.stringify(defaultValue))]),
      ].join(' '),
  };
}
