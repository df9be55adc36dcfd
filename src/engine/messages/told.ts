import { sentencesText } from '../../common/text.ts';
import { spokenLanguage } from './language.ts';

const placeholder = /\{(\d+)\}/gu;
const betweenSentences = /(?<=[.!?]) (?=\p{Lu})/u;
/** The fewest letters of its own by which a text with values is known again: "{0}: {1}" would match anything. */
const fewestLetters = 5;

/**
 * Returns a text that was kept in English (`src/common/english.ts`) in the language that is spoken, with the texts in
 * it. What has no translation stays as it is, such as the service's own words.
 */
export function told(text: string): string {
  const { texts } = spokenLanguage();
  return (
    texts[text] ??
    translated(text, texts, false) ??
    sentenceBySentence(text) ??
    translated(text, texts) ??
    text
  );
}

/** Returns the sentences of a text, of which the first is known. */
function sentenceBySentence(text: string): string | undefined {
  const [first = '', ...others] = text.split(betweenSentences);
  const begun = others.length === 0 ? first : told(first);
  return begun === first ? undefined : sentencesText([begun, ...others.map(told)]);
}

/**
 * Returns the translation of the text that has most in common with one, with its values.
 *
 * @param isLong whether a value may hold several sentences
 */
function translated(text: string, texts: Record<string, string>, isLong = true): string | undefined {
  let most = fewestLetters - 1;
  let found: string | undefined;
  for (const [template, translation] of Object.entries(texts)) {
    const parts = template.split(/\{\d+\}/u);
    const letters = parts.join('').replaceAll(/\P{L}/gu, '').length;
    if (parts.length > 1 && letters > most && parts.every((part) => text.includes(part))) {
      const pattern = parts.map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`));
      const [, ...values] = new RegExp(`^${pattern.join('([^]+?)')}$`, 'u').exec(text) ?? [];
      if (values.length > 0 && (isLong || !values.some((value) => betweenSentences.test(value)))) {
        most = letters;
        const places = [...template.matchAll(placeholder)].map(([, place]) => place);
        found = translation.replaceAll(placeholder, (_, place: string) =>
          told(values[places.indexOf(place)] ?? ''),
        );
      }
    }
  }
  return found;
}
