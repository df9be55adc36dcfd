import { sentencesText } from '../../common/text.ts';
import { spokenLanguage } from './language.ts';

const placeholder = /\{(\d+)\}/gu;
/** The fewest letters of its own by which a text with values is known again: "{0}: {1}" would match anything. */
const fewestLetters = 5;

/**
 * Returns a text that was kept in English (`src/common/english.ts`) in the language that is spoken, with the texts in
 * it. What has no translation stays as it is, such as the service's own words.
 */
export function told(text: string): string {
  const { texts } = spokenLanguage();
  const whole = texts[text];
  if (whole !== undefined) {
    return whole;
  }
  let most = fewestLetters - 1;
  let found: string | undefined;
  for (const [template, translation] of Object.entries(texts)) {
    const parts = template.split(/\{\d+\}/u);
    const letters = parts.join('').replaceAll(/\P{L}/gu, '').length;
    if (parts.length > 1 && letters > most && parts.every((part) => text.includes(part))) {
      const pattern = parts.map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`));
      const [, ...values] = new RegExp(`^${pattern.join('([^]+?)')}$`, 'u').exec(text) ?? [];
      if (values.length > 0) {
        most = letters;
        const places = [...template.matchAll(placeholder)].map(([, place]) => place);
        found = translation.replaceAll(placeholder, (_, place: string) =>
          told(values[places.indexOf(place)] ?? ''),
        );
      }
    }
  }
  const sentences = text.split(/(?<=[.!?]) (?=\p{Lu})/u);
  return found ?? (sentences.length > 1 ? sentencesText(sentences.map(told)) : text);
}
