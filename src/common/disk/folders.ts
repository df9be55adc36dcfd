import { mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sweepAway } from './heldFiles.ts';

/**
 * Makes a folder and its parents, one after the other: Node's own `recursive` never ends below a folder such as
 * `/proc`.
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

/**
 * Deletes files from a folder of Limner's own storage once they are older than `kept`, in milliseconds.
 *
 * @param needed returns which of the old files are still needed; called once if there are any
 */
export async function sweepFolder(
  folder: string,
  kept: number,
  needed: () => (name: string) => boolean = () => () => false,
): Promise<void> {
  const old: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found && found.mtimeMs < Date.now() - kept) {
      old.push(name);
    }
  }
  if (old.length === 0) {
    return;
  }
  const isNeeded = needed();
  for (const name of old.filter((name) => !isNeeded(name))) {
    await sweepAway(join(folder, name));
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
