import * as vscode from 'vscode';
import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { isGone } from '../../common/fileErrors.ts';
import { isSameFile, wayInto } from '../../common/fileUris.ts';

let folders: readonly vscode.Uri[] = [];

export function setOwnFolders(own: readonly vscode.Uri[]): void {
  folders = own;
}

/** Whether a file is Limner's own, such as a pasted image. */
export function isOwn(file: vscode.Uri): boolean {
  return isAmong(folders)(file.toString());
}

/**
 * Returns a stamp that changes whenever a file does. Files on disk are read directly: VS Code asks the window, which
 * asks the machine that this runs on.
 *
 * @throws the error of VS Code or Node if the file can't be reached
 */
export async function versionOf(uri: vscode.Uri): Promise<string> {
  const { mtime, size } =
    uri.scheme === 'file' ? await stat(uri.fsPath) : await vscode.workspace.fs.stat(uri);
  return `${Number(mtime)}-${size}`;
}

export async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  return vscode.workspace.fs.stat(uri).then(undefined, () => undefined);
}

export async function readIfThere(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  return readOwn(uri).catch((error: unknown) => {
    if (isGone(error)) {
      return undefined;
    }
    throw error;
  });
}

/**
 * Reads a file into memory of the caller's own: another extension may keep the bytes that it returns. A file on disk
 * without a size reads as empty, since a link may lead to a device or pipe without an end.
 */
export async function readOwn(uri: vscode.Uri): Promise<Uint8Array> {
  const { fs } = vscode.workspace;
  if (uri.scheme !== 'file') {
    return new Uint8Array(await fs.readFile(uri));
  }
  return (await fs.stat(uri)).size === 0 ? new Uint8Array() : fs.readFile(uri);
}

export function nameOf({ path }: vscode.Uri): string {
  return posix.basename(path);
}

/** Returns the location of a file for the user: its path on disk, else its URI. */
export function pathOf(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.toString(true);
}

/** Returns a test for files, as URI strings in any notation, that are among these or below them. */
export function isAmong(uris: readonly vscode.Uri[]): (file: string) => boolean {
  const among = uris.map(String);
  return (file) => among.some((uri) => wayInto(uri, file) !== undefined);
}

/** Whether two URIs name the same file: VS Code itself uses several notations. */
export function isSame(one: vscode.Uri, other: vscode.Uri): boolean {
  return isSameFile(one.toString(), other.toString());
}
