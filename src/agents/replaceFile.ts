import { lstat, readFile, rename } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fileTrouble } from '../common/fileErrors.ts';
import type { Engine } from '../engine.ts';
import type { Task, TaskResult } from '../tasks/task.ts';
import type { Place } from './places.ts';

/**
 * Moves an image of a task from the free name that it was saved under to the name of the file that it replaces. What
 * that held is kept with what people replace. A file that is gone by now leaves its name to the image.
 */
export async function replaceFile(
  { runner, keptFiles }: Pick<Engine, 'runner' | 'keptFiles'>,
  task: Task,
  { index, uri = '', sha256 = '' }: TaskResult,
  { uri: target }: Place,
): Promise<void> {
  const [from, to] = [fileURLToPath(uri), fileURLToPath(target)];
  if (from === to || (await isGone(from))) {
    return;
  }
  const kept = await keepContents(keptFiles, to);
  await rename(from, to);
  await runner.recordFile(task.id, { type: 'recovered', index, uri: pathToFileURL(to).href });
  const isOriginal = task.request.images?.[0]?.path === to;
  if (isOriginal && kept !== undefined) {
    const replaced = { path: kept, sha256, at: Date.now() };
    await runner.recordFile(task.id, { type: 'originalReplaced', index, replaced });
  }
}

/** Keeps a copy of a file that is about to be replaced. @returns its path; undefined when there is no such file */
export async function keepContents(
  keptFiles: Pick<Engine['keptFiles'], 'keep'>,
  path: string,
): Promise<string | undefined> {
  return (await isGone(path)) ? undefined : keptFiles.keep(await readFile(path), basename(path));
}

async function isGone(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    if (fileTrouble(error) === 'gone') {
      return true;
    }
    throw error;
  }
}
