import * as vscode from 'vscode';

/** Decides on a workspace folder where a command does not name one. */
export class WorkspaceFolders {
  #picked: vscode.WorkspaceFolder | undefined;

  /**
   * Returns the folder of the active file, the only one, or the one that the person picks, which is remembered until
   * the window closes. Without `asks`, the first one instead of a question. Undefined when no folder is open.
   *
   * @throws vscode.CancellationError when the pick was dismissed
   */
  async current(asks: boolean): Promise<vscode.Uri | undefined> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const active = activeFile();
    const picked = this.#picked?.uri.toString();
    const known =
      (active && vscode.workspace.getWorkspaceFolder(active)) ??
      folders.find(({ uri }) => uri.toString() === picked);
    if (known || folders.length <= 1 || !asks) {
      return (known ?? folders[0])?.uri;
    }
    this.#picked = await vscode.window.showWorkspaceFolderPick({
      placeHolder: vscode.l10n.t('Select the workspace folder to save images in until you close this window'),
      ignoreFocusOut: true,
    });
    if (!this.#picked) {
      throw new vscode.CancellationError();
    }
    return this.#picked.uri;
  }
}

/** Returns the file of the active tab, a text or an image. */
export function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom
    ? input.uri
    : undefined;
}
