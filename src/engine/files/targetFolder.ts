import { access, constants, lstat, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as english from '../../common/english.ts';
import { rm } from '../../common/heldFiles.ts';
import { asSaveError, fileTrouble, saveFailed } from '../../common/fileErrors.ts';
import { nameWindowsLacks } from '../task/fileNames.ts';
import { makeFolder, pinFolder } from '../../common/folders.ts';
import { isSameFile, pathOfUri } from '../../common/fileUris.ts';
import type { SaveTarget } from '../task/task.ts';

/**
 * Checks, before anything is billed, that a target on disk is a writable folder inside its root. A missing workspace
 * root was moved or removed, and is never created.
 *
 * @throws LimnerError `save_failed`; nothing was billed
 */
export async function prepareFolder(target: SaveTarget): Promise<void> {
  if (!target.folder.startsWith('file:')) {
    return;
  }
  const name = unusableName(pathOfUri(target.folder));
  if (name !== undefined) {
    throw saveFailed(english.t(`Windows can't use "{0}" as the name of a folder.`, name), 'no');
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
 * Returns the part of a folder's path that is not a valid name on this system. Except on Windows, users may name
 * folders freely. Agents may not (`src/agents/tools/workspacePaths.ts`), since their folders travel with a project.
 */
export function unusableName(path: string): string | undefined {
  return process.platform === 'win32' ? nameWindowsLacks(path) : undefined;
}

export interface FolderProblem {
  kind: 'file' | 'inFile' | 'noDisk' | 'readOnly';
  path: string;
}

/**
 * Checks whether files can be created in a folder on disk or, if it does not exist, in its nearest existing parent.
 *
 * @param probe rejects with the system's error if they can't: `checkRights` writes nothing, `makeTrialFile` also finds
 *   restrictions that the folder's rights don't show
 * @throws Error of the operating system for any other problem, such as a full disk
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

/** Name of the empty trial file, always the same so that one left by a crash is removed. */
export const trialFile = '.limner.trial';

/** Rejects if the rights of a folder forbid creating files; writes nothing. */
export async function checkRights(folder: string): Promise<void> {
  await access(folder, constants.W_OK | constants.X_OK);
}

/** Creates a file and removes it, since a folder's rights don't show everything on every system. */
export async function makeTrialFile(folder: string): Promise<void> {
  const file = join(folder, trialFile);
  try {
    await (await open(file, 'wx')).close();
  } catch (error) {
    // A crash or another window left the file. Removing it proves the same.
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
 * Runs work in the folder of a target, which is created if missing and lies inside the root.
 *
 * @param work gets a path that leads to this folder even if it is renamed meanwhile
 */
export async function inFolder<T>(target: SaveTarget, work: (path: string) => Promise<T>): Promise<T> {
  const root = pathOfUri(target.root);
  const folder = pathOfUri(target.folder);
  const pinned = await pinFolder(root, folder);
  if (!pinned) {
    throw saveFailed(english.t('The folder {0} leads outside {1}.', folder, root));
  }
  try {
    return await work(pinned.path);
  } finally {
    await pinned.close();
  }
}

/** Whether this path exists, even as a broken link. */
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
