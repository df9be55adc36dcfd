import type { Words } from './reference.ts';

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
};

/** Returns what a person reads of a piece of markup: without tags, entities, and marks of emphasis. */
export function plainWords(markup: string): string {
  return markup
    .replaceAll(/<[^<>]*>/gu, ' ')
    .replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/gu, (entity) => entities[entity] ?? entity)
    .replaceAll(/\\([!-/:-@[-`{-~])/gu, '$1')
    .replaceAll(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])?/gu, '$1')
    .replaceAll(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

const kinds = ['alt', 'title', 'caption', 'heading'] as const;

/** Returns what is said of an image, in plain words, without what says nothing. @param said pieces of markup */
export function wordsFrom(said: Readonly<Partial<Record<keyof Words, string | undefined>>>): Words {
  const words: Words = {};
  for (const kind of kinds) {
    const plain = plainWords(said[kind] ?? '');
    if (plain !== '') {
      words[kind] = plain;
    }
  }
  return words;
}
