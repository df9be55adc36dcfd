import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { canSaveAgain } from '../../common/taskStatus.ts';
import { askedFormat } from '../../engine/task/fileNames.ts';
import { availableActions } from '../../engine/operations/availableActions.ts';
import { asOrdered } from '../../engine/task/twoBackgrounds.ts';
import type { Task } from '../../engine/task/task.ts';
import type { TaskRuns } from '../generate/taskRuns.ts';
import { openInStudio, requireCharge } from '../ask/confirm.ts';
import { refuse } from '../ask/refusal.ts';
import { requestText } from '../taskList/costText.ts';
import { type BatchProgress, isLost, progressOf } from '../taskList/batchProgress.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { statOf } from '../window/files.ts';
import type { TaskOperations } from './taskOperations.ts';

export class Batches {
  readonly #engine: Pick<EngineHost, 'get'>;
  readonly #tasks: TaskOperations;
  readonly #runs: TaskRuns;

  constructor(engine: Pick<EngineHost, 'get'>, tasks: TaskOperations, runs: TaskRuns) {
    this.#engine = engine;
    this.#tasks = tasks;
    this.#runs = runs;
  }

  /** `limner.batch.stop`: cancels unsent tasks, and stops watching the others. */
  async stop(id: string): Promise<void> {
    const { open } = await this.#progress(id);
    if (open.length === 0) {
      throw refuse('invalid_request', l10n.t('None of these tasks is in progress.'));
    }
    // Unsent tasks go first, or they would be sent once there is room.
    for (const task of open.filter(isWaiting)) {
      await this.#tasks.cancel(task.id);
    }
    for (const task of open.filter((one) => !isWaiting(one))) {
      await this.#tasks.stop(task.id);
    }
  }

  /**
   * `limner.batch.retry`, `limner.batch.fetch`: retries each image that isn't saved. Existing images are fetched or saved at no cost; the
   * others are requested again. Says so if none is left.
   */
  async retry(id: string): Promise<void> {
    const left = await this.#failed(id);
    if (left.length === 0) {
      void vscode.window.showInformationMessage(
        l10n.t('Nothing left to generate: these images exist, are in progress, or are waiting to be saved.'),
      );
      return;
    }
    const again = left.filter(isLost);
    const [first] = again;
    if (first) {
      await requireCharge(
        again.length === 1
          ? l10n.t('Generate 1 image again?')
          : l10n.t('Generate {0} images again?', again.length),
        [l10n.t('Generate Again')],
        // The studio would take one of several.
        again.length === 1
          ? openInStudio(first.id)
          : { title: l10n.t('Later'), run: async () => Promise.resolve() },
        requestText(again.map(({ request }) => request)),
      );
    }
    const options = await this.#tasks.allowAgain(again);
    // Another window, or another row of this one, may have saved some meanwhile.
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

  /** Sends what wasn't sent before its window closed, and goes on with what was paused. */
  async goOn(id: string): Promise<void> {
    const { paused } = await this.#progress(id);
    const able = paused.filter((task) => availableActions(task).includes('resume'));
    if (able.length === 0) {
      throw refuse('invalid_request', l10n.t('None of these tasks is waiting to be sent.'));
    }
    await this.resumeAll(able.map((one) => one.id));
  }

  /** `limner.task.resume`: resumes tasks as `TaskOperations.resumeAll`, and follows those that it could. */
  async resumeAll(ids: readonly string[]): Promise<void> {
    const resumed: Task[] = [];
    try {
      for await (const task of this.#tasks.resumeAll(ids)) {
        resumed.push(...(task ? [task] : []));
      }
    } finally {
      this.#runs.followAllInBackground(resumed);
    }
  }

  /** Resumes ended tasks. Tasks that were started together are reported once. */
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

  /** One at a time: each may ask for another folder. */
  async #saveAgain(tasks: readonly Task[]): Promise<void> {
    for (const { id } of tasks) {
      await this.#tasks.saveAgain(id, true);
    }
  }

  /** Returns the tasks of images that are still missing: no other task saved them, and no file exists. */
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

/** Whether a task's file exists, if its name is known. */
async function isThere({ request }: Task): Promise<boolean> {
  const { target, reference } = asOrdered(request);
  const isName = !reference && askedFormat(target.fileName) !== undefined && !target.fileName.includes('{');
  const file = vscode.Uri.joinPath(vscode.Uri.parse(target.folder, true), target.fileName);
  return isName && (await statOf(file)) !== undefined;
}

function isWaiting({ status }: Task): boolean {
  return status === 'waiting';
}
