import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { rename } from '../../common/heldFiles.ts';
import { largestFinished } from '../../common/regularFile.ts';
import { fileTrouble } from '../../common/fileErrors.ts';
import { fileUri, isSameFile, pathOfUri } from '../../common/fileUris.ts';
import type { Engine } from '../../engine/run/engine.ts';
import { hashOf } from '../../engine/files/stagingStore.ts';
import { inFolder } from '../../engine/files/targetFolder.ts';
import type { Task, TaskResult } from '../../engine/task/task.ts';
import type { AgentHost } from './agentHost.ts';
import type { WorkspaceFile } from './workspacePaths.ts';

/**
 * Moves an image from the free name that it was saved under to the name of the file that it replaces. The old contents
 * are kept with the originals that users replaced. If the file is gone, the image takes its name. If another process
 * moved the image already, nothing is left to do.
 */
export async function replaceFile(
  { runner, keptFiles }: Pick<Engine, 'runner' | 'keptFiles'>,
  host: Pick<AgentHost, 'read'>,
  task: Task,
  { index, uri = '', sha256 = '' }: TaskResult,
  { uri: target, root, folder, fileName }: WorkspaceFile,
): Promise<void> {
  const from = pathOfUri(uri);
  if (isSameFile(uri, target) || (await isGone(from))) {
    return;
  }
  const moved = { type: 'recovered', index, uri: fileUri(pathOfUri(target)) } as const;
  const before = await host.read(target, largestFinished);
  const kept = before && (await keptFiles.keep(before, fileName));
  try {
    await inFolder({ root, folder, fileName: '' }, async (path) => {
      const isBeside = dirname(from) === pathOfUri(folder);
      await rename(isBeside ? join(path, basename(from)) : from, join(path, fileName));
    });
  } catch (error) {
    const there = (await isGone(from)) ? await host.read(target, largestFinished) : undefined;
    if (there && hashOf(there) === sha256) {
      await runner.recordFile(task.id, moved);
      return;
    }
    throw error;
  }
  await runner.recordFile(task.id, moved);
  const [original] = task.request.images ?? [];
  const isOriginal = original !== undefined && isSameFile(original.uri, target);
  if (isOriginal && kept !== undefined) {
    const replaced = { path: kept, sha256, at: Date.now() };
    await runner.recordFile(task.id, { type: 'originalReplaced', index, replaced });
  }
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
