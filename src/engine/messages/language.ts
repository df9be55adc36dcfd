import * as l10n from '@vscode/l10n';

/** A language in which Limner can talk. */
export interface Language {
  /** Its BCP 47 tag, for dates, numbers, and lists. */
  tag: string;
  /** Its texts, by the English ones; what is missing stays English. */
  texts: Record<string, string>;
}

export const english: Language = { tag: 'en', texts: {} };

let spoken = english;

/** Says everything in a language from now on. Each bundle has its own; those of the window follow VS Code. */
export function speak(language: Language): void {
  spoken = language;
  l10n.config({ contents: language.texts });
}

/** Returns the language that is spoken. */
export function spokenLanguage(): Language {
  return spoken;
}

/** Returns what `make` says in a language; before and afterwards, another may be spoken. */
export function inLanguage<T>(language: Language, make: () => T): T {
  const before = spoken;
  speak(language);
  try {
    return make();
  } finally {
    speak(before);
  }
}

/** Returns what `make` says in English, for what is kept, or read by programs and agents (`told` is for people). */
export function inEnglish<T>(make: () => T): T {
  return inLanguage(english, make);
}
