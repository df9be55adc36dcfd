import * as vscode from 'vscode';
import { nameOf } from '../window/files.ts';

export async function compare(
  original: vscode.Uri,
  edited: vscode.Uri,
  options: vscode.TextDocumentShowOptions & { background?: boolean } = {},
): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', original, edited, titleOf(original, edited), options);
}

/** Replaces the original in the open comparison of an edited image. */
export async function compareInstead(
  before: vscode.Uri,
  original: vscode.Uri,
  edited: vscode.Uri,
): Promise<void> {
  // VS Code only exposes the title of an image comparison, which files of other folders may share.
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
  // A comparison in preview mode was already replaced.
  await (isPreview || vscode.window.tabGroups.close(tab, true));
}

/** Returns the title that VS Code gives an image comparison; it accepts no other. */
function titleOf(original: vscode.Uri, edited: vscode.Uri): string {
  return `${nameOf(original)} ↔ ${nameOf(edited)}`;
}
