import type * as vscode from 'vscode';

/** IDs of the languages whose documents show an image by more than its path. */
export const markdownLanguages: ReadonlySet<string> = new Set(['markdown', 'mdx']);
export const htmlLanguages: ReadonlySet<string> = new Set([
  'html',
  'vue',
  'vue-html',
  'svelte',
  'astro',
  'php',
  'razor',
  'handlebars',
  'javascriptreact',
  'typescriptreact',
]);
/** Of these, those in which an element is closed. */
export const componentLanguages: ReadonlySet<string> = new Set(['javascriptreact', 'typescriptreact']);
export const latexLanguages: ReadonlySet<string> = new Set(['latex', 'tex']);
export const styleLanguages: ReadonlySet<string> = new Set([
  'css',
  'scss',
  'sass',
  'less',
  'stylus',
  'postcss',
]);

/** Of the documents that are read for the images they name, those whose images VS Code itself does not show. */
export const documentsWithHovers: readonly (string | vscode.DocumentFilter)[] = [
  'html',
  'vue',
  'svelte',
  'astro',
  'javascriptreact',
  'typescriptreact',
  'css',
  'scss',
  'less',
  'postcss',
  'asciidoc',
  { pattern: '**/*.{vue,svelte,astro,pcss,adoc,asciidoc}' },
];

const prose: readonly (string | vscode.DocumentFilter)[] = ['markdown', 'mdx', { pattern: '**/*.mdx' }];

/** The documents that are read for the images they name, by their language or, where that is another one, by their name. */
export const documentsWithImages: readonly (string | vscode.DocumentFilter)[] = [
  ...prose,
  'javascript',
  'typescript',
  'json',
  ...documentsWithHovers,
  { pattern: '**/*.{md,markdown,html,htm,jsx,tsx,js,mjs,cjs,ts,mts,cts,json,css,scss,less}' },
];

/** The documents into which Limner puts images. */
export const documentsThatShowImages: readonly (string | vscode.DocumentFilter)[] = [
  ...prose,
  ...documentsWithHovers,
  ...htmlLanguages,
  ...styleLanguages,
  ...latexLanguages,
  'restructuredtext',
];
