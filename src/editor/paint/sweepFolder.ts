import * as vscode from 'vscode';

/**
 * Deletes what has been in a folder of Limner's own storage for longer than it is kept there.
 *
 * @param folder created if missing
 * @param kept in milliseconds since it was written
 * @param needed which of these old entries stay all the same
 */
export async function sweepFolder(
  folder: vscode.Uri,
  kept: number,
  needed: (names: string[]) => ReadonlySet<string> = () => new Set(),
): Promise<void> {
  const { fs } = vscode.workspace;
  await fs.createDirectory(folder);
  const old: string[] = [];
  for (const [name] of await fs.readDirectory(folder)) {
    const stat = await fs.stat(vscode.Uri.joinPath(folder, name)).then(undefined, () => undefined);
    if (stat && stat.mtime < Date.now() - kept) {
      old.push(name);
    }
  }
  const staying = old.length > 0 ? needed(old) : new Set<string>();
  for (const name of old.filter((name) => !staying.has(name))) {
    // Another window sweeps as well; what stays is looked at next time.
    await fs.delete(vscode.Uri.joinPath(folder, name), { recursive: true }).then(undefined, () => {});
  }
}
