import { ellipsize } from '../../common/text.ts';

const usualLength = 300;

/** Removes line breaks, control characters, and bidirectional marks. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
}

/**
 * Makes foreign text, such as a prompt, safe for a message: one line, truncated, and without Markdown links, since a
 * click on a `command:` link in a notification would run the command.
 *
 * @param longest maximum length
 */
export function plainText(text: string, longest = usualLength): string {
  return ellipsize(oneLine(text).replaceAll('](', ']\u200b('), longest);
}
