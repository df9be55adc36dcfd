import { isTerminal } from '../common/taskStatus.ts';
import type { Task } from './task.ts';

/** How long after its end a task still stands for the same call, in milliseconds: agents repeat what they lost. */
const repeatTime = 60_000;

/** Whether a task stands for the same call of an agent: it runs, or ended just now and may have been billed. */
export function standsForCall(
  { status, error, createdAt, finishedAt = createdAt }: Task,
  now: number,
): boolean {
  if (!isTerminal(status)) {
    return true;
  }
  const wasFree = error?.billing === 'no' || error?.billing === 'refunded';
  // A clock that was ahead then, and was set right, makes no time since.
  const isRecent = Math.abs(now - finishedAt) < repeatTime;
  return !((status === 'failed' || status === 'stopped') && wasFree) && isRecent;
}
