import * as l10n from '@vscode/l10n';
import { Semaphore } from '../../common/semaphore.ts';
import type { Task, TaskResult } from '../../engine/task/task.ts';
import type { TaskRunner } from '../../engine/run/taskRunner.ts';
import { refuse, type Refusal } from '../ask/refusal.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { plainText } from '../window/plainText.ts';

export interface ImageReference {
  task: string;
  index: number;
}

export interface TaskImage {
  task: Task;
  result: TaskResult;
}

/** Runs one action at a time on each image's file, and records it in the task. */
export class ImageFileQueue {
  readonly #engine: Pick<EngineHost, 'get'>;
  readonly #turns = new Map<string, Semaphore>();

  constructor(engine: Pick<EngineHost, 'get'>) {
    this.#engine = engine;
  }

  /**
   * Acts on the current state of an image once no other action on it is running.
   *
   * @throws LimnerError `invalid_request` if it is no longer in the task list
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
   * Records a change of an image's file.
   *
   * @throws LimnerError `invalid_request` if it is no longer in the task list
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

/** @param name of an image that was generated from its prompt alone */
export function noOriginal(name: string): Refusal {
  return refuse('invalid_request', l10n.t("{0} wasn't made from another image.", plainText(name)));
}

export function noLongerListed(): Refusal {
  return refuse('invalid_request', l10n.t('The image is no longer in the task list.'));
}
