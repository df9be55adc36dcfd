import { ellipsize } from '../../common/truncate.ts';

const longest = 300;

/** A text without line breaks, control characters and marks that turn the direction of writing around. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
}

/**
 * Foreign text (a prompt, the service's words) for a message: on one line, not endless, and with no Markdown link in
 * it, since a click on a `command:` link in a notification would run the command.
 */
export function plainText(text: string): string {
  return ellipsize(oneLine(text).replaceAll('](', ']\u200b('), longest);
}
