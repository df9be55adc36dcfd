import { posix } from 'node:path';
import { withoutScriptComments } from './configText.ts';
import type { Layout } from './places.ts';

/** Configuration files that define the aliases of imports. */
export const aliasFiles = [
  'tsconfig.json',
  'jsconfig.json',
  'vite.config.ts',
  'vite.config.js',
  'vite.config.mjs',
] as const;

/** `"@/*": ["./src/*"]`. */
const paths = /"([^"*\n]+)\*"\s*:\s*\[\s*"([^"*\n]*)\*"/gu;
const baseUrl = /"baseUrl"\s*:\s*"([^"\n]*)"/u;
/**
 * `'@': fileURLToPath(new URL('./src', import.meta.url))`, `'@': path.resolve(__dirname, '..', 'src')`, `'@': '/src'`.
 */
const bundlerAliases = /\balias\s*:\s*\{([^{}]{0,4000})\}/u;
/** The start of an alias, and its name. */
const names = /(?<=(?:^|,)\s*)(?:'([^'\n]{1,200})'|"([^"\n]{1,200})"|([\w$]+))\s*:/gu;
/** `[{ find: '@', replacement: '/src' }]`, in a list. */
const aliasList = /\balias\s*:\s*\[([^]{0,4000})/u;
const listedAlias =
  /\{\s*find\s*:\s*(?:'([^'\n]{1,200})'|"([^"\n]{1,200})")\s*,\s*replacement\s*:([^{}]{0,400})\}/gu;
const strings = /'([^'\n]{0,200})'|"([^"\n]{0,200})"/gu;
const computed = /[?|&`$]/u;

/**
 * Reads aliases that are written literally.
 *
 * @param text of one of `aliasFiles`
 * @param folder absolute path of its folder, with slashes
 */
export function aliasesIn(text: string, file: string, folder: string): Layout['aliases'] {
  const code = withoutScriptComments(text);
  if (file.endsWith('.json')) {
    const base = posix.join(folder, baseUrl.exec(code)?.[1] ?? '.');
    return [...code.matchAll(paths)].map(([, prefix = '', target = '']) => ({
      prefix,
      folder: posix.join(base, target),
    }));
  }
  const inside = bundlerAliases.exec(code)?.[1] ?? '';
  const starts = [...inside.matchAll(names)];
  const found = starts.map(({ index, 0: whole, 1: single, 2: double, 3: bare = '' }, at) => ({
    name: single ?? double ?? bare,
    value: inside.slice(index + whole.length, starts[at + 1]?.index),
  }));
  const list = aliasList.exec(code)?.[1] ?? '';
  for (const [, single, double = '', value = ''] of list.matchAll(listedAlias)) {
    found.push({ name: single ?? double, value });
  }
  return found.flatMap(({ name, value }) => {
    const path = [...value.matchAll(strings)].map(([, single, double = '']) => single ?? double);
    const isPlain =
      path.length > 0 && !computed.test(value) && path.every((part) => /^[\w./-]+$/u.test(part));
    return isPlain
      ? [{ prefix: name.endsWith('/') ? name : `${name}/`, folder: posix.join(folder, ...path) }]
      : [];
  });
}
