import type { Words } from './reference.ts';

/** Names that tell nothing of what is shown. */
const empty =
  /^(?:todo|fixme|placeholder|dummy|image|img|photo|picture|pic|screenshot|untitled|unnamed|file|new|default|test|temp|tmp|copy|\d+|[\da-f]{7,})$/u;

/**
 * Proposes a prompt for an image, from what its document says of it and what its file is called; empty if neither tells
 * anything.
 *
 * @param path of the file
 */
export function proposedPrompt({ alt, title, caption, heading }: Words, path: string): string {
  const said = [alt, caption, title].find((words) => words !== undefined && !isFileName(words));
  if (said !== undefined) {
    return said;
  }
  const name = wordsOfName(path);
  return [name, heading].filter((words) => words !== undefined && words !== '').join(': ');
}

/** Whether words are only the name of a file, as some editors put it into the alternative text. */
function isFileName(words: string): boolean {
  return words === '' || /^\S+\.(?:png|jpe?g|webp|gif|svg)$/iu.test(words);
}

/** Returns the words in a file's name, without what says its size or number. */
function wordsOfName(path: string): string {
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/u, '');
  return stem
    .replaceAll(/@\dx|\d{2,4}\s?[x×]\s?\d{2,4}/gu, ' ')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '' && !empty.test(word.toLowerCase()))
    .join(' ')
    .toLowerCase();
}
