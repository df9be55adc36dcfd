import { isUtf8 } from 'node:buffer';
import * as vscode from 'vscode';
import { readFile as readWithCallback } from 'node:fs';
import { promisify } from 'node:util';
import { readRegular, requireSize } from '../../common/regularFile.ts';
import { replaceContentsOnDisk } from '../../engine/files/replaceContents.ts';
import { type FileKind, filesOnDisk, type PageFiles } from '../../pages/find/references.ts';

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

/**
 * Replaces the contents that a file had when it was read, as `replaceContentsOnDisk`.
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
  if (uri.scheme === 'file') {
    return replaceContentsOnDisk(uri.fsPath, before, after, isStill);
  }
  const isSame = Buffer.compare(await vscode.workspace.fs.readFile(uri), before) === 0 && isStill();
  await (isSame && vscode.workspace.fs.writeFile(uri, after));
  return isSame;
}

/** Reaches the files of a file system. Those on disk are read directly: VS Code asks the window about each file. */
export function filesOf(root: vscode.Uri): PageFiles {
  const { fs } = vscode.workspace;
  return root.scheme === 'file'
    ? filesOnDisk((path) => root.with({ path }).fsPath)
    : {
        async stat(path) {
          const { type, size, mtime } = await fs.stat(root.with({ path }));
          const isOf = (other: vscode.FileType): boolean => (type & other) !== 0;
          return {
            isFile: isOf(vscode.FileType.File),
            isFolder: isOf(vscode.FileType.Directory),
            size,
            mtime,
          };
        },
        read: async (path, most) => readAtMost(root.with({ path }), most),
        async *entries(path) {
          for (const [name, type] of await fs.readDirectory(root.with({ path }))) {
            yield [name, kinds.get(type) ?? 'other'];
          }
        },
      };
}

const kinds = new Map<vscode.FileType, FileKind>([
  [vscode.FileType.File, 'file'],
  [vscode.FileType.Directory, 'folder'],
  [vscode.FileType.SymbolicLink, 'link'],
]);
