import { masked } from './masked.ts';
import { mentionsPlaceholders, placeholderAt } from './placeholders.ts';
import type { Reference } from './reference.ts';
import { scanAsciiDoc } from './scanAsciiDoc.ts';
import { scanMarkdown, withoutMarkdownCode } from './scanMarkdown.ts';
import { scanMarkup } from './scanMarkup.ts';
import { scanFrontMatter, scanModules } from './scanModules.ts';
import { scanStrings } from './scanStrings.ts';
import { scanStyles, styleComments, styleLineComments } from './scanStyles.ts';

type Scan = (text: string) => Reference[];

const markupComments = /<!--[^]*?(?:-->|$)/gu;
/** Not those in `image/*` or a pattern of files. */
const blockComments = /((?:^|[\s{}()[\];,=:>]))\/\*[^]*?(?:\*\/|$)/gu;
const lineComments = /((?:^|[\s{}();,]))\/\/.*/gmu;

const scanAll =
  (...scans: readonly Scan[]): Scan =>
  (text) =>
    scans.flatMap((scan) => scan(text));

const scanPage: Scan = (text) => scanAll(scanMarkup, scanStyles)(masked(text, markupComments));
const withoutComments = (text: string): string =>
  masked(masked(masked(text, markupComments), blockComments), lineComments);
// What markup says of a string counts for more than what is around it.
const scanComponent: Scan = (text) =>
  scanAll(scanStrings, scanMarkup, scanStyles, scanModules)(withoutComments(text));
/** Which files a script names is not known: only what is a placeholder everywhere. */
const scanScript: Scan = (text) =>
  mentionsPlaceholders(text)
    ? scanAll(scanStrings, scanMarkup)(withoutComments(text)).filter(({ address }) => placeholderAt(address))
    : [];
const scanProse: Scan = (text) => {
  const prose = masked(withoutMarkdownCode(text), markupComments);
  return [...scanFrontMatter(text), ...scanAll(scanMarkdown, scanMarkup)(prose)];
};
const scanSheet: Scan = (text) => scanStyles(masked(text, styleComments));
const scanNestedSheet: Scan = (text) => scanSheet(masked(text, styleLineComments));

/** How the documents of a language are read, by VS Code's id of it. */
const scans: Readonly<Record<string, Scan>> = {
  markdown: scanProse,
  mdx: (text) => [...scanProse(text), ...scanModules(withoutMarkdownCode(text))],
  html: scanPage,
  vue: scanComponent,
  svelte: scanComponent,
  astro: scanComponent,
  javascriptreact: scanComponent,
  typescriptreact: scanComponent,
  javascript: scanScript,
  typescript: scanScript,
  json: scanScript,
  css: scanSheet,
  postcss: scanSheet,
  scss: scanNestedSheet,
  less: scanNestedSheet,
  asciidoc: scanAsciiDoc,
};

/** Languages by the extensions of their files, where nothing but the name tells the language. */
const byExtension: Readonly<Record<string, string>> = {
  md: 'markdown',
  markdown: 'markdown',
  html: 'html',
  htm: 'html',
  jsx: 'javascriptreact',
  tsx: 'typescriptreact',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  json: 'json',
  css: 'css',
  scss: 'scss',
  less: 'less',
  mdx: 'mdx',
  vue: 'vue',
  svelte: 'svelte',
  astro: 'astro',
  pcss: 'postcss',
  adoc: 'asciidoc',
  asciidoc: 'asciidoc',
};

/**
 * Returns the language as which a document is read; undefined where it is not.
 *
 * @param id VS Code's, which is that of plain text where no extension knows the language
 * @param path of the file
 */
export function languageOf(id: string, path: string): string | undefined {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(scans, id)
    ? id
    : Object.hasOwn(byExtension, extension)
      ? byExtension[extension]
      : undefined;
}

/**
 * Finds the places of a document that name an image, in order and each once.
 *
 * @param language VS Code's id; documents of other languages name none
 */
export function findReferences(text: string, language: string | undefined): Reference[] {
  const found = (language === undefined ? undefined : scans[language]?.(text)) ?? [];
  const once = new Map(found.map((reference) => [reference.start, reference]));
  return [...once.values()].toSorted((one, other) => one.start - other.start);
}
