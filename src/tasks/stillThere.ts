import type { Task } from './task.ts';

/** How long a service keeps pictures (service-api.md), and with them what became of a task; in milliseconds. */
export const longestAtService = 6 * 60 * 60_000;

/**
 * Whether a task that has ended may still bring a picture without being paid for again: the service may have one that
 * is no file yet.
 *
 * @param now in Unix milliseconds
 */
export function isStillThere(task: Task, now: number): boolean {
  const { status, remoteId, error, results, createdAt, finishedAt = createdAt } = task;
  // What has expired was kept since it was made, not since it was missed.
  if ((status === 'expired' ? createdAt : finishedAt) <= now - longestAtService) {
    return false;
  }
  const isUnknownThere =
    status === 'stopped' ||
    (status === 'failed' && error?.code !== 'image_generation_failed' && error?.code !== 'content_rejected');
  return (
    (isUnknownThere && remoteId !== undefined) ||
    results.some(({ state, url }) => state !== 'saved' && url !== undefined)
  );
}
