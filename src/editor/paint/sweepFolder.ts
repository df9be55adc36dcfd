import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Deletes files from a folder of Limner's own storage once they are older than `kept`, in milliseconds.
 *
 * @param isNeeded which of these old files stay all the same
 */
export async function sweepFolder(
  folder: string,
  kept: number,
  isNeeded: (name: string) => boolean = () => false,
): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    try {
      if ((await stat(path)).mtimeMs < Date.now() - kept && !isNeeded(name)) {
        await rm(path, { recursive: true, force: true });
      }
    } catch {
      // Another window removed it, or it cannot be removed; whatever remains is swept next time.
    }
  }
}

/** Returns the names of the files in a folder, which may be missing. */
export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
