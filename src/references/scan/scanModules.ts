import { namesImage } from '../addresses.ts';
import type { Reference, Words } from '../reference.ts';
import { wordsFrom } from '../words.ts';

/** What follows is the path of a file, in JavaScript and TypeScript. */
const imports =
  /(?<![\w$.])(?:(?:from|import)\s*\(?\s*|require(?:\.resolve)?\s*\(\s*|new\s+URL\s*\(\s*)(?:"([^"\\\n]{1,2000})"|'([^'\\\n]{1,2000})')/dgu;
/** `image: ./hero.png` at the beginning of a page. */
const frontMatter = /^\uFEFF?---[ \t]*\r?\n([^]{0,20000}?)^---[ \t]*$/dmu;
const frontMatterValues =
  /^[ \t-]*[\w-]+:[ \t]*(?:"([^"\\\n]+)"|'([^'\n]+)'|([^\s"'#[{][^\n#]*?))[ \t]*$/dgmu;
/** Keys of front matter that say what the page shows. */
const altValue = /^[ \t-]*(?:image_?alt|alt|coverAlt|heroAlt|imageAlt):[ \t]*["']?([^"'\n]+)/mu;
const titleValue = /^title:[ \t]*["']?([^"'\n]+)/mu;

/** Finds the images that a module imports. @param text without comments */
export function scanModules(text: string): Reference[] {
  return [...text.matchAll(imports)].flatMap(({ indices }) =>
    referencesAt(text, indices?.[1] ?? indices?.[2], {}),
  );
}

/** Returns the front matter of a page: where its lines are in the text. */
export function frontMatterOf(text: string): [start: number, end: number] | undefined {
  const found = /^\uFEFF?---/u.test(text) ? frontMatter.exec(text) : null;
  return found?.indices?.[1];
}

/** Finds the images that the front matter of a page names. */
export function scanFrontMatter(text: string): Reference[] {
  const [from, to] = frontMatterOf(text) ?? [0, 0];
  const lines = text.slice(from, to);
  const words = wordsFrom({ alt: altValue.exec(lines)?.[1], heading: titleValue.exec(lines)?.[1] });
  return [...lines.matchAll(frontMatterValues)].flatMap(({ indices }) => {
    const [start, end] = indices?.[1] ?? indices?.[2] ?? indices?.[3] ?? [0, 0];
    return referencesAt(text, [from + start, from + end], words);
  });
}

function referencesAt(text: string, range: [number, number] | undefined, words: Words): Reference[] {
  const [start, end] = range ?? [0, 0];
  const address = text.slice(start, end);
  return !namesImage(address, 'path') ? [] : [{ address, start, end, notation: 'path', words, size: {} }];
}
