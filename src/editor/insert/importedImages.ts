import { posix } from 'node:path';
import { element, type ReferencedImage } from './imageReference.ts';

/** A statement that a document needs for a reference in it. */
export interface NeededImport {
  /** Where it goes, in UTF-16 units, and what. Empty where it is there already. */
  at: number;
  text: string;
}

/** How the documents of a language import images. */
interface ComponentLanguage {
  /** What is right before a module's statements; its beginning, without it. */
  start?: RegExp;
  /** Returns the attribute by which an image is shown, where the document shows none yet and it is known. */
  source?: (name: string) => string;
  /** Whether an element of HTML without content is closed, too. */
  isClosed: boolean;
}

const inBraces = (name: string): string => `src={${name}}`;
const jsx: ComponentLanguage = { source: inBraces, isClosed: true };

const languages = new Map<string, ComponentLanguage>([
  ['javascriptreact', jsx],
  ['typescriptreact', jsx],
  // What is imported is an address to some of the tools that build its pages, and an object to others.
  [
    'mdx',
    {
      start: /^(?:\uFEFF?---[ \t]*\r?\n(?:[^]{0,20000}?\r?\n)??---[ \t]*(?=\r?\n|$))?/gu,
      isClosed: true,
    },
  ],
  // What other scripts import, their templates do not know.
  [
    'vue',
    { start: /<script\s[^<>]*\bsetup\b[^<>]*>/gu, source: (name) => `:src="${name}"`, isClosed: false },
  ],
  ['svelte', { start: /<script\b[^<>]*>/gu, source: inBraces, isClosed: false }],
  ['astro', { start: /^\uFEFF?\s*---/gu, source: (name) => inBraces(`${name}.src`), isClosed: false }],
]);

/** What a module begins with: comments, directives, and imports. */
const opening =
  /\s+|\/\/.*|\/\*[^]*?\*\/|(?:import\b(?:[^"'`;]*?\bfrom)?\s*)?(["'])[^"'\n]*\1(?:[ \t]*with[ \t]*\{[^}]*\})?[ \t]*;?/guy;
/** `import fox from './fox.png';` */
const imageImport =
  /^import\s+([\w$]+)\s+from\s+(["'])([^"'\n]+\.(?:png|jpe?g|webp|avif|gif|svg))\2[^;]*(;?)$/iu;
/** A comment that ends a statement's line, and may say something to a tool about it. */
const commentBeside = /[ \t]*(?:\/\/.*|\/\*.*?\*\/(?=[ \t]*$))/muy;

interface ImageImport {
  name: string;
  path: string;
  quote: string;
  /** A semicolon, or nothing. */
  end: string;
  /** Where the statement ends, with a comment on its line, and how far to the right it begins. */
  at: number;
  indentation: string;
}

/**
 * Returns the element that shows an image by the name under which it is imported, where a component imports its images;
 * undefined where it does not. The component's own images are the model for both.
 *
 * @param text of the document
 * @param image by its path as a module
 * @param taken statements that it is about to get, whose names are taken
 */
export function importedReference(
  languageId: string,
  text: string,
  image: ReferencedImage,
  taken = '',
): { text: string; address: string; needs: NeededImport } | undefined {
  const language = languages.get(languageId);
  const imports = language ? importsIn(text, language) : [];
  const last = imports.at(-1);
  if (!language || !last) {
    return undefined;
  }
  const from = image.path;
  const known = imports.find(({ path }) => path === from)?.name;
  const name = known ?? unusedName(text + taken, from);
  const shown = shownAs(name, image, text, imports, language);
  if (shown === undefined) {
    return undefined;
  }
  const { quote, end, indentation } = last;
  const statement = `\n${indentation}import ${name} from ${quote}${from}${quote}${end}`;
  return {
    text: shown,
    address: from,
    needs: { at: last.at, text: known === undefined ? statement : '' },
  };
}

function importsIn(text: string, { start }: ComponentLanguage): ImageImport[] {
  const starts = start ? [...text.matchAll(start)].map(({ index, 0: { length } }) => index + length) : [0];
  return starts.flatMap((from) => {
    opening.lastIndex = from;
    return [...text.matchAll(opening)].flatMap(({ index, 0: statement }) => {
      const [, name = '', quote = '"', path = '', end = ''] = imageImport.exec(statement) ?? [];
      const [indentation = ''] = /[ \t]*$/u.exec(text.slice(Math.max(0, index - 100), index)) ?? [];
      const after = index + statement.length;
      commentBeside.lastIndex = after;
      const at = after + (commentBeside.exec(text)?.[0].length ?? 0);
      return name === '' ? [] : [{ name, path, quote, end, at, indentation }];
    });
  });
}

/**
 * Returns an element for an image as a component has one for another image that it imports; undefined where it has none
 * and the language has no usual one.
 */
function shownAs(
  name: string,
  image: ReferencedImage,
  text: string,
  imports: readonly ImageImport[],
  { source, isClosed }: ComponentLanguage,
): string | undefined {
  const names = imports.map((one) => one.name.replaceAll('$', String.raw`\$`)).join('|');
  const usual = new RegExp(
    String.raw`<(img|[\w.-]*(?:Image|Img|Picture))\s(?:[^<>]{0,1000}\s)?((?:v-bind)?:src="|src=\{)(?:${names})(\.[\w.]+)?(["}])`,
    'u',
  );
  const [, tag = 'img', before, member = '', after = ''] = usual.exec(text) ?? [];
  const attribute = before === undefined ? source?.(name) : `${before}${name}${member}${after}`;
  return attribute && element(attribute, image, isClosed || tag !== 'img', tag);
}

/** Returns a name for an image that a component does not use yet, from that of its file. */
function unusedName(text: string, path: string): string {
  const words = posix.parse(path).name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const joined = words
    .map((word, index) => (index === 0 ? word.toLowerCase() : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join('');
  const name = /^\p{L}/u.test(joined) ? joined : `image${joined}`;
  const isUsed = (one: string): boolean => new RegExp(`(?<![\\w$])${one}(?![\\w$])`, 'u').test(text);
  for (let number = 1; ; number++) {
    // Any language has words that are no names: none of them ends so.
    const one = number === 1 ? `${name}Image` : `${name}Image${number}`;
    if (!isUsed(one)) {
      return one;
    }
  }
}
