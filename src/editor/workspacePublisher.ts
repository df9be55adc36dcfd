import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import * as vscode from 'vscode';
import type { Publisher } from '../tasks/ports.ts';
import type { SaveTarget } from '../tasks/task.ts';

/** Publishes into folders that are not on disk, through the file system provider of their scheme. */
export class WorkspacePublisher implements Publisher {
  async publish(incoming: string, target: SaveTarget, name: string): Promise<string> {
    await vscode.workspace.fs.createDirectory(vscode.Uri.parse(target.folder, true));
    for (let attempt = 1; ; attempt++) {
      const uri = numbered(target, name, attempt);
      try {
        await vscode.workspace.fs.copy(vscode.Uri.file(incoming), uri, { overwrite: false });
        return uri.toString();
      } catch (error) {
        if (!(error instanceof vscode.FileSystemError && error.code === 'FileExists')) {
          throw error;
        }
      }
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

/** The name with `-2`, `-3` … from the second attempt on. */
function numbered(target: SaveTarget, name: string, attempt: number): vscode.Uri {
  const extension = extname(name);
  const stem = basename(name, extension);
  return vscode.Uri.joinPath(
    vscode.Uri.parse(target.folder, true),
    attempt === 1 ? name : `${stem}-${attempt}${extension}`,
  );
}
