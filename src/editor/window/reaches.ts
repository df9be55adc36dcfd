import * as vscode from 'vscode';
import { isSameFile } from '../../common/disk/fileUris.ts';
import type { SaveTarget } from '../../tasks/task.ts';
import { isGone } from '../../common/fileErrors.ts';

/**
 * Whether this window can publish there: a folder of its workspace, or one that was named on its own. The call
 * activates the extension that provides the file system.
 */
export async function reaches({ folder, root }: SaveTarget): Promise<boolean> {
  const isNamed = isSameFile(folder, root);
  const uri = vscode.Uri.parse(root, true);
  if (!isNamed && !vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(folder, true))) {
    return false;
  }
  const { fs } = vscode.workspace;
  const isThere = await fs.stat(uri).then(
    () => true,
    // A folder that was named on its own may be created.
    (error: unknown) => isNamed && isGone(error),
  );
  return isThere && fs.isWritableFileSystem(uri.scheme) === true;
}
