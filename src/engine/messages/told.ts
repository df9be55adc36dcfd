import { firstSentence, sentencesText } from '../../common/text.ts';
import { spokenLanguage } from './language.ts';

type Texts = Record<string, string>;

/** A text with values, and what tells it from others before a pattern does. */
interface Template {
  key: string;
  parts: string[];
  /** Number of its own letters. */
  letters: number;
  pattern: RegExp | undefined;
}

/** End of the keys of texts that are kept in English, in the translations (`scripts/texts.ts`). */
const keptMark = '/kept';
const placeholder = /\{(\d+)\}/gu;
const sentenceEnd = /[.!?] /gu;
/** The fewest letters of its own by which a text with values is known again: "{0}: {1}" would match anything. */
const fewestLetters = 5;
/** Longer texts are for the most part not Limner's own, in characters. */
const longest = 4000;
/** How deep a text may lie in others. */
const deepest = 4;
/** Number of texts that are remembered with their translations. */
const mostRemembered = 500;

const known = new WeakMap<Texts, { templates: Template[]; told: Map<string, string> }>();

/**
 * Returns a text that was kept in English (`src/common/english.ts`) in the language that is spoken, with the texts in
 * it. What has no translation stays as it is, such as paths and the service's own words.
 */
export function told(text: string): string {
  const { texts } = spokenLanguage();
  if (text.length > longest || Object.keys(texts).length === 0) {
    return text;
  }
  const { told: before } = vocabularyOf(texts);
  const remembered = before.get(text);
  if (remembered !== undefined) {
    return remembered;
  }
  const found = inTexts(text, texts) ?? foundIn(text, texts, '') ?? text;
  if (before.size >= mostRemembered) {
    before.clear();
  }
  before.set(text, found);
  return found;
}

/** As `told`, but only the first sentence, without its period. */
export function firstTold(text: string): string {
  const all = told(text);
  // Where only the first sentence is known, it is by its period.
  return firstSentence(all === text ? told(`${firstSentence(text)}.`) : all);
}

function vocabularyOf(texts: Texts): { templates: Template[]; told: Map<string, string> } {
  const before = known.get(texts);
  if (before) {
    return before;
  }
  const templates = Object.keys(texts)
    .filter((key) => key.includes('{0}'))
    .map((key): Template => {
      const parts = key.replace(keptMark, '').split(/\{\d+\}/u);
      return { key, parts, letters: parts.join('').replaceAll(/\P{L}/gu, '').length, pattern: undefined };
    });
  const vocabulary = { templates, told: new Map<string, string>() };
  known.set(texts, vocabulary);
  return vocabulary;
}

/** Returns the translation of a text that was kept, or of its sentences from the first one on. */
function inTexts(text: string, texts: Texts, depth = 0): string | undefined {
  if (depth > deepest) {
    return undefined;
  }
  return (
    foundIn(text, texts, keptMark, depth, false) ??
    sentenceBySentence(text, texts, depth) ??
    foundIn(text, texts, keptMark, depth)
  );
}

/** Tries the longest beginning first. */
function sentenceBySentence(text: string, texts: Texts, depth: number): string | undefined {
  for (const { index } of [...text.matchAll(sentenceEnd)].toReversed()) {
    const [first, rest] = [text.slice(0, index + 1), text.slice(index + 2)];
    const begun = foundIn(first, texts, keptMark, depth, false);
    if (begun !== undefined) {
      return sentencesText([begun, inTexts(rest, texts, depth + 1) ?? rest]);
    }
  }
  return undefined;
}

/**
 * Returns the translation of the text that has most in common with one, with its values.
 *
 * @param mark end of the keys of texts that count
 * @param isLong whether a value may hold several sentences
 */
function foundIn(text: string, texts: Texts, mark: string, depth = 0, isLong = true): string | undefined {
  const whole = texts[text + mark];
  if (whole !== undefined) {
    return whole;
  }
  let best: { template: Template; values: string[] } | undefined;
  for (const template of vocabularyOf(texts).templates) {
    const { key, parts, letters } = template;
    if (
      letters > (best?.template.letters ?? fewestLetters - 1) &&
      key.endsWith(keptMark) === (mark === keptMark) &&
      parts.every((part) => text.includes(part))
    ) {
      template.pattern ??= new RegExp(
        `^${parts.map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`)).join('([^]+?)')}$`,
        'u',
      );
      const [, ...values] = template.pattern.exec(text) ?? [];
      if (values.length > 0 && (isLong || values.every((value) => !/[.!?] /u.test(value)))) {
        best = { template, values };
      }
    }
  }
  if (!best) {
    return undefined;
  }
  const { template, values } = best;
  const places = [...template.key.matchAll(placeholder)].map(([, place]) => place);
  return texts[template.key]?.replaceAll(placeholder, (_, place: string) => {
    const value = values[places.indexOf(place)] ?? '';
    return inTexts(value, texts, depth + 1) ?? value;
  });
}
