import * as vscode from 'vscode';
import { canBeResumed, canSaveAgain } from '../../common/resultAvailability.ts';
import type { Task } from '../../tasks/task.ts';
import type { TaskRuns } from '../paint/taskRuns.ts';
import { requireConfirmation } from '../questions/confirm.ts';
import { type BatchProgress, progressOf } from '../taskList/batchProgress.ts';
import type { TaskTree } from '../taskList/taskTree.ts';
import type { TaskOperations } from './taskOperations.ts';

/** Performs what a person asks for tasks that were made together. */
export class Batches {
  readonly #tree: Pick<TaskTree, 'batch'>;
  readonly #tasks: TaskOperations;
  readonly #runs: TaskRuns;

  constructor(tree: Pick<TaskTree, 'batch'>, tasks: TaskOperations, runs: TaskRuns) {
    this.#tree = tree;
    this.#tasks = tasks;
    this.#runs = runs;
  }

  /** `limner.batch.stop`: cancels what is not sent yet, and stops watching the others. */
  async stop(id: string): Promise<void> {
    const { open } = this.#progress(id);
    // What waits goes first, else it would be sent once there is room.
    for (const task of open.filter(isWaiting)) {
      await this.#tasks.cancel(task.id);
    }
    for (const task of open.filter((one) => !isWaiting(one))) {
      await this.#tasks.stop(task.id);
    }
  }

  /**
   * `limner.batch.retry`: makes each image that is not saved. What the service has already is fetched or saved, at no
   * cost; the others are asked for again.
   */
  async retry(id: string): Promise<void> {
    const { failed } = this.#progress(id);
    const again = failed.filter((task) => !canSaveAgain(task) && !canBeResumed(task));
    if (again.length > 0) {
      await requireConfirmation(
        again.length === 1
          ? vscode.l10n.t('Make 1 image again?')
          : vscode.l10n.t('Make {0} images again?', again.length),
        vscode.l10n.t('Make Again'),
        vscode.l10n.t('Each image may be billed.'),
      );
    }
    const ends = failed.map(async (task) => {
      if (canSaveAgain(task)) {
        await this.#tasks.saveAgain(task.id, true);
        return undefined;
      }
      return canBeResumed(task) ? this.#tasks.resume(task.id) : this.#tasks.runAgain(task.id);
    });
    const started = await Promise.all(ends);
    await this.#runs.followTogether(started.filter((task) => task !== undefined));
  }

  #progress(id: string): BatchProgress {
    return progressOf(this.#tree.batch(id).map(({ task }) => task));
  }
}

function isWaiting({ status }: Task): boolean {
  return status === 'waiting';
}
