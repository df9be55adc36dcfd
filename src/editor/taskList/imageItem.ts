import * as vscode from 'vscode';
import { taskContext } from '../names.ts';
import type { ImageRow } from './taskNode.ts';

/** The row of a saved image below its task; one whose file is gone says so and does nothing. */
export function imageItem(row: ImageRow): vscode.TreeItem {
  const { task, result, gone } = row;
  const uri = vscode.Uri.parse(result.uri ?? '', true);
  const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.None);
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
  item.command = openCommand(uri);
  return item;
}

/** What a click on a row does: as in the explorer it shows the image and leaves the keys in the list. */
export function openCommand(uri: vscode.Uri): vscode.Command {
  return { command: 'vscode.open', title: vscode.l10n.t('Open Image'), arguments: [uri] };
}
