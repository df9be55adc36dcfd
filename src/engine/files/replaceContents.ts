import {
  chmodSync,
  closeSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileTrouble } from '../../common/fileErrors.ts';
import { fileUri } from '../../common/fileUris.ts';
import { renameAtOnce } from '../../common/heldFiles.ts';
import { isLimnerError } from '../../common/limnerError.ts';
import { withTemporaryFile } from './publishOnDisk.ts';

/** Error codes for a folder in which a new file can't be created, although an existing one can be changed. */
const shut = new Set<unknown>(['denied', 'readOnly', 'nameTooLong']);

/**
 * Replaces the contents that a file on disk had when it was read. Only another program can interfere between the last
 * check and the write. A full disk leaves the file unchanged, and so does a process that ends meanwhile, wherever the
 * file can be replaced by a new one.
 *
 * @param isStill whether to continue; called right before the last check
 * @returns whether the contents were replaced; false if the file has changed
 * @throws LimnerError `save_failed`, or the error of Node
 */
export async function replaceContentsOnDisk(
  file: string,
  before: Uint8Array,
  after: Uint8Array,
  isStill: () => boolean,
): Promise<boolean> {
  const folderUri = fileUri(dirname(file));
  const target = { folder: folderUri, root: folderUri, fileName: '' };
  const replace = (path: string, temporary?: string): boolean => {
    const isSame = isStill() && Buffer.compare(readToChange(path), before) === 0;
    if (isSame && (temporary === undefined || !takesPlace(temporary, path))) {
      overwrite(path, before, after);
    }
    return isSame;
  };
  try {
    return await withTemporaryFile(after, target, async (folder, temporary) =>
      replace(join(folder, basename(file)), temporary),
    );
  } catch (error) {
    if (!isLimnerError(error) || !shut.has(fileTrouble(error.cause))) {
      throw error;
    }
    return replace(file);
  }
}

/** Reads a file. @throws Error of the operating system if it isn't writable */
function readToChange(path: string): Uint8Array {
  const file = openSync(path, 'r+');
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Replaces a file with another, unless the old one has more links or another owner. */
function takesPlace(temporary: string, path: string): boolean {
  try {
    const [made, there] = [lstatSync(temporary), lstatSync(path)];
    const isAlike = there.isFile() && there.nlink === 1 && there.uid === made.uid && there.gid === made.gid;
    // On a file system that ignores case, the file would get the other name.
    if (!isAlike || basename(realpathSync.native(path)) !== basename(path)) {
      return false;
    }
    chmodSync(temporary, there.mode);
    renameAtOnce(temporary, path);
    return true;
  } catch {
    return false;
  }
}

function overwrite(path: string, before: Uint8Array, after: Uint8Array): void {
  const file = openSync(path, 'r+');
  try {
    writeWhole(file, after);
  } catch (error) {
    writeWhole(file, before);
    throw error;
  } finally {
    closeSync(file);
  }
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) {
    at += writeSync(file, bytes, at, bytes.length - at, at);
  }
  ftruncateSync(file, bytes.length);
}
