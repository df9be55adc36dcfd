import { posix } from 'node:path';
import { element, type ReferencedImage } from './imageReference.ts';

export interface NeededImport {
  /** Offset in UTF-16 units, and text, which is empty if the import exists. */
  at: number;
  text: string;
}

/** Import style of a language. */
interface ComponentLanguage {
  /** Text right before a module's statements; without it, they start the document. */
  start?: RegExp;
  /** Returns the usual attribute for an imported image, for a document without an example. */
  source?: (name: string) => string;
  /** Whether an empty HTML element is self-closing, too. */
  isClosed: boolean;
}

const inBraces = (name: string): string => `src={${name}}`;
const jsx: ComponentLanguage = { source: inBraces, isClosed: true };

const languages = new Map<string, ComponentLanguage>([
  ['javascriptreact', jsx],
  ['typescriptreact', jsx],
  // Depending on the tool that builds the pages, an import is an address or an object.
  [
    'mdx',
    {
      start: /^(?:\uFEFF?---[ \t]*\r?\n(?:[^]{0,20000}?\r?\n)??---[ \t]*(?=\r?\n|$))?/gu,
      isClosed: true,
    },
  ],
  // Templates don't see the imports of other scripts.
  [
    'vue',
    { start: /<script\s[^<>]*\bsetup\b[^<>]*>/gu, source: (name) => `:src="${name}"`, isClosed: false },
  ],
  ['svelte', { start: /<script\b[^<>]*>/gu, source: inBraces, isClosed: false }],
  ['astro', { start: /^\uFEFF?\s*---/gu, source: (name) => inBraces(`${name}.src`), isClosed: false }],
]);

/** Start of a module: comments, directives, and imports. */
const opening =
  /\s+|\/\/.*|\/\*[^]*?\*\/|(?:import\b(?:[^"'`;]*?\bfrom)?\s*)?(["'])[^"'\n]*\1(?:[ \t]*with[ \t]*\{[^}]*\})?[ \t]*;?/guy;
const imageImport =
  /^import\s+([\w$]+)\s+from\s+(["'])([^"'\n]+\.(?:png|jpe?g|webp|avif|gif|svg))\2[^;]*(;?)$/iu;
/** Comment at the end of a statement's line, which may be meant for a tool. */
const commentBeside = /[ \t]*(?:\/\/.*|\/\*.*?\*\/(?=[ \t]*$))/muy;

interface ImageImport {
  name: string;
  path: string;
  quote: string;
  end: string;
  /** End of the statement, including a comment on its line, and its indentation. */
  at: number;
  indentation: string;
}

/**
 * Returns an element that shows an image by the name of its import, if the component imports its images. The
 * component's own images are the model for both.
 *
 * @param text of the document
 * @param image by its path as a module
 * @param taken statements that will be added, whose names are taken
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
 * Returns an element like that of another imported image; undefined if there is none and the language has no usual one.
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

/** Derives an unused name for an image from its file name. */
function unusedName(text: string, path: string): string {
  const words = posix.parse(path).name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const joined = words
    .map((word, index) => (index === 0 ? word.toLowerCase() : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join('');
  const name = /^\p{L}/u.test(joined) ? joined : `image${joined}`;
  const isUsed = (one: string): boolean => new RegExp(`(?<![\\w$])${one}(?![\\w$])`, 'u').test(text);
  for (let number = 1; ; number++) {
    // Avoids reserved words: no language has one with this ending.
    const one = number === 1 ? `${name}Image` : `${name}Image${number}`;
    if (!isUsed(one)) {
      return one;
    }
  }
}
