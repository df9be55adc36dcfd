import * as vscode from 'vscode';
import { Semaphore } from '../../common/semaphore.ts';
import type { Task, TaskResult } from '../../tasks/task.ts';
import type { TaskRunner } from '../../tasks/run/taskRunner.ts';
import { refuse, type Refusal } from '../questions/refusal.ts';
import type { EngineHost } from '../window/engineHost.ts';

/** Names an image by its task and its place there. */
export interface ImageReference {
  task: string;
  index: number;
}

/** An image of a task, whether or not it has a file. */
export interface TaskImage {
  task: Task;
  result: TaskResult;
}

/** Acts on the files of images: on each image one act after another, recorded in its task. */
export class ImageActs {
  readonly #engine: Pick<EngineHost, 'get'>;
  readonly #turns = new Map<string, Semaphore>();

  constructor(engine: Pick<EngineHost, 'get'>) {
    this.#engine = engine;
  }

  /**
   * Acts on an image as it is once no other act on it is under way.
   *
   * @throws LimnerError `invalid_request` when it is no longer in the task list
   */
  async inTurn<T>({ task: id, index }: ImageReference, act: (image: TaskImage) => Promise<T>): Promise<T> {
    const key = `${id}/${index}`;
    const turns = this.#turns.get(key) ?? new Semaphore(() => 1);
    this.#turns.set(key, turns);
    return turns.use(1, async () => {
      const task = (await this.#engine.get()).store.get(id);
      const result = task?.results.find((other) => other.index === index);
      if (!task || !result) {
        throw noLongerListed();
      }
      return act({ task, result });
    });
  }

  /**
   * Records what becomes of the file of an image.
   *
   * @throws LimnerError `invalid_request` when it is no longer in the task list
   */
  async record({ task: { id } }: TaskImage, event: Parameters<TaskRunner['recordFile']>[1]): Promise<void> {
    const { runner } = await this.#engine.get();
    if (!(await runner.recordFile(id, event))) {
      throw noLongerListed();
    }
  }
}

export function referenceTo({ task, result }: TaskImage): ImageReference {
  return { task: task.id, index: result.index };
}

export function noLongerListed(): Refusal {
  return refuse('invalid_request', vscode.l10n.t('The image is no longer in the task list.'));
}
