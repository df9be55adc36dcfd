import { readFile, stat } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { copyFile } from '../../common/heldFiles.ts';
import { nameOf, readOwn, statOf } from '../window/files.ts';
import { gitObject, gitPlace, type GitVersion, openGit } from './gitVersions.ts';
import { longestPointer, objectPath, pointedObject } from './largeFiles.ts';
import { refuse } from './refusal.ts';

/** Keeps a file by its name for a while. @param write makes it where it isn't there yet */
export type Keep = (name: string, write: (path: string) => Promise<void>) => Promise<vscode.Uri>;

/**
 * Returns the file with the bytes of a version: those that Git has are kept beside Limner's own, and a pointer of Git LFS
 * is followed to its object.
 *
 * @returns undefined for one that isn't there
 * @throws LimnerError `invalid_request` for one that can't be read, `unsupported_image` for a pointer that leads nowhere
 */
export async function fileOf(version: GitVersion, keep: Keep): Promise<vscode.Uri | undefined> {
  const { uri } = version;
  const extension = extname(uri.path).toLowerCase();
  const file = uri.scheme === 'git' ? await ofGit(version, extension, keep) : uri;
  const size = file && (await sizeOf(file));
  if (!file || size === undefined) {
    return undefined;
  }
  const object = size <= longestPointer ? pointedObject(await bytesOf(file)) : undefined;
  // Only the disk of the working tree has the objects of Git LFS.
  if (object === undefined || !['file', 'git'].includes(uri.scheme)) {
    return file;
  }
  const path = await objectPath(uri.fsPath, object, (await openGit())?.git.path);
  if (path === undefined) {
    throw missing(version);
  }
  return keep(`${object}${extension}`, async (to) => copyFile(path, to));
}

/**
 * Returns the size of a file; undefined if it isn't there. Of hundreds of files on disk, VS Code would tell it more slowly
 * than the disk.
 */
export async function sizeOf(file: vscode.Uri): Promise<number | undefined> {
  if (file.scheme !== 'file') {
    return (await statOf(file))?.size;
  }
  const found = await stat(file.fsPath).catch(() => undefined);
  return found?.isFile() === true ? found.size : undefined;
}

/** Reads a file whose size `sizeOf` knows. */
export async function bytesOf(file: vscode.Uri): Promise<Uint8Array> {
  return file.scheme === 'file' ? readFile(file.fsPath) : readOwn(file);
}

async function ofGit({ uri }: GitVersion, extension: string, keep: Keep): Promise<vscode.Uri | undefined> {
  const object = await gitObject(uri);
  return object && keep(`${object.id}${extension}`, async (to) => object.write(to));
}

/** Says that a version isn't there. */
export function gone({ uri, name }: GitVersion): Error {
  const file = nameOf(uri);
  return refuse(
    'invalid_request',
    file === name ? l10n.t('{0} was not found.', file) : l10n.t('{0} ({1}) was not found.', file, name),
  );
}

/** Says how to get what a pointer stands for: Limner itself fetches nothing, and runs nothing. */
function missing({ uri, name }: GitVersion): Error {
  const ref = uri.scheme === 'git' ? gitPlace(uri).ref : '';
  const command = /^[\da-f]{40,}$/u.test(ref) ? `git lfs fetch origin ${ref}` : 'git lfs pull';
  return refuse(
    'unsupported_image',
    l10n.t(
      "{0} ({1}) is a pointer of Git LFS, and its image isn't on this computer. This gets it: {2}",
      nameOf(uri),
      name,
      command,
    ),
    vscode.workspace.isTrusted
      ? [{ title: l10n.t('Open Terminal'), run: async () => openTerminal(uri, command) }]
      : [],
  );
}

/** Types a command in a terminal, for the user to run. */
async function openTerminal(uri: vscode.Uri, command: string): Promise<void> {
  const terminal = vscode.window.createTerminal({ cwd: dirname(uri.fsPath) });
  terminal.show();
  terminal.sendText(command, false);
  return Promise.resolve();
}
