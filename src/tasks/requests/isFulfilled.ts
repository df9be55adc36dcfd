import { imageCounts, isAskedFor } from '../../common/resultAvailability.ts';
import type { Task } from '../task.ts';
import { isAsAsked } from './isAsAsked.ts';

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
