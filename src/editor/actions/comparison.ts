import * as vscode from 'vscode';
import { nameOf } from '../window/files.ts';

/** Shows an edited image beside its original. */
export async function compare(
  original: vscode.Uri,
  edited: vscode.Uri,
  options: vscode.TextDocumentShowOptions & { background?: boolean } = {},
): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', original, edited, titleOf(original, edited), options);
}

/** Has the open comparison of an edited image with its original show what was there before, instead. */
export async function compareInstead(
  before: vscode.Uri,
  original: vscode.Uri,
  edited: vscode.Uri,
): Promise<void> {
  // Of a comparison of images, VS Code says no more than the title, which files of other folders may have, too.
  const title = titleOf(original, edited);
  const open = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ label, input }) => input === undefined && label === title);
  const [tab] = open;
  if (!tab || open.length > 1) {
    return;
  }
  const { group, isActive, isPreview } = tab;
  await compare(before, edited, {
    viewColumn: group.viewColumn,
    background: !isActive,
    preserveFocus: true,
    preview: isPreview,
  });
  // One in preview mode has given way.
  await (isPreview || vscode.window.tabGroups.close(tab, true));
}

/** Returns the title of a comparison: the one that VS Code gives those of images, as far as it takes none. */
function titleOf(original: vscode.Uri, edited: vscode.Uri): string {
  return `${nameOf(original)} ↔ ${nameOf(edited)}`;
}
