import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { rm } from '../../common/disk/heldFiles.ts';
import { publishBytesOnDisk } from '../../tasks/files/publishOnDisk.ts';
import { prepareFolder } from '../../tasks/files/targetFolder.ts';
import { WorkspacePublisher } from './workspacePublisher.ts';

/**
 * Makes a file of bytes, whole or not at all, under the first free name of `name`, `name-2` …
 *
 * @param home where they are put together for a folder that is not on disk
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
