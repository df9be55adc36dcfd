import type * as vscode from 'vscode';

let folders: readonly vscode.Uri[] = [];

/** Sets the folders on disk that hold Limner's own files. */
export function setOwnFolders(own: readonly vscode.Uri[]): void {
  folders = own;
}

/** Whether a file is Limner's own, like a pasted image. */
export function isOwn({ scheme, path }: vscode.Uri): boolean {
  return scheme === 'file' && folders.some((folder) => path.startsWith(`${folder.path}/`));
}
