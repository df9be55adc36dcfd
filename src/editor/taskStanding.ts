import type { Task } from '../tasks/task.ts';

/** In which order tasks stand in the list: a window works on it, it waits for a person, or it has ended. */
export type Standing = 'running' | 'paused' | 'ended';

/** Where a task stands; `TaskStore.unfinished` has those that run or are paused. */
export function standingOf({ status, held }: Task): Standing {
  switch (status) {
    case 'waiting':
    case 'submitting':
    case 'queued':
    case 'in_progress':
    case 'saving':
      return held ? 'paused' : 'running';
    case 'needs_key':
      return 'paused';
    case 'completed':
    case 'failed':
    case 'unknown':
    case 'stopped':
    case 'expired':
      return 'ended';
  }
}

/** Whether a window works on the task. */
export function isRunning(task: Task): boolean {
  return standingOf(task) === 'running';
}
