import { access, constants, lstat, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rm } from '../../common/disk/heldFiles.ts';
import { asSaveError, fileTrouble, saveFailed } from '../../common/fileErrors.ts';
import { nameWindowsLacks } from './fileNames.ts';
import { makeFolder } from '../../common/disk/folders.ts';
import { isSameFile, pathOfUri } from '../../common/disk/fileUris.ts';
import { pinFolder } from '../../common/disk/pinnedFolder.ts';
import type { SaveTarget } from '../task.ts';

/**
 * Checks, before anything is paid for, that a target on disk is a writable folder inside its root. The root of a
 * workspace is never made: when that is gone, it was moved or removed.
 *
 * @throws LimnerError `save_failed`; nothing was billed
 */
export async function prepareFolder(target: SaveTarget): Promise<void> {
  if (!target.folder.startsWith('file:')) {
    return;
  }
  const name = unusableName(pathOfUri(target.folder));
  if (name !== undefined) {
    throw saveFailed(`Windows can't use "${name}" as the name of a folder.`, 'no');
  }
  try {
    if (isSameFile(target.folder, target.root)) {
      await makeFolder(pathOfUri(target.folder));
    }
    await inFolder(target, makeTrialFile);
  } catch (error) {
    throw saveFailed(asSaveError(error).message, 'no', error);
  }
}

/**
 * Returns the part of a folder's path that is no name where this runs. Elsewhere than on Windows, people may have folders
 * as they like; agents may not (`src/agents/places.ts`), whose folders travel with a project.
 */
export function unusableName(path: string): string | undefined {
  return process.platform === 'win32' ? nameWindowsLacks(path) : undefined;
}

/** An obstacle to files in a folder on disk, and where it is. */
export interface FolderProblem {
  kind: 'file' | 'inFile' | 'noDisk' | 'readOnly';
  path: string;
}

/**
 * Checks whether files can be made in a folder on disk or, as long as it doesn't exist, in the one that it is made in.
 *
 * @param probe rejects with the system's error where they can't: `checkRights` writes nothing, `makeTrialFile` also finds
 * what a folder's rights don't say
 * @throws Error of the operating system when it is something else, such as a full disk
 */
export async function folderProblem(
  path: string,
  probe: (folder: string) => Promise<void>,
): Promise<FolderProblem | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) {
      return { kind: 'file', path };
    }
  } catch (error) {
    switch (fileTrouble(error)) {
      case 'gone':
        return dirname(path) === path ? { kind: 'noDisk', path } : folderProblem(dirname(path), probe);
      case 'notFolder':
        return { kind: 'inFile', path };
      case 'denied':
        return { kind: 'readOnly', path };
      default:
        throw error;
    }
  }
  try {
    await probe(path);
    return undefined;
  } catch (error) {
    switch (fileTrouble(error)) {
      case 'denied':
      case 'readOnly':
      case 'gone':
        return { kind: 'readOnly', path };
      default:
        throw error;
    }
  }
}

/** Name of the empty file by which a folder is tried: always the same, so that what a crash left is removed. */
export const trialFile = '.limner.trial';

/** Rejects where nobody may make files in a folder, as far as its rights say; writes nothing. */
export async function checkRights(folder: string): Promise<void> {
  await access(folder, constants.W_OK | constants.X_OK);
}

/** Makes a file and removes it: a folder's rights don't say everything on every system. */
export async function makeTrialFile(folder: string): Promise<void> {
  const file = join(folder, trialFile);
  try {
    await (await open(file, 'wx')).close();
  } catch (error) {
    // Left by a crash, or of another window that tries the same folder: to remove it shows as much.
    if (fileTrouble(error) !== 'exists') {
      throw error;
    }
  }
  await rm(file, { force: true });
}

/** Whether the root of a target exists: a workspace may have been moved or removed. */
export async function rootExists(target: SaveTarget): Promise<boolean> {
  try {
    return (await stat(pathOfUri(target.root))).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Does something in the folder of a target, made if missing, and surely inside the root.
 *
 * @param work is given the path by which the folder is that one whatever becomes of its name meanwhile
 */
export async function inFolder<T>(target: SaveTarget, work: (path: string) => Promise<T>): Promise<T> {
  const root = pathOfUri(target.root);
  const folder = pathOfUri(target.folder);
  const pinned = await pinFolder(root, folder);
  if (!pinned) {
    throw saveFailed(`The folder ${folder} leads outside ${root}.`);
  }
  try {
    return await work(pinned.path);
  } finally {
    await pinned.close();
  }
}

/** Whether anything is at this path, a broken link included. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    const trouble = fileTrouble(error);
    if (trouble === 'gone' || trouble === 'notFolder') {
      return false;
    }
    throw error;
  }
}
