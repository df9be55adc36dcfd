import { existsSync, readdirSync, readlinkSync } from 'node:fs';

const descriptors = '/proc/self/fd';

/** Returns the paths of files in a folder that this process has open; none where the system doesn't say. */
export function openFiles(folder: string): string[] {
  const all = existsSync(descriptors) ? readdirSync(descriptors) : [];
  return all.flatMap((name) => {
    try {
      const path = readlinkSync(`${descriptors}/${name}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      // The list itself was open while it was made.
      return [];
    }
  });
}
