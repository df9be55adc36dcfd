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
