import { lstat, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { rename } from '../common/disk/heldFiles.ts';
import { fileTrouble } from '../common/fileErrors.ts';
import { fileUri, isSameFile, pathOfUri } from '../common/disk/fileUris.ts';
import type { Engine } from '../engine.ts';
import { hashOf } from '../tasks/files/stagingStore.ts';
import type { Task, TaskResult } from '../tasks/task.ts';
import type { Place } from './places.ts';

/**
 * Moves an image of a task from the free name that it was saved under to the name of the file that it replaces. What
 * that held is kept with what people replace. A file that is gone by now leaves its name to the image. An image that
 * another process has moved there meanwhile is in its place.
 */
export async function replaceFile(
  { runner, keptFiles }: Pick<Engine, 'runner' | 'keptFiles'>,
  task: Task,
  { index, uri = '', sha256 = '' }: TaskResult,
  { uri: target }: Place,
): Promise<void> {
  const [from, to] = [pathOfUri(uri), pathOfUri(target)];
  if (isSameFile(uri, target) || (await isGone(from))) {
    return;
  }
  const moved = { type: 'recovered', index, uri: fileUri(to) } as const;
  const kept = await keepContents(keptFiles, to);
  try {
    await rename(from, to);
  } catch (error) {
    if ((await isGone(from)) && (await holds(to, sha256))) {
      await runner.recordFile(task.id, moved);
      return;
    }
    throw error;
  }
  await runner.recordFile(task.id, moved);
  const [original] = task.request.images ?? [];
  const isOriginal = original !== undefined && isSameFile(fileUri(original.path), target);
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

async function holds(path: string, sha256: string): Promise<boolean> {
  return !(await isGone(path)) && hashOf(await readFile(path)) === sha256;
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
