import * as vscode from 'vscode';

/**
 * The file that was dropped. The window of a remote workspace names its files by where they are seen from there; here,
 * where the extension runs beside them, they are on disk.
 *
 * @throws Error when it is no address
 */
export function droppedUri(text: string): vscode.Uri {
  const uri = vscode.Uri.parse(text, true);
  return uri.scheme === 'vscode-remote' ? uri.with({ scheme: 'file', authority: '' }) : uri;
}
