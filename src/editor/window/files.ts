import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { isGone } from '../../common/fileErrors.ts';
import { isSameFile, wayInto } from '../../common/disk/fileUris.ts';

/**
 * Returns what changes whenever a file does. On disk it is looked up from here: VS Code asks the window, which asks the
 * machine that this runs on.
 *
 * @throws the error of VS Code or Node when the file cannot be reached
 */
export async function versionOf(uri: vscode.Uri): Promise<string> {
  const { mtime, size } =
    uri.scheme === 'file' ? await stat(uri.fsPath) : await vscode.workspace.fs.stat(uri);
  return `${Number(mtime)}-${size}`;
}

/** Returns the properties of a file; undefined when it cannot be reached. */
export async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  return vscode.workspace.fs.stat(uri).then(undefined, () => undefined);
}

/** Reads a file; undefined when there is none. */
export async function readIfThere(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  return readOwn(uri).catch((error: unknown) => {
    if (isGone(error)) {
      return undefined;
    }
    throw error;
  });
}

/**
 * Reads a file into memory that is the caller's own: another extension may hold what it returns for its files. What has
 * no size on disk has nothing in it: a link may lead to a device or a pipe, which nobody reads to its end.
 */
export async function readOwn(uri: vscode.Uri): Promise<Uint8Array> {
  const { fs } = vscode.workspace;
  if (uri.scheme !== 'file') {
    return new Uint8Array(await fs.readFile(uri));
  }
  return (await fs.stat(uri)).size === 0 ? new Uint8Array() : fs.readFile(uri);
}

/** Returns the name of a file without its folder. */
export function nameOf({ path }: vscode.Uri): string {
  return posix.basename(path);
}

/** Returns the location of a file as a person knows it: its path on disk, else its URI. */
export function pathOf(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.toString(true);
}

/** Returns a test for files, as URI strings in any notation, that are among these or in a folder among them. */
export function isAmong(uris: readonly vscode.Uri[]): (file: string) => boolean {
  const among = uris.map(String);
  return (file) => among.some((uri) => wayInto(uri, file) !== undefined);
}

/** Whether two URIs mean the same file: VS Code itself has folders and what is in them in several notations. */
export function isSame(one: vscode.Uri, other: vscode.Uri): boolean {
  return isSameFile(one.toString(), other.toString());
}
