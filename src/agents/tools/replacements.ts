import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { asSaveError, fileTrouble } from '../../common/fileErrors.ts';
import { fileUri, isSameFile, pathOfUri } from '../../common/fileUris.ts';
import { rename } from '../../common/heldFiles.ts';
import { largestFinished } from '../../common/regularFile.ts';
import { isWhole } from '../../common/taskStatus.ts';
import { hashOf } from '../../engine/files/stagingStore.ts';
import { inFolder } from '../../engine/files/targetFolder.ts';
import { isAsAsked } from '../../engine/operations/modelRules.ts';
import type { Engine } from '../../engine/run/engine.ts';
import { askedFormat } from '../../engine/task/fileNames.ts';
import type { Task, TaskResult } from '../../engine/task/task.ts';
import type { AgentHost } from './agentHost.ts';
import type { WorkspaceFile } from './workspacePaths.ts';

/** Replaces files with images, one replacement per file at a time. */
export class Replacements {
  readonly #host: Pick<AgentHost, 'engine' | 'read'>;
  /** The last replacement of each file, by URI. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(host: Pick<AgentHost, 'engine' | 'read'>) {
    this.#host = host;
  }

  /**
   * Replaces a file, whose contents are kept, with the one image of a task. The image is saved already, so no problem
   * here is an error.
   *
   * @returns why the file was not replaced; undefined when it was, or there is no image
   */
  async put(id: string, target: WorkspaceFile): Promise<string | undefined> {
    const before = this.#last.get(target.uri);
    const turn = (async () => {
      await before;
      return this.#put(id, target);
    })();
    this.#last.set(target.uri, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(target.uri) === turn) {
        this.#last.delete(target.uri);
      }
    }
  }

  async #put(id: string, target: WorkspaceFile): Promise<string | undefined> {
    try {
      const engine = await this.#host.engine();
      const task = engine.store.get(id);
      const result = task?.results.find(({ state }) => state === 'saved');
      if (!task || result?.uri === undefined || isSameFile(result.uri, target.uri)) {
        return undefined;
      }
      const reason = obstacle(task, result, target);
      if (reason === undefined) {
        await replaceFile(engine, this.#host, task, result, target);
      }
      return reason;
    } catch (error) {
      return asSaveError(error).message;
    }
  }
}

/** Returns why an image must not replace a file; undefined if it may. */
function obstacle(
  { request, results }: Task,
  result: TaskResult,
  { fileName }: WorkspaceFile,
): string | undefined {
  if (results.length > 1) {
    return 'The service sent several images.';
  }
  if (!isWhole(result)) {
    return 'The image is damaged.';
  }
  const isMade = request.onBlack === undefined && isAsAsked(request, result);
  return isMade && result.mediaType === `image/${askedFormat(fileName)?.format}`
    ? undefined
    : 'The image could not be made as it was asked for.';
}

/**
 * Moves an image from the free name that it was saved under to the name of the file that it replaces. The old contents
 * are kept with the originals that users replaced. If the file is gone, the image takes its name. If another process
 * moved the image already, nothing is left to do.
 */
async function replaceFile(
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
