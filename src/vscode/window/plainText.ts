import { ellipsize } from '../../common/text.ts';
import type { Task } from '../../engine/task/task.ts';

const usualLength = 300;
const nameLength = 40;
/** In columns. */
const rowLength = 24;
/** Characters from here on fill two columns, roughly. */
const wide = '\u2e80';
/** Letters that are written from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

/** Removes line breaks, control characters, and bidirectional marks. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
}

/** Shortens the name of a row after a word, if it has any, so that the text beside it stays in sight. */
export function rowLabel(name: string): string {
  const label = ellipsize(name, rowLength, (character) => (character < wide ? 1 : 2));
  return label === name ? name : label.replace(/(?<=.{15})[,;:]?\s\S*…$/u, '…');
}

/**
 * Makes foreign text, such as a prompt, safe for a message or a row: one line, truncated, and without Markdown links, since a
 * click on a `command:` link in a notification would run the command, nor names of icons, which rows would show instead of
 * `$(name)`. What is written from right to left is isolated: else
 * the words around it would change places.
 *
 * @param longest maximum length
 */
export function plainText(text: string, longest = usualLength): string {
  const safe = ellipsize(oneLine(text).replaceAll(/(?<=[\]$])\(/gu, '\u200b('), longest);
  return rightToLeft.test(safe) ? `\u2068${safe}\u2069` : safe;
}

/** Names a task in messages by the beginning of its prompt. */
export function taskName({ request }: Task): string {
  return plainText(ellipsize(oneLine(request.prompt), nameLength));
}
