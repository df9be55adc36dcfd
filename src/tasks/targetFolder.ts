import { access, constants, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asSaveError, isSystemError, saveFailed } from './saveErrors.ts';
import type { SaveTarget } from './task.ts';

/**
 * Makes sure, before anything is paid for, that a target on disk is a folder that can be written and lies inside its
 * root. The root of a workspace is never made: when that is gone, it was moved or removed.
 *
 * @throws LimnerError `save_failed`; nothing was billed
 */
export async function prepareFolder(target: SaveTarget): Promise<void> {
  if (!target.folder.startsWith('file:')) {
    return;
  }
  try {
    if (target.folder === target.root) {
      await mkdir(fileURLToPath(target.folder), { recursive: true });
    }
    await access(await resolveFolder(target), constants.W_OK);
  } catch (error) {
    throw saveFailed(asSaveError(error).message, 'no', error);
  }
}

/** Whether the folder that everything must stay inside is there: a workspace may have been moved or removed. */
export async function rootExists(target: SaveTarget): Promise<boolean> {
  try {
    return (await stat(fileURLToPath(target.root))).isDirectory();
  } catch {
    return false;
  }
}

/** The target folder with links resolved, made if missing, and surely inside the root. */
export async function resolveFolder(target: SaveTarget): Promise<string> {
  const root = await realpath(fileURLToPath(target.root));
  const wanted = fileURLToPath(target.folder);
  let existing = wanted;
  while (!(await exists(existing))) {
    existing = dirname(existing);
  }
  // Looked at before anything is made, so that nothing is made outside.
  assertInside(root, await realpath(existing), wanted);
  await mkdir(wanted, { recursive: true });
  const folder = await realpath(wanted);
  assertInside(root, folder, wanted);
  return folder;
}

function assertInside(root: string, folder: string, wanted: string): void {
  const path = relative(root, folder);
  if (path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) {
    throw saveFailed(`The folder ${wanted} leads outside of ${root}.`);
  }
}

/** Whether there is anything under this path, a broken link included. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
      return false;
    }
    throw error;
  }
}
