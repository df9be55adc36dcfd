import type { Task, TaskResult, TaskStatus } from '../tasks/task.ts';
import { standingOf } from './taskNode.ts';
import { taskActions } from './names.ts';

export type TaskAction = (typeof taskActions)[keyof typeof taskActions];

/** What a person can do with a task as it stands; the menus of its row ask for these words. */
export function actionsOf(task: Task): TaskAction[] {
  const { status, held, error, request } = task;
  const standing = standingOf(task);
  const images = task.results.filter(({ state }) => state === 'saved').length;
  const possible: Record<TaskAction, boolean> = {
    stop: standing !== 'ended' && status !== 'saving',
    resume: standing === 'paused' || canBeResumed(task),
    runAgain: standing === 'ended',
    runSynchronously: status === 'failed' && error?.code === 'no_async_channel',
    saveAgain: savedAgain.has(status) && task.results.some(canBeSaved),
    remove: standing === 'ended' || held === true,
    images: images > 0,
    oneImage: images === 1,
    oneEdit: images === 1 && request.kind === 'edit',
  };
  return Object.values(taskActions).filter((action) => possible[action]);
}

const savedAgain: ReadonlySet<TaskStatus> = new Set(['completed', 'failed', 'expired']);

/** Whether the service can be asked again for an ended task, as the engine sees it: what it failed itself is final. */
function canBeResumed({ status, remoteId, error, results }: Task): boolean {
  const isOpen =
    status === 'stopped' ||
    status === 'expired' ||
    (status === 'failed' &&
      error?.billing !== 'refunded' &&
      (results.length === 0 || !results.every(isHere)));
  return remoteId !== undefined && isOpen;
}

function isHere({ state, incoming }: TaskResult): boolean {
  return state === 'saved' || incoming !== undefined;
}

/** Whether a picture that is no file can become one without paying again. */
export function canBeSaved({ state, error, incoming, url }: TaskResult): boolean {
  return (
    state === 'incoming' ||
    (state === 'failed' &&
      (url !== undefined || (incoming !== undefined && error?.code !== 'unsupported_image')))
  );
}
