import type * as vscode from 'vscode';
import { isAmong } from './files.ts';

let folders: readonly vscode.Uri[] = [];

/** Sets the folders on disk that hold Limner's own files. */
export function setOwnFolders(own: readonly vscode.Uri[]): void {
  folders = own;
}

/** Whether a file is Limner's own, like a pasted image. */
export function isOwn(file: vscode.Uri): boolean {
  return isAmong(folders)(file.toString());
}
