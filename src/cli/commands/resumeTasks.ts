import {
  canBeFinished,
  canBeResumed,
  canBeSaved,
  canSaveAgain,
  isAskedFor,
  isStillAvailable,
} from '../../common/taskStatus.ts';
import type { Engine } from '../../engine/run/engine.ts';
import type { SaveTarget, Task, TaskResult } from '../../engine/task/task.ts';
import { makeTarget } from './readRequest.ts';
import { isLimnerError, type LimnerError } from '../../common/limnerError.ts';

export interface ResumeOptions {
  /** Send tasks that were never sent. */
  send?: true;
  /** Send them although the budget is exceeded. */
  overBudget?: true | undefined;
  /** The tasks were named: images beyond what was requested are fetched, too. */
  isNamed: boolean;
  /** Folder for images that could not be saved; their own when absent. */
  folder?: string;
}

/**
 * Returns tasks that can still be continued: unfinished, waiting for a key or for a user, or ended with unsaved
 * images that may still be fetched. Oldest first.
 *
 * @param now in Unix milliseconds
 */
export function resumableTasks({ store }: Pick<Engine, 'store'>, now: number): Task[] {
  const limit = Number.MAX_SAFE_INTEGER;
  const found = [
    ...store.unfinished(),
    ...store.unsaved().filter(({ results }) => results.filter(isAskedFor).some(canBeSaved)),
    ...store
      .list({ limit, statuses: ['stopped', 'completed', 'failed', 'expired'] })
      .filter((task) => isStillAvailable({ ...task, results: task.results.filter(isAskedFor) }, now)),
  ];
  return [...new Map(found.map((task) => [task.id, task])).values()].toSorted((one, other) =>
    one.id < other.id ? -1 : 1,
  );
}

/**
 * Resumes tasks as far as that needs no decision; none of them is sent unless `send` asks for it.
 *
 * @returns why tasks were not sent: the budget
 */
export async function resumeTasks(
  engine: Engine,
  chosen: readonly Task[],
  { send, overBudget, isNamed, folder }: ResumeOptions,
): Promise<LimnerError[]> {
  const { runner, store } = engine;
  const target = folder === undefined ? undefined : await makeTarget(folder);
  for (const task of chosen) {
    await (isNamed && task.results.some((result) => canBeFinished(task, result))
      ? engine.runner.finishAgain(task.id)
      : tryAgain(engine, task, target, isNamed ? () => true : isAskedFor));
  }
  await runner.resumeUnfinished();
  // Only now is it known which tasks wait because their process is gone.
  const refused: LimnerError[] = [];
  for (const { id } of chosen) {
    if (send && store.get(id)?.held) {
      await runner.sendNow(id, { isBeyondBudget: overBudget }).catch((error: unknown) => {
        if (!isLimnerError(error) || error.code !== 'over_budget') {
          throw error;
        }
        refused.push(error);
      });
    }
  }
  return refused;
}

async function tryAgain(
  { runner }: Engine,
  task: Task,
  target: Pick<SaveTarget, 'folder' | 'root'> | undefined,
  isSelected: (result: TaskResult) => boolean,
): Promise<void> {
  const { id, status, request } = task;
  // The URLs of expired images are dead; the service may have new ones.
  const asksService = status === 'expired' || !canSaveAgain(task);
  try {
    if (asksService && canBeResumed(task)) {
      await runner.resume(id);
    } else if (canSaveAgain(task)) {
      await runner.saveAgain(id, target && { ...target, fileName: request.target.fileName }, isSelected);
    }
  } catch (error) {
    // Another process was faster: the current state is reported all the same.
    if (!isLimnerError(error) || error.code !== 'stopped') {
      throw error;
    }
  }
}
