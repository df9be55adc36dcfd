import { asSaveError } from '../../common/fileErrors.ts';
import { isSameFile } from '../../common/fileUris.ts';
import { askedFormat } from '../../engine/task/fileNames.ts';
import { isWhole } from '../../common/taskStatus.ts';
import { isAsAsked } from '../../engine/operations/modelRules.ts';
import type { Task, TaskResult } from '../../engine/task/task.ts';
import type { AgentHost } from './agentHost.ts';
import type { WorkspaceFile } from './workspacePaths.ts';
import { replaceFile } from './replaceFile.ts';

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
