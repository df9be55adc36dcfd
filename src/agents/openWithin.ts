import type { FileHandle } from 'node:fs/promises';
import { openWayInto, pathOfUri, wayInto } from '../common/disk/fileUris.ts';
import { openRegular } from '../common/disk/regularFile.ts';
import { fileTrouble } from '../common/fileErrors.ts';
import { checkWay, type Root } from './places.ts';

/**
 * Opens a file on disk and uses it, if what was opened lies in one of these folders: a path that was checked before may
 * be a link by now.
 *
 * @param most bytes that it may have
 * @returns undefined when there is no such file
 * @throws LimnerError `invalid_request` for a file elsewhere, UnreadableFile, Error of the operating system
 */
export async function openWithin<T>(
  uri: string,
  roots: readonly Root[],
  use: (file: FileHandle) => Promise<T>,
  most?: number,
): Promise<T | undefined> {
  const path = pathOfUri(uri);
  const root = roots.find((one) => wayInto(one.uri, uri) !== undefined);
  let file: FileHandle;
  try {
    file = await openRegular(path, most);
  } catch (error) {
    if (fileTrouble(error) === 'gone') {
      return undefined;
    }
    throw error;
  }
  try {
    const way = root && (await openWayInto(pathOfUri(root.uri), path, file));
    checkWay(way, (root && wayInto(root.uri, uri)) ?? path);
    return await use(file);
  } finally {
    await file.close();
  }
}
