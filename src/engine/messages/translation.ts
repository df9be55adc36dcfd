import { createRequire } from 'node:module';
import type { Language } from './language.ts';

/**
 * Returns a translation, which ships beside the bundles: its texts in the order of the English ones, which are not repeated
 * in each language; empty where one is missing. Node reads both files once for all bundles of a process.
 *
 * @param tag as VS Code names languages: `de`, `pt-br`, `zh-tw`
 * @returns undefined where there is none that can be read
 */
export function translation(tag: string): Language | undefined {
  const read: (file: string) => unknown = createRequire(import.meta.url);
  try {
    const keys = read('./texts.json');
    const texts = read(`./texts.${tag}.json`);
    return isTexts(keys) && isTexts(texts) && keys.length === texts.length
      ? {
          tag,
          texts: Object.fromEntries(
            keys.flatMap((key, index) => (texts[index] ? [[key, texts[index]]] : [])),
          ),
        }
      : undefined;
  } catch {
    return undefined;
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
