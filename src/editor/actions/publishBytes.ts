import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { rm } from '../../common/disk/heldFiles.ts';
import { publishOnDisk } from '../../tasks/files/publishOnDisk.ts';
import { hashOf } from '../../tasks/files/stagingStore.ts';
import { prepareFolder } from '../../tasks/files/targetFolder.ts';
import { WorkspacePublisher } from './workspacePublisher.ts';

/**
 * Makes a file of bytes, whole or not at all, under the first free name of `name`, `name-2` …
 *
 * @param home where they are put together
 */
export async function publishBytes(
  home: vscode.Uri,
  bytes: Uint8Array,
  folder: vscode.Uri,
  name: string,
): Promise<vscode.Uri> {
  const key = randomUUID();
  const { fsPath: stagedPath } = vscode.Uri.joinPath(home, `${key}.tmp`);
  const root = vscode.workspace.getWorkspaceFolder(folder)?.uri ?? folder;
  const target = { folder: folder.toString(), root: root.toString(), fileName: '' };
  await prepareFolder(target);
  try {
    await writeFile(stagedPath, bytes, { flush: true });
    const sha256 = hashOf(bytes);
    const uri = await (folder.scheme === 'file'
      ? publishOnDisk({ key, fence: 1, stagedPath, sha256, target, name })
      : new WorkspacePublisher().publish(stagedPath, target, name, key));
    return vscode.Uri.parse(uri, true);
  } finally {
    await rm(stagedPath, { force: true });
  }
}
