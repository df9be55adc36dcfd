import { link } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { copyFile } from '../../common/disk/heldFiles.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { newInputPath } from '../../tasks/files/inputFolder.ts';

/** Returns a new path for an input file or a mask of a task. It is kept as long as the task, which may be run again. */
export async function newInputFile(engine: EngineHost, name: string): Promise<vscode.Uri> {
  const { store } = await engine.get();
  return vscode.Uri.file(await newInputPath(engine.home.fsPath, () => store.inputPaths(), name));
}

/** Keeps a file for a task, whatever becomes of the original. @returns its path */
export async function keepForTask(engine: EngineHost, path: string): Promise<string> {
  const { fsPath } = await newInputFile(engine, basename(path));
  await link(path, fsPath).catch(async () => copyFile(path, fsPath));
  return fsPath;
}
