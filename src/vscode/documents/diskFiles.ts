import { isUtf8 } from 'node:buffer';
import * as vscode from 'vscode';
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
import { fileUri } from '../../common/fileUris.ts';
import { renameAtOnce } from '../../common/heldFiles.ts';
import { readRegular, requireSize } from '../../common/regularFile.ts';
import { fileTrouble } from '../../common/fileErrors.ts';
import { isLimnerError } from '../../common/limnerError.ts';
import { withTemporaryFile } from '../../engine/files/publishOnDisk.ts';

/** Encoding declaration of pages and style sheets, and the number of first bytes to search for it. */
const declaration = /<meta[^>]{0,200}\bcharset\s*=\s*["']?\s*([\w-]+)|^@charset "([\w-]+)"/iu;
const declarationReach = 1024;
/** Number of first bytes in which VS Code takes a zero for a sign of UTF-16. */
const zeroReach = 512;
/** Encodings in which VS Code writes a byte order mark even to files without one. */
const marked = /^utf(?:8bom|16)/u;

/** File in an encoding that loses nothing: writing it back changes only what was edited. */
export class FileText {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly #encoding: string;
  /** Length of a byte order mark that the file doesn't have, in bytes. */
  readonly #mark: number;

  /** @param encoding VS Code's name of it @returns undefined if it loses characters */
  static async of(bytes: Uint8Array, encoding: string): Promise<FileText | undefined> {
    const text = await vscode.workspace.decode(bytes, { encoding });
    const written = await vscode.workspace.encode(text, { encoding });
    const mark = marked.test(encoding) ? Math.max(0, written.length - bytes.length) : 0;
    return Buffer.compare(written.subarray(mark), bytes) === 0
      ? new FileText(bytes, text, encoding, mark)
      : undefined;
  }

  private constructor(bytes: Uint8Array, text: string, encoding: string, mark: number) {
    this.bytes = bytes;
    this.text = text;
    this.#encoding = encoding;
    this.#mark = mark;
  }

  /** Encodes another text; undefined if the encoding lacks some of its characters. */
  async bytesOf(text: string): Promise<Uint8Array | undefined> {
    const options = { encoding: this.#encoding };
    const written = (await vscode.workspace.encode(text, options)).subarray(this.#mark);
    return (await vscode.workspace.decode(written, options)) === text ? written : undefined;
  }
}

/** Returns the encoding that a file declares, by VS Code's name. */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const [, page, sheet] =
    declaration.exec(Buffer.from(bytes.subarray(0, declarationReach)).toString('latin1')) ?? [];
  return (page ?? sheet)?.replaceAll(/[-_]/gu, '').toLowerCase();
}

/**
 * Decodes a file that isn't open as VS Code would, or else as the file declares.
 *
 * @returns the text, and whether characters are lost
 */
export async function decodeFile(
  uri: vscode.Uri,
  languageId: string,
  bytes: Uint8Array,
): Promise<{ text: string; isLossy: boolean }> {
  if (isUtf8(bytes)) {
    return { text: await decodeAsSet(uri, languageId, bytes), isLossy: false };
  }
  const text = await vscode.workspace.decode(bytes, { uri });
  const encoding = isWhole(text) ? undefined : declaredEncoding(bytes);
  const declared = encoding === undefined ? text : await vscode.workspace.decode(bytes, { encoding });
  return isWhole(declared) ? { text: declared, isLossy: false } : { text, isLossy: true };
}

/**
 * Decodes the common case here: VS Code asks the window about the encoding of each file, which is slow for thousands.
 */
async function decodeAsSet(uri: vscode.Uri, languageId: string, bytes: Uint8Array): Promise<string> {
  const files = vscode.workspace.getConfiguration('files', { uri, languageId });
  return files.get('encoding') === 'utf8' &&
    files.get('autoGuessEncoding') !== true &&
    !bytes.subarray(0, zeroReach).includes(0)
    ? new TextDecoder().decode(bytes)
    : vscode.workspace.decode(bytes, { uri });
}

function isWhole(text: string): boolean {
  return !text.includes('\uFFFD');
}

/** Callback version: that of `node:fs/promises` takes 1.5 times as long for thousands of files. */
const readFromDisk = promisify(readWithCallback);

/** Returns the properties of a file. Files on disk are read directly: VS Code asks the window about each file. */
export async function statFile(uri: vscode.Uri): Promise<vscode.FileStat> {
  if (uri.scheme !== 'file') {
    return vscode.workspace.fs.stat(uri);
  }
  // A broken link exists, too: nothing else can get its name.
  const found = await stat(uri.fsPath).catch(async () => lstat(uri.fsPath));
  const { size, mtimeMs, ctimeMs } = found;
  return { type: typeOf(found), size, mtime: mtimeMs, ctime: ctimeMs };
}

export async function readFile(uri: vscode.Uri): Promise<Uint8Array> {
  return uri.scheme === 'file' ? readFromDisk(uri.fsPath) : vscode.workspace.fs.readFile(uri);
}

/**
 * Reads a file that wasn't listed. A repository's link may lead to a device or a generated file without an end.
 *
 * @param most maximum number of bytes
 */
export async function readAtMost(uri: vscode.Uri, most: number): Promise<Uint8Array> {
  if (uri.scheme === 'file') {
    return readRegular(uri.fsPath, most);
  }
  requireSize((await vscode.workspace.fs.stat(uri)).size, most);
  return vscode.workspace.fs.readFile(uri);
}

/** Error codes for a folder in which a new file can't be created, although an existing one can be changed. */
const shut = new Set<unknown>(['denied', 'readOnly', 'nameTooLong']);

/**
 * Replaces the contents that a file had when it was read. On disk, only another program can interfere between the last
 * check and the write. A full disk leaves the file unchanged, and so does a process that ends meanwhile, wherever the
 * file can be replaced by a new one.
 *
 * @param isStill whether to continue; called right before the last check
 * @returns whether the contents were replaced; false if the file has changed
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

/** Lists the contents of a folder. Links are listed as links. */
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

/** On Windows, some cloud providers list each file and folder as a link. */
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
