import {
  canBeFinished,
  canBeKept,
  canBeResumed,
  canSaveAgain,
  hasImage,
  isRecoverable,
  mayBeSolid,
  restorable,
  standingOf,
} from '../../common/taskStatus.ts';
import type { Task, TaskResult } from '../task/task.ts';

const taskActions = [
  'stop',
  'cancel',
  'tryNow',
  'resume',
  'runAgain',
  'runSynchronously',
  'saveAgain',
  'fetchAgain',
  'finishAgain',
  'keepAnyway',
  'keepSolid',
  'remove',
  'images',
  'oneImage',
  'manyImages',
  'oneEdit',
  'restore',
  'recover',
] as const;

export type TaskAction = (typeof taskActions)[number];

/** Whether a host doesn't send an image that the service has generated. */
function isWaitedFor({ troubleSince, results }: Task): boolean {
  return troubleSince !== undefined && results.some(({ state }) => state === 'remote');
}

/** Returns what a user can do, at no cost, with an image whose background was removed or should have been. */
export function cutoutActions({
  finished,
}: Pick<TaskResult, 'finished'>): Extract<TaskAction, 'keepAnyway' | 'keepSolid'>[] {
  const cutout = finished && 'cutout' in finished ? finished.cutout : undefined;
  if (!cutout) {
    return [];
  }
  return canBeKept(cutout) ? ['keepAnyway'] : mayBeSolid(cutout) ? ['keepSolid'] : [];
}

/** Returns what a user can do with a task as it stands; the menus of its row ask for these words. */
export function availableActions(task: Task): TaskAction[] {
  const { status, held, error, request } = task;
  const standing = standingOf(task);
  const saved = task.results.filter(({ state, discarded }) => state === 'saved' && !discarded);
  const images = saved.length;
  const hasBytes = task.results.some((result) => result.state !== 'saved' && hasImage(result));
  const canFetch = canSaveAgain(task) && !hasBytes;
  // Fetching asks the service for new addresses as well.
  const isFetched = canFetch && task.results.every(({ url }) => url !== undefined);
  const possible: Record<TaskAction, boolean> = {
    stop: standing !== 'ended' && (status === 'saving' ? isWaitedFor(task) : status !== 'waiting'),
    cancel: status === 'waiting',
    tryNow: standing === 'running' && task.retryAt !== undefined,
    resume: standing === 'paused' || (canBeResumed(task) && !isFetched),
    runAgain: standing === 'ended',
    runSynchronously: status === 'failed' && error?.code === 'no_async_channel',
    saveAgain: canSaveAgain(task) && hasBytes,
    fetchAgain: canFetch,
    keepAnyway: images === 1 && saved.some((image) => cutoutActions(image).includes('keepAnyway')),
    keepSolid: images === 1 && saved.some((image) => cutoutActions(image).includes('keepSolid')),
    finishAgain: task.results.some((result) => canBeFinished(task, result)),
    remove: standing === 'ended' || held === true,
    images: images > 0,
    oneImage: images === 1,
    manyImages: images > 1,
    oneEdit: images === 1 && request.kind === 'edit',
    // Of an image whose own file is gone or discarded, too.
    restore: task.results.some((result) => restorable(result) !== undefined),
    recover: task.results.some((result) => isRecoverable(result)),
  };
  return taskActions.filter((action) => possible[action]);
}
