import { backoff } from '../../common/backoff.ts';
import { sleep } from '../../common/clock.ts';
import type { Poller } from './poller.ts';
import { recover } from './recovery.ts';
import { isOver, type Run } from './run.ts';
import { save } from './saving.ts';
import { submit } from './submission.ts';
import type { Task } from '../task.ts';
import { watch } from './watching.ts';

/** How long a task rests whose step failed in a way that nobody foresaw, in milliseconds: first and at most. */
const firstPause = 2000;
const longestPause = 60_000;

/**
 * Takes a task from step to step until it has ended or this window has nothing more to do with it. Each step is
 * chosen by the row as it is then.
 *
 * @param first what comes before the first step, for a task that was taken over
 */
export async function drive(
  run: Run,
  poller: Poller,
  first: ((run: Run) => Promise<void>) | undefined,
): Promise<void> {
  const { clock, log } = run.context;
  let next = first;
  for (let failures = 0; !run.ended.aborted;) {
    try {
      await next?.(run);
      next = undefined;
      if (!(await goOn(run, poller))) {
        return;
      }
      failures = 0;
    } catch (error) {
      if (!run.ended.aborted) {
        log.error(`Task ${run.id}: ${String(error)}`);
        await sleep(clock, backoff(failures++, firstPause, longestPause), run.ended).catch(() => {});
      }
    }
  }
}

/**
 * Takes the next step of a task.
 *
 * @returns whether there is another one
 * @throws Error when the step did not move the task, so that it is not gone through for ever
 */
async function goOn(run: Run, poller: Poller): Promise<boolean> {
  const task = run.task();
  if (!task || isOver(task)) {
    return false;
  }
  await step(run, task, poller);
  if (!run.ended.aborted && JSON.stringify(run.task()) === JSON.stringify(task)) {
    throw new Error(`It does not get beyond "${task.status}".`);
  }
  return true;
}

/** Does what comes next for a task; returns when its row has changed or the run has ended. */
async function step(run: Run, task: Task, poller: Poller): Promise<void> {
  switch (task.status) {
    case 'waiting':
      await submit(run, task);
      break;
    case 'queued':
    case 'in_progress':
    case 'needs_key':
      if (task.remoteId === undefined) {
        await recover(run);
      } else {
        await watch(run, task, task.remoteId, poller);
      }
      break;
    case 'submitting':
      await recover(run);
      break;
    case 'saving':
      await save(run);
      break;
    case 'completed':
    case 'failed':
    case 'unknown':
    case 'stopped':
    case 'expired':
      break;
  }
}
