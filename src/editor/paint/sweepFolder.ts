import * as vscode from 'vscode';

/**
 * Deletes what has been in a folder of Limner's own storage for longer than it is kept there.
 *
 * @param folder created if missing
 * @param kept in milliseconds since it was written
 */
export async function sweepFolder(folder: vscode.Uri, kept: number): Promise<void> {
  const { fs } = vscode.workspace;
  await fs.createDirectory(folder);
  for (const [name] of await fs.readDirectory(folder)) {
    const entry = vscode.Uri.joinPath(folder, name);
    try {
      if ((await fs.stat(entry)).mtime < Date.now() - kept) {
        await fs.delete(entry, { recursive: true });
      }
    } catch {
      // Another window sweeps as well; what stays is looked at next time.
    }
  }
}
