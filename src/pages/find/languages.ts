/** How an image is written into documents of a language; others get its path. */
export type Writing = 'markdown' | 'html' | 'jsx' | 'css' | 'latex' | 'asciidoc' | 'restructuredtext';

/** Further facts: documents name files rather than addresses of a site, or are pages, which may have social cards. */
type Trait = 'prose' | 'page';

/** A language of documents. */
export interface Language {
  /** Extensions of its files, in lower case: VS Code may know the language only with an extension of its own. */
  extensions: readonly string[];
  writing: Writing | undefined;
  traits: readonly Trait[];
}

const language = (
  extensions: readonly string[],
  writing?: Writing,
  ...traits: readonly Trait[]
): Language => ({ extensions, writing, traits });

/** Languages in which Limner reads documents, by VS Code's ids. `scans.ts` has their readers. */
const readLanguages = {
  markdown: language(['md', 'markdown'], 'markdown', 'prose', 'page'),
  mdx: language(['mdx'], 'markdown', 'prose', 'page'),
  asciidoc: language(['adoc', 'asciidoc'], 'asciidoc', 'prose'),
  html: language(['html', 'htm'], 'html', 'page'),
  astro: language(['astro'], 'html', 'page'),
  vue: language(['vue'], 'html'),
  svelte: language(['svelte'], 'html'),
  javascriptreact: language(['jsx'], 'jsx'),
  typescriptreact: language(['tsx'], 'jsx'),
  javascript: language(['js', 'mjs', 'cjs']),
  typescript: language(['ts', 'mts', 'cts']),
  json: language(['json']),
  css: language(['css'], 'css'),
  scss: language(['scss'], 'css'),
  less: language(['less'], 'css'),
  postcss: language(['pcss'], 'css'),
};

export type ReadLanguage = keyof typeof readLanguages;

/** All languages. Images are only inserted into documents of the later ones. */
const languages: Readonly<Record<string, Language>> = {
  ...readLanguages,
  'vue-html': language([], 'html'),
  php: language([], 'html'),
  razor: language([], 'html'),
  handlebars: language([], 'html'),
  sass: language([], 'css'),
  stylus: language([], 'css'),
  latex: language([], 'latex'),
  tex: language([], 'latex'),
  restructuredtext: language([], 'restructuredtext'),
};

/** Returns what is known of a language. @param id VS Code's */
export function languageBy(id: string): Language | undefined {
  return Object.hasOwn(languages, id) ? languages[id] : undefined;
}

/**
 * Returns the language for reading a document; undefined if it is not read.
 *
 * @param id VS Code's; plain text if no extension knows the language
 * @param path of the file
 */
export function languageOf(id: string, path: string): string | undefined {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return isRead(id)
    ? id
    : Object.keys(readLanguages).find((one) => languageBy(one)?.extensions.includes(extension));
}

function isRead(id: string): boolean {
  return Object.hasOwn(readLanguages, id);
}

/** Returns the language in which an image is written into a document: VS Code's id, if Limner knows no better. */
export function writingLanguageOf(id: string, path: string): string {
  return languageBy(id) ? id : (languageOf(id, path) ?? id);
}

/** Returns the ids of languages, and a pattern of their files. */
export function documentsIn(
  isMeant: (language: Language, isRead: boolean) => boolean,
): (string | { pattern: string })[] {
  const meant = Object.entries(languages).filter(([id, one]) => isMeant(one, isRead(id)));
  const extensions = meant.flatMap(([, one]) => one.extensions);
  return [...meant.map(([id]) => id), { pattern: `**/*.{${extensions.join(',')}}` }];
}
