import { randomUUID, createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { rm } from '../../common/heldFiles.ts';
import { publishBytesOnDisk } from '../../engine/files/publishOnDisk.ts';
import { prepareFolder } from '../../engine/files/targetFolder.ts';
import { basename, extname } from 'node:path';
import { fileTrouble } from '../../common/fileErrors.ts';
import { LimnerError, messageOf } from '../../common/limnerError.ts';
import type { Publisher } from '../../engine/task/ports.ts';
import type { SaveTarget } from '../../engine/task/task.ts';
import * as english from '../../common/english.ts';

/**
 * Publishes bytes as a complete file, or not at all, under the first free name of `name`, `name-2`, …
 *
 * @param home temporary location for a folder that isn't on disk
 */
export async function publishBytes(
  home: vscode.Uri,
  bytes: Uint8Array,
  folder: vscode.Uri,
  name: string,
): Promise<vscode.Uri> {
  const root = vscode.workspace.getWorkspaceFolder(folder)?.uri ?? folder;
  const target = { folder: folder.toString(), root: root.toString(), fileName: '' };
  await prepareFolder(target);
  if (folder.scheme === 'file') {
    return vscode.Uri.parse(await publishBytesOnDisk(bytes, target, name), true);
  }
  const key = randomUUID();
  const { fsPath: stagedPath } = vscode.Uri.joinPath(home, `${key}.tmp`);
  try {
    await writeFile(stagedPath, bytes, { flush: true });
    return vscode.Uri.parse(await new WorkspacePublisher().publish(stagedPath, target, name, key), true);
  } finally {
    await rm(stagedPath, { force: true });
  }
}

/** Publishes to folders that aren't on disk, through their file system provider. */
export class WorkspacePublisher implements Publisher {
  /** Copies the bytes under a temporary name, then renames the file, so that it is complete or absent. */
  async publish(stagedPath: string, target: SaveTarget, name: string, key: string): Promise<string> {
    const { fs } = vscode.workspace;
    const folder = vscode.Uri.parse(target.folder, true);
    const temporary = vscode.Uri.joinPath(folder, `.limner-${key}.tmp`);
    try {
      await fs.createDirectory(folder);
      await fs.copy(vscode.Uri.file(stagedPath), temporary, { overwrite: true });
      return await takeName(temporary, target, name);
    } catch (error) {
      await fs.delete(temporary).then(undefined, () => {});
      throw new LimnerError('save_failed', wordsFor(error), {
        phase: 'save',
        billing: 'yes',
        cause: error,
      });
    }
  }

  async find(target: SaveTarget, name: string, sha256: string): Promise<string | undefined> {
    for (let attempt = 1; ; attempt++) {
      const uri = numbered(target, name, attempt);
      let bytes: Uint8Array;
      try {
        bytes = await vscode.workspace.fs.readFile(uri);
      } catch {
        return undefined;
      }
      if (createHash('sha256').update(bytes).digest('hex') === sha256) {
        return uri.toString();
      }
    }
  }
}

/** Renames a file to the first free name. @returns its URI */
async function takeName(temporary: vscode.Uri, target: SaveTarget, name: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const uri = numbered(target, name, attempt);
    try {
      await vscode.workspace.fs.rename(temporary, uri, { overwrite: false });
      return uri.toString();
    } catch (error) {
      if (fileTrouble(error) !== 'exists') {
        throw error;
      }
    }
  }
}

function numbered(target: SaveTarget, name: string, attempt: number): vscode.Uri {
  const extension = extname(name);
  const stem = basename(name, extension);
  return vscode.Uri.joinPath(
    vscode.Uri.parse(target.folder, true),
    attempt === 1 ? name : `${stem}-${attempt}${extension}`,
  );
}

function wordsFor(error: unknown): string {
  switch (fileTrouble(error)) {
    case 'denied':
      return english.t("The folder isn't writable.");
    case 'gone':
    case 'notFolder':
      return english.t('The folder no longer exists.');
    case 'unavailable':
      return english.t('The folder is temporarily unavailable.');
    default:
      return messageOf(error);
  }
}
