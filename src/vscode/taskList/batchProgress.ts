import { canBeResumed, canSaveAgain, isRunning, standingOf } from '../../common/taskStatus.ts';
import type { Task } from '../../engine/task/task.ts';

/** Progress of tasks that were started together. An image that was generated again counts once. */
export interface BatchProgress {
  images: number;
  saved: number;
  open: Task[];
  /** Those of them that wait for the user: they weren't sent before their window closed, or lack a key. */
  paused: Task[];
  /** For each image that is neither saved nor in progress: the task that can still save it, else the latest. */
  failed: Task[];
}

export function progressOf(tasks: readonly Task[]): BatchProgress {
  const progress: BatchProgress = { images: 0, saved: 0, open: [], paused: [], failed: [] };
  const byImage = Map.groupBy(tasks, ({ request }) => request.batch?.index);
  for (const group of byImage.values()) {
    const open = group.filter((task) => standingOf(task) !== 'ended');
    const saved = group.filter(({ results }) => results.some(({ state }) => state === 'saved'));
    // An image on white is the first half of one, unless it came without a background; the second may not have begun yet.
    const isSaved = saved.some(
      ({ request, results }) =>
        !request.onBlack || results.some(({ finished }) => finished && 'cutout' in finished),
    );
    const isHalf = saved.length > 0 && !group.some(({ request }) => request.finish?.cutout?.by === 'grounds');
    const latest = group.reduce((one, other) => (one.id > other.id ? one : other));
    progress.images++;
    progress.saved += isSaved ? 1 : 0;
    progress.open.push(...open);
    progress.paused.push(...open.filter((task) => !isRunning(task)));
    if (!isSaved && !isHalf && open.length === 0) {
      progress.failed.push(group.find(canSaveAgain) ?? latest);
    }
  }
  return progress;
}

/** Whether only a new request can bring the image of a task that ended. */
export function isLost(task: Task): boolean {
  return !canSaveAgain(task) && !canBeResumed(task);
}
