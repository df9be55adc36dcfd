import * as vscode from 'vscode';
import { canBeResumed, canSaveAgain } from '../../common/resultAvailability.ts';
import { askedFormat } from '../../tasks/files/fileNames.ts';
import { asOrdered } from '../../tasks/files/onTwoGrounds.ts';
import type { Task } from '../../tasks/task.ts';
import type { TaskRuns } from '../paint/taskRuns.ts';
import { requireConfirmation } from '../questions/confirm.ts';
import { billNote } from '../questions/costText.ts';
import { type BatchProgress, progressOf } from '../taskList/batchProgress.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { statOf } from '../window/files.ts';
import type { TaskOperations } from './taskOperations.ts';

/** Performs what a person asks for tasks that were made together. */
export class Batches {
  readonly #engine: Pick<EngineHost, 'get'>;
  readonly #tasks: TaskOperations;
  readonly #runs: TaskRuns;

  constructor(engine: Pick<EngineHost, 'get'>, tasks: TaskOperations, runs: TaskRuns) {
    this.#engine = engine;
    this.#tasks = tasks;
    this.#runs = runs;
  }

  /** `limner.batch.stop`: cancels what is not sent yet, and stops watching the others. */
  async stop(id: string): Promise<void> {
    const { open } = await this.#progress(id);
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
   * cost; the others are asked for again. Says so where none is left.
   */
  async retry(id: string): Promise<void> {
    const left = await this.#failed(id);
    if (left.length === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Nothing is left to make: these images are there, or the task list has them already.'),
      );
      return;
    }
    const again = left.filter(isLost);
    if (again.length > 0) {
      await requireConfirmation(
        again.length === 1
          ? vscode.l10n.t('Make 1 image again?')
          : vscode.l10n.t('Make {0} images again?', again.length),
        vscode.l10n.t('Make Again'),
        billNote(again.map(({ request }) => request)),
      );
    }
    const options = await this.#tasks.allowAgain(again);
    // Another window, or another row of this one, may have made some meanwhile.
    const lookedAt = Date.now();
    const failed = await this.#failed(id);
    const starting = [
      ...this.#tasks.runAllAgain(failed.filter(isLost), options, lookedAt),
      ...failed
        .filter((task) => !isLost(task) && !canSaveAgain(task))
        .map(async ({ id: one }) => this.#tasks.resume(one)),
    ];
    await Promise.all([this.#runs.followTogether(starting), this.#saveAgain(failed.filter(canSaveAgain))]);
  }

  /** Resumes ended tasks; of those that were made together it is reported once how they ended. */
  async resume(ended: readonly Task[]): Promise<void> {
    const groups = Map.groupBy(ended, ({ id, request }) => request.batch?.id ?? id);
    await Promise.all(
      [...groups.values()].map(async (tasks) => {
        const starting = tasks.map(async ({ id }) => this.#tasks.resume(id));
        await (tasks[0]?.request.batch
          ? this.#runs.followTogether(starting)
          : this.#runs.followInBackground(await starting[0]));
      }),
    );
  }

  /** One after the other: each may ask for another folder. */
  async #saveAgain(tasks: readonly Task[]): Promise<void> {
    for (const { id } of tasks) {
      await this.#tasks.saveAgain(id, true);
    }
  }

  /** Returns the tasks of images that are still to be made: not those that came by another task, or are there as a file. */
  async #failed(id: string): Promise<Task[]> {
    const { store } = await this.#engine.get();
    const { failed } = await this.#progress(id);
    const lookedAt = Date.now();
    const lacking = failed.filter((task) => !store.standing({ insteadOf: task, lookedAt }, lookedAt));
    const found = await Promise.all(lacking.map(async (task) => ((await isThere(task)) ? [] : task)));
    return found.flat();
  }

  async #progress(id: string): Promise<BatchProgress> {
    return progressOf((await this.#engine.get()).store.batch(id));
  }
}

/** Whether the file that a task was to make is there, where it is known by its name. */
async function isThere({ request }: Task): Promise<boolean> {
  const { target, reference } = asOrdered(request);
  const isName = !reference && askedFormat(target.fileName) !== undefined && !target.fileName.includes('{');
  const file = vscode.Uri.joinPath(vscode.Uri.parse(target.folder, true), target.fileName);
  return isName && (await statOf(file)) !== undefined;
}

/** Whether only another request gives the image. */
function isLost(task: Task): boolean {
  return !canSaveAgain(task) && !canBeResumed(task);
}

function isWaiting({ status }: Task): boolean {
  return status === 'waiting';
}
