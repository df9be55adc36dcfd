import {
  chmodSync,
  closeSync,
  type Dirent,
  ftruncateSync,
  lstatSync,
  openSync,
  readFile as readWithCallback,
  readFileSync,
  realpathSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { lstat, opendir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { fileUri } from '../../../common/disk/fileUris.ts';
import { renameAtOnce } from '../../../common/disk/heldFiles.ts';
import { readRegular, requireSize } from '../../../common/disk/regularFile.ts';
import { fileTrouble } from '../../../common/fileErrors.ts';
import { isLimnerError } from '../../../common/limnerError.ts';
import { withTemporaryFile } from '../../../tasks/files/publishOnDisk.ts';

/** Of thousands of files, that of `node:fs/promises` takes half as much time again. */
const readFromDisk = promisify(readWithCallback);

/** Returns the properties of a file. On disk it is looked up from here: VS Code asks the window about each file. */
export async function statFile(uri: vscode.Uri): Promise<vscode.FileStat> {
  if (uri.scheme !== 'file') {
    return vscode.workspace.fs.stat(uri);
  }
  // A link that leads nowhere is there, too: nothing else gets its name.
  const found = await stat(uri.fsPath).catch(async () => lstat(uri.fsPath));
  const { size, mtimeMs, ctimeMs } = found;
  return { type: typeOf(found), size, mtime: mtimeMs, ctime: ctimeMs };
}

/** As `statFile`, for what is in a file. */
export async function readFile(uri: vscode.Uri): Promise<Uint8Array> {
  return uri.scheme === 'file' ? readFromDisk(uri.fsPath) : vscode.workspace.fs.readFile(uri);
}

/**
 * As `readFile`, for what is at a path that nobody has listed: a link of a repository may lead to a device, or to what is
 * made up as it is read, and neither has an end.
 *
 * @param most bytes that it may have
 */
export async function readAtMost(uri: vscode.Uri, most: number): Promise<Uint8Array> {
  if (uri.scheme === 'file') {
    return readRegular(uri.fsPath, most);
  }
  requireSize((await vscode.workspace.fs.stat(uri)).size, most);
  return vscode.workspace.fs.readFile(uri);
}

/** Why no other file can be made beside one that can be changed. */
const shut = new Set<unknown>(['denied', 'readOnly', 'nameTooLong']);

/**
 * Puts new contents in the place of those that a file had when it was read. On disk nothing but another program comes
 * between the last look and the writing; a disk that is full leaves the file as it was, and so does a process that ends
 * meanwhile, wherever a new file can take its place.
 *
 * @param isStill whether that is still to be done; asked right before the last look
 * @returns whether it did; not where the file has other contents by now
 * @throws LimnerError `save_failed`, or the error of VS Code or Node
 */
export async function replaceContents(
  uri: vscode.Uri,
  before: Uint8Array,
  after: Uint8Array,
  isStill: () => boolean,
): Promise<boolean> {
  if (uri.scheme !== 'file') {
    const isSame = Buffer.compare(await vscode.workspace.fs.readFile(uri), before) === 0 && isStill();
    await (isSame && vscode.workspace.fs.writeFile(uri, after));
    return isSame;
  }
  const folderUri = fileUri(dirname(uri.fsPath));
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
      replace(join(folder, basename(uri.fsPath)), temporary),
    );
  } catch (error) {
    if (!isLimnerError(error) || !shut.has(fileTrouble(error.cause))) {
      throw error;
    }
    return replace(uri.fsPath);
  }
}

/** Returns what is in a file. @throws Error of the operating system where it may not be written */
function readToChange(path: string): Uint8Array {
  const file = openSync(path, 'r+');
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Puts a file in the place of another, unless that is more than its own contents under its one name. */
function takesPlace(temporary: string, path: string): boolean {
  try {
    const [made, there] = [lstatSync(temporary), lstatSync(path)];
    const isAlike = there.isFile() && there.nlink === 1 && there.uid === made.uid && there.gid === made.gid;
    // Where names in both cases mean one file, it would get the other name.
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

/** Lists what is in a folder, as `statFile` looks files up; links are told as links. */
export async function* entriesOf(
  folder: vscode.Uri,
): AsyncGenerator<readonly [name: string, type: vscode.FileType]> {
  if (folder.scheme !== 'file') {
    yield* await vscode.workspace.fs.readDirectory(folder);
    return;
  }
  for await (const entry of await opendir(folder.fsPath)) {
    yield [entry.name, await typeOfEntry(entry)];
  }
}

/** On Windows each file and folder of some clouds is listed as a link, though it is itself what it says. */
async function typeOfEntry(entry: Dirent): Promise<vscode.FileType> {
  return process.platform === 'win32' && entry.isSymbolicLink()
    ? typeOf(await lstat(join(entry.parentPath, entry.name)).catch(() => entry))
    : typeOf(entry);
}

function typeOf(entry: Dirent | Stats): vscode.FileType {
  return entry.isFile()
    ? vscode.FileType.File
    : entry.isDirectory()
      ? vscode.FileType.Directory
      : entry.isSymbolicLink()
        ? vscode.FileType.SymbolicLink
        : vscode.FileType.Unknown;
}
