import { type Dirent, readFile as readWithCallback, type Stats } from 'node:fs';
import { lstat, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';

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
