import {
  closeSync,
  type Dirent,
  ftruncateSync,
  openSync,
  readFile as readWithCallback,
  readFileSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { lstat, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { readRegular, requireSize } from '../../../common/disk/regularFile.ts';

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

/**
 * Puts new contents in the place of those that a file had when it was read. On disk nothing but another program comes
 * between the last look and the writing, and a disk that is full leaves the file as it was.
 *
 * @returns whether it did; not where the file has other contents by now
 */
export async function replaceContents(
  uri: vscode.Uri,
  before: Uint8Array,
  after: Uint8Array,
): Promise<boolean> {
  if (uri.scheme !== 'file') {
    const isSame = Buffer.compare(await vscode.workspace.fs.readFile(uri), before) === 0;
    await (isSame && vscode.workspace.fs.writeFile(uri, after));
    return isSame;
  }
  const file = openSync(uri.fsPath, 'r+');
  try {
    if (Buffer.compare(readFileSync(file), before) !== 0) {
      return false;
    }
    try {
      overwrite(file, after);
    } catch (error) {
      overwrite(file, before);
      throw error;
    }
    return true;
  } finally {
    closeSync(file);
  }
}

function overwrite(file: number, bytes: Uint8Array): void {
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
