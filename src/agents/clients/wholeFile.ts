import { randomUUID } from 'node:crypto';
import { chmod, readFile, readlink, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isGone } from '../../common/fileErrors.ts';
import { rename, rm } from '../../common/heldFiles.ts';

/**
 * Writes a text file as a whole, unless it is written already: other programs find the old or the new contents. A link
 * stays, and a file that exists keeps its mode.
 *
 * @param mode of a new file
 * @throws Error of the operating system
 */
export async function writeWhole(path: string, content: string, mode = 0o644): Promise<void> {
  const target = await ledTo(path);
  const existing = await stat(target).catch(unlessGone);
  if (existing && (await readFile(target, 'utf8')) === content) {
    return;
  }
  const part = `${target}.${randomUUID()}`;
  try {
    await writeFile(part, content, { mode: existing?.mode ?? mode });
    if (existing) {
      await chmod(part, existing.mode);
    }
    await rename(part, target);
  } finally {
    await rm(part, { force: true });
  }
}

/** Returns where a path leads, also by links to a file that does not exist yet. */
async function ledTo(path: string): Promise<string> {
  const real = await realpath(path).catch(unlessGone);
  if (real !== undefined) {
    return real;
  }
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : ledTo(resolve(dirname(path), link));
}

/** @throws the error, unless it says that there is no such file */
function unlessGone(error: unknown): undefined {
  if (!isGone(error)) {
    throw error;
  }
}
