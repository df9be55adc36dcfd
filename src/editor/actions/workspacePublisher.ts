import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import * as vscode from 'vscode';
import { fileTrouble } from '../../common/fileErrors.ts';
import { LimnerError } from '../../common/limnerError.ts';
import { messageOf } from '../../common/messageOf.ts';
import type { Publisher } from '../../tasks/ports.ts';
import type { SaveTarget } from '../../tasks/task.ts';

/** Publishes into folders that are not on disk, through the file system provider of their scheme. */
export class WorkspacePublisher implements Publisher {
  /**
   * Copies the bytes under a temporary name, which then becomes the final one: the file is complete or not there at
   * all.
   */
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

/** Returns the name with `-2`, `-3` … from the second attempt on. */
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
      return vscode.l10n.t("The folder isn't writable.");
    case 'gone':
    case 'notFolder':
      return vscode.l10n.t('The folder no longer exists.');
    case 'unavailable':
      return vscode.l10n.t('The folder is temporarily unavailable.');
    default:
      return messageOf(error);
  }
}
