import { hasImage, isAskedFor } from '../../common/resultAvailability.ts';
import { isAsAsked } from './isAsAsked.ts';
import type { Task } from '../task.ts';

/** How many images a task was to bring. */
export interface ImageCounts {
  asked: number;
  /** Those whose bytes came; of images that came more than once, one. */
  received: number;
  missing: number;
}

/** Counts the images of a task. Those that a service lists beyond what was asked for are fetched only if a user says so. */
export function imageCounts({ request: { n }, results }: Pick<Task, 'request' | 'results'>): ImageCounts {
  const received = results.filter(
    (result) => isAskedFor(result) && (result.state === 'saved' || hasImage(result)),
  ).length;
  return { asked: n, received, missing: Math.max(0, n - received) };
}

/** Whether every image that was asked for is saved, whole and as asked, and no part of the answer was passed over. */
export function isFulfilled(task: Task): boolean {
  const { status, error, results, request } = task;
  return (
    status === 'completed' &&
    error === undefined &&
    imageCounts(task).missing === 0 &&
    results.filter(isAskedFor).every((result) => result.state === 'saved' && isAsAsked(request, result))
  );
}
