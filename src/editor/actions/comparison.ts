import * as vscode from 'vscode';
import { nameOf } from '../window/files.ts';

/** Shows an edited image beside its original. */
export async function compare(
  original: vscode.Uri,
  edited: vscode.Uri,
  options: vscode.TextDocumentShowOptions & { background?: boolean } = {},
): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', original, edited, titleOf(edited), options);
}

/** Has the comparisons that are open show this original: its file holds the edited image by now. */
export async function compareInstead(original: vscode.Uri, edited: vscode.Uri): Promise<void> {
  // Of a comparison of images, VS Code says no more than the title.
  const open = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ label, input }) => input === undefined && label === titleOf(edited));
  for (const tab of open) {
    const { group, isActive, isPreview } = tab;
    const { viewColumn } = group;
    await vscode.window.tabGroups.close(tab, true);
    await compare(original, edited, {
      viewColumn,
      background: !isActive,
      preserveFocus: true,
      preview: isPreview,
    });
  }
}

function titleOf(edited: vscode.Uri): string {
  return vscode.l10n.t('{0} and its original', nameOf(edited));
}
