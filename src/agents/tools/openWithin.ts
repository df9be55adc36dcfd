import type { FileHandle } from 'node:fs/promises';
import { openWayInto, pathOfUri, wayInto } from '../../common/fileUris.ts';
import { openRegular } from '../../common/regularFile.ts';
import { fileTrouble } from '../../common/fileErrors.ts';
import { checkWay, type Root } from './workspacePaths.ts';

/**
 * Opens a file on disk and uses it if the opened file lies in one of these folders. A path that was checked earlier may
 * have become a link.
 *
 * @param most largest size in bytes
 * @returns undefined when the file does not exist
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
