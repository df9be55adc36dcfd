const longest = 300;

/**
 * Foreign text (a prompt, the service's words) for a message: on one line, not endless, and with no Markdown link in
 * it, since a click on a `command:` link in a notification would run the command.
 */
export function plainText(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('](', ']\u200b(').trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
