/** Returns a text with a full stop, unless it ends as a sentence does. */
export function asSentence(text: string): string {
  return text === '' || /[.!?…。！？]["'”’)\]]?$/u.test(text) ? text : `${text}.`;
}
