import * as vscode from 'vscode';
import type { SaveTarget } from '../tasks/task.ts';
import type { Settings } from './settings.ts';

/**
 * Where the pictures of a run go: `folder` and `fileName` as given, else as the settings say, inside the
 * workspace folder of the active editor, the only one, or the one the person picks. Undefined when there is no
 * workspace folder or the pick was dismissed.
 */
export async function resolveTarget(
  settings: Settings,
  given: { folder?: vscode.Uri | string; fileName?: string },
): Promise<SaveTarget | undefined> {
  if (given.folder instanceof vscode.Uri) {
    return target(given.folder, vscode.workspace.getWorkspaceFolder(given.folder)?.uri ?? given.folder);
  }
  const root = await chooseRoot();
  if (!root) {
    return undefined;
  }
  return target(vscode.Uri.joinPath(root, given.folder ?? settings.folder(root)), root);

  function target(folder: vscode.Uri, root: vscode.Uri): SaveTarget {
    return {
      folder: folder.toString(),
      root: root.toString(),
      fileName: given.fileName ?? settings.fileName(folder),
    };
  }
}

async function chooseRoot(): Promise<vscode.Uri | undefined> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const current = active && vscode.workspace.getWorkspaceFolder(active);
  if (current) {
    return current.uri;
  }
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length <= 1) {
    return folders[0]?.uri;
  }
  const picked = await vscode.window.showWorkspaceFolderPick({
    placeHolder: vscode.l10n.t('Workspace folder to save the image in'),
  });
  return picked?.uri;
}
