import { basename, extname } from 'node:path';
import * as vscode from 'vscode';
import type { Publisher } from '../tasks/ports.ts';
import type { SaveTarget } from '../tasks/task.ts';

/** Publishes into folders that are not on disk, through the file system provider of their scheme. */
export class WorkspacePublisher implements Publisher {
  async publish(incoming: string, target: SaveTarget, name: string): Promise<string> {
    const folder = vscode.Uri.parse(target.folder, true);
    await vscode.workspace.fs.createDirectory(folder);
    const extension = extname(name);
    const stem = basename(name, extension);
    for (let attempt = 1; ; attempt++) {
      const uri = vscode.Uri.joinPath(folder, attempt === 1 ? name : `${stem}-${attempt}${extension}`);
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
}
