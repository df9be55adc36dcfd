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
export const styleLanguages: ReadonlySet<string> = new Set([
  'css',
  'scss',
  'sass',
  'less',
  'stylus',
  'postcss',
]);
