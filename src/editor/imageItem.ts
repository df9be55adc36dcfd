import * as vscode from 'vscode';
import { commands, taskContext } from './names.ts';
import type { ImageRow } from './taskNode.ts';

/** The row of a saved image below its task; one whose file is gone says so and does nothing. */
export function imageItem(row: ImageRow): vscode.TreeItem {
  const { task, result, gone } = row;
  const item = new vscode.TreeItem(
    vscode.Uri.parse(result.uri ?? '', true),
    vscode.TreeItemCollapsibleState.None,
  );
  item.id = `${task.id}/${result.index}`;
  if (gone) {
    item.description = vscode.l10n.t('no longer there');
    item.iconPath = new vscode.ThemeIcon('circle-slash');
    item.contextValue = taskContext.goneImage;
    return item;
  }
  item.description =
    result.width === undefined || result.height === undefined ? '' : `${result.width} × ${result.height}`;
  item.contextValue = task.request.kind === 'edit' ? taskContext.editedImage : taskContext.image;
  item.iconPath = vscode.ThemeIcon.File;
  item.command = { command: commands.openTask, title: vscode.l10n.t('Open Image'), arguments: [row] };
  return item;
}
