import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The project, which is also the extension under development. */
export const projectFolder = resolve(import.meta.dirname, '../..');

/** Editors and browsers fetched for the tests; not kept in git, shared by all runs. */
export const cacheFolder = join(projectFolder, '.vscode-test');

/** What builds and runs leave behind; not kept in git. */
export const outFolder = join(projectFolder, 'out');

/** Returns the files that match a pattern, by their paths from a folder: with slashes on every platform. */
export function filesLike(pattern: string, folder = projectFolder): string[] {
  return globSync(pattern, { cwd: folder, exclude: ['**/node_modules'] }).map((file) =>
    file.replaceAll('\\', '/'),
  );
}
