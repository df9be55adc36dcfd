import { setTimeout as sleep } from 'node:timers/promises';
import type { ManualClock } from '../manualClock.ts';

/** For which a locked store is left alone before it is tried again, in milliseconds. */
const longestPause = 400;

/**
 * Waits for work during which another process may hold the store: the pauses until it is tried again are on the clock,
 * but that process goes on in real time.
 */
export async function withoutLocks<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  const isDone = work.then(() => true);
  while (!(await Promise.race([isDone, sleep(1, false)]))) {
    const pause = clock.nextDue - clock.now();
    if (pause <= longestPause) {
      await clock.pass(pause);
    }
  }
  return work;
}
