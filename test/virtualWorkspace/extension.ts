import * as vscode from 'vscode';
import { FolderProvider } from './folderProvider.ts';

/** Makes all of the disk a file system of its own, `virtual:`, and one that is read-only as a whole. */
export function activate({ subscriptions }: vscode.ExtensionContext): void {
  for (const isReadonly of [false, true]) {
    const provider = new FolderProvider(isReadonly);
    subscriptions.push(
      provider,
      vscode.workspace.registerFileSystemProvider(isReadonly ? 'virtual-readonly' : 'virtual', provider, {
        isCaseSensitive: true,
        isReadonly,
      }),
    );
  }
}
