import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those that it is to lie in, one after the other: Node's own `recursive` goes on for ever where a
 * folder that is there takes none, as in `/proc`.
 *
 * @throws Error of the operating system
 */
export async function makeFolder(path: string): Promise<void> {
  const parent = dirname(path);
  if (parent !== path && !(await isFolder(parent))) {
    await makeFolder(parent);
  }
  try {
    await mkdir(path);
  } catch (error) {
    // Another process may have been faster.
    if (!(await isFolder(path))) {
      throw error;
    }
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
