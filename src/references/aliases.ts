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
/** A name, which has a colon behind it, or a string of its path. */
const namesAndStrings = /['"]([^'"\n]{1,200})['"](\s*:)?|(?<![\w$])([\w$]+)\s*:/gu;

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
  const found: { name: string; path: string[] }[] = [];
  const inside = bundlerAliases.exec(code)?.[1] ?? '';
  for (const [, value = '', colon, name = value] of inside.matchAll(namesAndStrings)) {
    if (colon === undefined && name === value) {
      found.at(-1)?.path.push(value);
    } else {
      found.push({ name, path: [] });
    }
  }
  return found
    .filter(({ path }) => path.length > 0 && path.every((part) => /^[\w./-]+$/u.test(part)))
    .map(({ name, path }) => ({
      prefix: name.endsWith('/') ? name : `${name}/`,
      folder: posix.join(folder, ...path),
    }));
}
