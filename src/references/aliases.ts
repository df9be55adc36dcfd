import { posix } from 'node:path';
import type { Layout } from './places.ts';

/** Files that say what the beginning of an import stands for. */
export const aliasFiles = [
  'tsconfig.json',
  'jsconfig.json',
  'vite.config.ts',
  'vite.config.js',
  'vite.config.mjs',
] as const;

/** Strings, which stay, and comments. */
const stringsAndComments =
  /("(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\.|[^`\\])*`?)|\/\*[^]*?(?:\*\/|$)|\/\/.*/gu;
/** `"@/*": ["./src/*"]`. */
const paths = /"([^"*\n]+)\*"\s*:\s*\[\s*"([^"*\n]*)\*"/gu;
const baseUrl = /"baseUrl"\s*:\s*"([^"\n]*)"/u;
/** `'@': fileURLToPath(new URL('./src', import.meta.url))`, `'@': path.resolve(__dirname, '..', 'src')`, `'@': '/src'`. */
const bundlerAliases = /\balias\s*:\s*\{([^{}]{0,4000})\}/u;
/** Where an alias of them begins, and its name. */
const names = /(?<=(?:^|,)\s*)(?:'([^'\n]{1,200})'|"([^"\n]{1,200})"|([\w$]+))\s*:/gu;
/** `[{ find: '@', replacement: '/src' }]`, in a list of them. */
const aliasList = /\balias\s*:\s*\[([^]{0,4000})/u;
const listedAlias =
  /\{\s*find\s*:\s*(?:'([^'\n]{1,200})'|"([^"\n]{1,200})")\s*,\s*replacement\s*:([^{}]{0,400})\}/gu;
const strings = /'([^'\n]{0,200})'|"([^"\n]{0,200})"/gu;
/** What only a program can tell. */
const computed = /[?|&`$]/u;

/**
 * Reads aliases of the kind that are plain to read.
 *
 * @param text of one of `aliasFiles`
 * @param folder absolute path of its folder, with slashes
 */
export function aliasesIn(text: string, file: string, folder: string): Layout['aliases'] {
  const code = text.replaceAll(stringsAndComments, '$1');
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
