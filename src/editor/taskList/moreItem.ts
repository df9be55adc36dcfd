import * as vscode from 'vscode';
import { internalCommands } from '../names.ts';

/** The row that loads older tasks. */
export function moreItem(): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Show More'));
  item.id = 'more';
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: internalCommands.showMoreTasks, title: vscode.l10n.t('Show More') };
  return item;
}
