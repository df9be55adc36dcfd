import type { Reference } from './reference.ts';
import { readingOf } from './reading.ts';
import { scans } from './scan/scans.ts';

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

/** Whether a file is a test by its name: what it names, it expects rather than shows. */
export function isTestFile(path: string): boolean {
  return /\.(?:test|spec)\.\w+$/iu.test(path);
}

/**
 * Finds the places of a document that name an image, in order and each once.
 *
 * @param language VS Code's id; documents of other languages name none
 */
export function findReferences(text: string, language: string | undefined): readonly Reference[] {
  return readingOf(text, language).references;
}
