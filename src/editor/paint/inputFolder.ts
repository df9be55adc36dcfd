import { randomUUID } from 'node:crypto';
import { copyFile, link } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Limner } from '../limner.ts';
import { sweepFolder } from './sweepFolder.ts';

/** What no task was given is kept so long, in milliseconds: a question may still be open. */
const unusedKept = 7 * 24 * 3_600_000;

/**
 * A new place on disk for an input file or a mask that belongs to a task. What lies there is kept as long as a task was
 * given it, since that may be run again.
 */
export async function newInputFile(limner: Limner, name: string): Promise<vscode.Uri> {
  const folder = vscode.Uri.joinPath(limner.engine.home, 'inputs');
  const { store } = await limner.engine.get();
  await sweepFolder(folder, unusedKept, (names) => {
    const paths = store.inputPaths();
    return new Set(names.filter((name) => paths.some((path) => path.includes(name))));
  });
  const place = vscode.Uri.joinPath(folder, randomUUID());
  await vscode.workspace.fs.createDirectory(place);
  return vscode.Uri.joinPath(place, name);
}

/** Keeps a file for a task, whatever becomes of the file itself. @returns the path of it */
export async function keepForTask(limner: Limner, path: string): Promise<string> {
  const { fsPath } = await newInputFile(limner, basename(path));
  await link(path, fsPath).catch(async () => copyFile(path, fsPath));
  return fsPath;
}
