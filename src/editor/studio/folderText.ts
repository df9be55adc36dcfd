import type * as vscode from 'vscode';

/** A folder as the draft has it: relative to the workspace folder where it lies in it, else its whole path. */
export function folderText(folder: vscode.Uri, root: vscode.Uri | undefined): string {
  if (root && folder.toString() === root.toString()) {
    return '.';
  }
  if (root && folder.toString().startsWith(`${root.toString()}/`)) {
    return folder.path.slice(root.path.length + 1);
  }
  return folder.scheme === 'file' ? folder.fsPath : folder.toString();
}
