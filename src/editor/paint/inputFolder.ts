import { randomUUID } from 'node:crypto';
import { copyFile, link } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { EngineHost } from '../window/engineHost.ts';

/** How long files that no task uses are kept, in milliseconds: a question may still be open. */
const unusedKept = 7 * 24 * 3_600_000;

/** Returns a new path for an input file or a mask of a task. It is kept as long as the task, which may be run again. */
export async function newInputFile(engine: EngineHost, name: string): Promise<vscode.Uri> {
  const folder = vscode.Uri.joinPath(engine.home, 'inputs');
  const { store } = await engine.get();
  await sweepFolder(folder, unusedKept, (names) => {
    const paths = store.inputPaths();
    return new Set(names.filter((name) => paths.some((path) => path.includes(name))));
  });
  const place = vscode.Uri.joinPath(folder, randomUUID());
  await vscode.workspace.fs.createDirectory(place);
  return vscode.Uri.joinPath(place, name);
}

/** Keeps a file for a task, whatever becomes of the original. @returns its path */
export async function keepForTask(engine: EngineHost, path: string): Promise<string> {
  const { fsPath } = await newInputFile(engine, basename(path));
  await link(path, fsPath).catch(async () => copyFile(path, fsPath));
  return fsPath;
}

/**
 * Deletes files from a folder of Limner's own storage once they are older than `kept`.
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
    // Another window sweeps as well; whatever remains is swept next time.
    await fs.delete(vscode.Uri.joinPath(folder, name), { recursive: true }).then(undefined, () => {});
  }
}
