import type { Reference } from '../scan/reference.ts';
import { readingOf } from './reading.ts';

/** Maximum length of a document, in UTF-16 units: longer ones are generated, and would block everything else. */
export const maxLength = 2_000_000;

/** Whether a file is a test by its name: it names images that it expects rather than shows. */
export function isTestFile(path: string): boolean {
  return /\.(?:test|spec)\.\w+$/iu.test(path);
}

/**
 * Finds the positions in a document that name an image, in order and each once.
 *
 * @param language VS Code's id; documents of other languages name none
 */
export function findReferences(text: string, language: string | undefined): readonly Reference[] {
  return readingOf(text, language).references;
}
