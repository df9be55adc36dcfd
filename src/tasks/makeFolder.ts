import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSystemError } from './saveErrors.ts';

/**
 * Makes a folder, and those that it is to lie in, one after the other: Node's own `recursive` goes on for ever where a
 * folder that is there takes none, as in `/proc`.
 *
 * @throws Error of the operating system
 */
export async function makeFolder(path: string): Promise<void> {
  const parent = dirname(path);
  try {
    await mkdir(path);
    return;
  } catch (error) {
    if (await isFolder(path)) {
      return;
    }
    if (!isSystemError(error) || error.code !== 'ENOENT' || (await isFolder(parent)) || parent === path) {
      throw error;
    }
  }
  await makeFolder(parent);
  await makeFolder(path);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
