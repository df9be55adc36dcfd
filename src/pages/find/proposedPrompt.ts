import type { ImageWords } from '../scan/reference.ts';
import { saysNothing } from './fillers.ts';

/** Names without any information about the image. */
const empty =
  /^(?:todo|fixme|placeholder|dummy|image|img|photo|picture|pic|screenshot|untitled|unnamed|file|new|default|test|temp|tmp|copy|\d+|[\da-f]{7,})$/u;

/** Proposes a prompt from an image's words in its document and its file name; empty if neither says anything. */
export function proposedPrompt(words: ImageWords, path: string): string {
  const { alt, title, caption, below, heading } = words;
  const said = [alt, caption, title].find((one) => !saysNothing(one));
  if (said !== undefined) {
    return said;
  }
  const name = below?.replace(/, (.*)$/u, (detail) => (saysNothing(detail) ? '' : detail));
  const around = saysNothing(name) ? heading : name;
  return [wordsOfName(path), around].filter((one) => one !== undefined && one !== '').join(': ');
}

/** Returns the words in a file's name, without its size or number. */
function wordsOfName(path: string): string {
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/u, '');
  const words = stem
    .replaceAll(/@\dx|\d{2,4}\s?[x×]\s?\d{2,4}/gu, ' ')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '' && !empty.test(word.toLowerCase()));
  return words.some((word) => /\p{L}{2}|[^\p{ASCII}]/u.test(word)) ? words.join(' ').toLowerCase() : '';
}
