import { existsSync, globSync } from 'node:fs';
import { join, parse, sep } from 'node:path';
import { wholePath } from '../setup/wholePath.ts';

/**
 * Returns the files that arguments mean, each once: a pattern such as `*.png` stands for all that it matches, as the
 * shells of Windows pass it on. One that is the name of a file, or matches none, stays as it is.
 */
export function filesMeant(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => matches(wholePath(path))))];
}

/** Whether a path may be a pattern. */
export function isPattern(path: string): boolean {
  return /[*?]/u.test(path);
}

function matches(path: string): string[] {
  if (!isPattern(path) || existsSync(path)) {
    return [path];
  }
  let { root: folder } = parse(path);
  const pattern = path.slice(folder.length).split(sep);
  // Folders may have such characters in their names.
  while (pattern[0] !== undefined && existsSync(join(folder, pattern[0]))) {
    folder = join(folder, pattern.shift() ?? '');
  }
  // Brackets are letters to the shells of Windows, too.
  const found = globSync(pattern.join('/').replaceAll('[', '[[]'), { cwd: folder, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
  return found.length > 0 ? found.toSorted() : [path];
}
