/** Where a task stands; the service's own words where it has them. */
export const taskStatuses = [
  'waiting',
  'submitting',
  'queued',
  'in_progress',
  'needs_key',
  'saving',
  'completed',
  'failed',
  'unknown',
  'stopped',
  'expired',
] as const;

export type TaskStatus = (typeof taskStatuses)[number];

/** In which order tasks stand in a list: a window works on it, it waits for a person, or it has ended. */
export type Standing = 'running' | 'paused' | 'ended';

interface Task {
  status: TaskStatus;
  held?: true;
}

const standings: Record<TaskStatus, Standing> = {
  waiting: 'running',
  submitting: 'running',
  queued: 'running',
  in_progress: 'running',
  needs_key: 'paused',
  saving: 'running',
  completed: 'ended',
  failed: 'ended',
  unknown: 'ended',
  stopped: 'ended',
  expired: 'ended',
};

/** Returns where a task stands; `TaskStore.unfinished` has those that run or are paused. */
export function standingOf({ status, held }: Task): Standing {
  return held && !isTerminal(status) ? 'paused' : standings[status];
}

/** Returns the statuses in which a task stands so unless it is held. */
export function statusesOf(standing: Standing): TaskStatus[] {
  return taskStatuses.filter((status) => standings[status] === standing);
}

/** Whether a task has ended, until a person resumes it. */
export function isTerminal(status: TaskStatus): boolean {
  return standings[status] === 'ended';
}

export function isRunning(task: Task): boolean {
  return standingOf(task) === 'running';
}

/** Whether a window holds the task's lease: it works on it, or waits for its key. */
export function isLive({ status, held }: Task): boolean {
  return !isTerminal(status) && !held;
}
