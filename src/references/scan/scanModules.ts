import type { Reference } from '../reference.ts';
import { pathReferences } from './pathReferences.ts';

/** What follows is the path of a file, in JavaScript and TypeScript. */
const imports =
  /(?<![\w$.])(?:(?:from|import)\s*(?:\(\s*)?|require(?:\.resolve)?\s*\(\s*|new\s+URL\s*\(\s*)(?:"([^"\\\n]{1,2000})"|'([^'\\\n]{1,2000})')/dgu;

/** Finds the images that a module imports. @param text without comments */
export function scanModules(text: string): Reference[] {
  return [...text.matchAll(imports)].flatMap(({ indices }) => {
    const [start, end] = indices?.[1] ?? indices?.[2] ?? [0, 0];
    return pathReferences(text.slice(start, end), start, {});
  });
}
