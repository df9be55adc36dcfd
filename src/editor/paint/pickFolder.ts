import * as vscode from 'vscode';

/** Asks for a folder to save images in; undefined when the person dismissed it. */
export async function pickFolder(): Promise<vscode.Uri | undefined> {
  const defaultUri = vscode.workspace.workspaceFolders?.[0]?.uri;
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Folder for the Images'),
      openLabel: vscode.l10n.t('Save Here'),
      canSelectFiles: false,
      canSelectFolders: true,
      ...(defaultUri && { defaultUri }),
    })) ?? [];
  return folder;
}
