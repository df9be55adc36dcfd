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

/** `"@/*": ["./src/*"]`. */
const paths = /"([^"*\n]+)\*"\s*:\s*\[\s*"([^"*\n]*)\*"/gu;
const baseUrl = /"baseUrl"\s*:\s*"([^"\n]*)"/u;
/** `'@': fileURLToPath(new URL('./src', import.meta.url))`, `'@': path.resolve(__dirname, 'src')`, `'@': '/src'`. */
const bundlerAliases = /\balias\s*:\s*\{([^{}]{0,4000})\}/u;
const bundlerAlias = /['"]([^'"\n]{1,40})['"]\s*:\s*[^\n'"]{0,100}['"]\.{0,2}\/?([\w./-]+)['"]/gu;

/**
 * Reads aliases of the kind that are plain to read.
 *
 * @param text of one of `aliasFiles`
 * @param folder absolute path of its folder, with slashes
 */
export function aliasesIn(text: string, file: string, folder: string): Layout['aliases'] {
  if (file.endsWith('.json')) {
    const base = posix.join(folder, baseUrl.exec(text)?.[1] ?? '.');
    return [...text.matchAll(paths)].map(([, prefix = '', target = '']) => ({
      prefix,
      folder: posix.join(base, target),
    }));
  }
  const inside = bundlerAliases.exec(text)?.[1] ?? '';
  return [...inside.matchAll(bundlerAlias)].map(([, prefix = '', target = '']) => ({
    prefix: prefix.endsWith('/') ? prefix : `${prefix}/`,
    folder: posix.join(folder, target),
  }));
}
