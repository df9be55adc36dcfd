import { asSaveError } from '../common/fileErrors.ts';
import { isSameFile } from '../common/disk/fileUris.ts';
import { askedFormat } from '../tasks/files/fileNames.ts';
import { isWhole } from '../common/resultAvailability.ts';
import { isAsAsked } from '../tasks/requests/isAsAsked.ts';
import type { Task, TaskResult } from '../tasks/task.ts';
import type { AgentHost } from './agentHost.ts';
import type { Place } from './places.ts';
import { replaceFile } from './replaceFile.ts';

/** Puts images in the place of the files that they replace; those of one file one after the other. */
export class Replacements {
  readonly #host: Pick<AgentHost, 'engine' | 'read'>;
  /** The last one of each file, by its URI. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(host: Pick<AgentHost, 'engine' | 'read'>) {
    this.#host = host;
  }

  /**
   * Puts the one image of a task in the place of the file that it was to replace, which is kept. The image is saved
   * already, so nothing that goes wrong here is an error.
   *
   * @returns why the file was not replaced; undefined when it was, or there is no image
   */
  async put(id: string, target: Place): Promise<string | undefined> {
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

  async #put(id: string, target: Place): Promise<string | undefined> {
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

/** Returns why an image is no replacement of a file, whose contents are better than it. */
function obstacle({ request, results }: Task, result: TaskResult, { fileName }: Place): string | undefined {
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
