import type { Words } from './reference.ts';

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
};

/** What a template, or a program, puts in its place when it runs. */
const computed = /\{[^]*\}|<%|<\?|\$\(/u;
/** What names a heading, as some kinds of Markdown have it: `{#start}`. */
const attributes = /\{[#.][\w\s#.:=-]*\}\s*$/u;

/**
 * Returns what a person reads of a piece of markup: without tags, entities, and marks of emphasis. Empty for what is
 * computed, even in part.
 */
export function plainWords(markup: string): string {
  const words = markup.replace(attributes, '');
  if (computed.test(words)) {
    return '';
  }
  return words
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
