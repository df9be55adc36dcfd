import {
  canBeResumed,
  canBeSaved,
  canSaveAgain,
  isAskedFor,
  isStillAvailable,
} from '../../common/resultAvailability.ts';
import type { Engine } from '../../engine.ts';
import type { SaveTarget, Task, TaskResult } from '../../tasks/task.ts';
import { makeTarget } from './taskRequest.ts';
import { isLimnerError } from '../../common/limnerError.ts';

/** What a person wants to become of unfinished tasks. */
export interface ResumeOptions {
  /** Send what was never sent. */
  send?: true;
  /** The tasks were named: what the service lists beyond what was asked for is meant, too. */
  isNamed: boolean;
  /** Where images go that could not be saved; where they were meant to go when absent. */
  folder?: string;
}

/**
 * Tasks that something can still be done for: on their way, waiting for a key or for a person, or ended with images that
 * are not saved and may still be fetched. Oldest first.
 *
 * @param now in Unix milliseconds
 */
export function resumableTasks({ store }: Engine, now: number): Task[] {
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

/** Sets tasks going again, as far as that needs no decision; none of them is sent unless that is asked for. */
export async function resumeTasks(
  engine: Engine,
  chosen: readonly Task[],
  { send, isNamed, folder }: ResumeOptions,
): Promise<void> {
  const { runner, store } = engine;
  const target = folder === undefined ? undefined : await makeTarget(folder);
  for (const task of chosen) {
    await tryAgain(engine, task, target, isNamed ? () => true : isAskedFor);
  }
  await runner.resumeUnfinished();
  // Only now is it known which tasks wait because their process is gone.
  for (const { id } of chosen) {
    if (send && store.get(id)?.held) {
      await runner.sendNow(id);
    }
  }
}

async function tryAgain(
  { runner }: Engine,
  task: Task,
  target: Pick<SaveTarget, 'folder' | 'root'> | undefined,
  isSelected: (result: TaskResult) => boolean,
): Promise<void> {
  const { id, status, request } = task;
  // Where expired pictures were, they are no more; the service may say where they are.
  const asksService = status === 'expired' || !canSaveAgain(task);
  try {
    if (asksService && canBeResumed(task)) {
      await runner.resume(id);
    } else if (canSaveAgain(task)) {
      await runner.saveAgain(id, target && { ...target, fileName: request.target.fileName }, isSelected);
    }
  } catch (error) {
    // Another process was faster: how the task stands now is reported all the same.
    if (!isLimnerError(error) || error.code !== 'stopped') {
      throw error;
    }
  }
}
