import { randomUUID } from 'node:crypto';
import { copyFile, link } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { EngineHost } from '../window/engineHost.ts';
import { sweepFolder } from '../../common/folders.ts';

/** How long files that no task uses are kept, in milliseconds: a question may still be open. */
const unusedKept = 7 * 24 * 3_600_000;

/** Returns a new path for an input file or a mask of a task. It is kept as long as the task, which may be run again. */
export async function newInputFile(engine: EngineHost, name: string): Promise<vscode.Uri> {
  const folder = vscode.Uri.joinPath(engine.home, 'inputs');
  const { store } = await engine.get();
  await sweepFolder(folder.fsPath, unusedKept, () => {
    const paths = store.inputPaths();
    return (name) => paths.some((path) => path.includes(name));
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
