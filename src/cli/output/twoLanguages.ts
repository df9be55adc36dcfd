import { english, inLanguage, spokenLanguage } from '../../engine/messages/language.ts';

/** What makes a text in the language that is spoken, by the text in English. */
const makers = new Map<string, () => string>();

/**
 * Returns the text of an error in English: programs and agents read that, and the task list keeps it. `forUser` finds it
 * again in the user's language.
 */
export function inEnglish(make: () => string): string {
  const text = inLanguage(english, make);
  if (spokenLanguage() !== english) {
    makers.set(text, make);
  }
  return text;
}

/** Returns the text of an error in the language that is spoken, where it is one of the command line's own. */
export function forUser(text: string): string {
  return makers.get(text)?.() ?? text;
}
