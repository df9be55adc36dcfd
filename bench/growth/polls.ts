import { taskDuration, WindowProcesses } from '../../test/support/engine/windowProcesses.ts';
import type { Report } from '../report.ts';
import { maxPolls } from '../rows.ts';

/** How many tasks each window starts. */
const shares = [[1], [10], [50], [25, 25], [13, 13, 12, 12]];

/** The step in which time passes everywhere, in milliseconds: no longer than the jitter of an interval. */
const step = 100;

/** First and longest interval between two polls of a task, in milliseconds, and how it grows (docs/service.md, "Polling"). */
const firstInterval = 2000;
const maxInterval = 4500;
const easing = 1.2;

/**
 * Counts the polls of tasks at the demo service, in time that is moved, so that no mood of the machine changes them.
 * What the tasks need is, for each, its time divided by its interval, rounded up: a poll at the end of each interval until
 * the one that finds it completed, where the interval grows from 2 s to less than 5 s.
 */
export async function measurePolls(report: Report): Promise<void> {
  report.title(`Polls of tasks of ${taskDuration / 1000} s`);
  for (const share of shares) {
    const all = await WindowProcesses.open(share.length);
    try {
      for (const [index, window] of all.windows.entries()) {
        await all.start(window, share[index] ?? 0);
      }
      await finish(all);
      const count = share.reduce((sum, tasks) => sum + tasks, 0);
      const polls = await all.polls();
      const what = `${count} tasks in ${share.length} windows: ${polls} polls / needed`;
      report.judge(what, polls / (count * neededPolls(taskDuration)), maxPolls, ' ×');
    } finally {
      await all.dispose();
    }
  }
}

/** Lets time pass until every task has ended. */
async function finish({ service, windows }: WindowProcesses): Promise<void> {
  for (let running = 1; running > 0;) {
    await service.advance(step);
    const states = await Promise.all(
      windows.map(async (window) => window.order({ type: 'pass', milliseconds: step })),
    );
    running = Math.max(...states.map((state) => state.running));
  }
}

function neededPolls(duration: number): number {
  let polls = 0;
  for (let asked = 0; asked < duration; polls++) {
    asked += Math.min(firstInterval * easing ** Math.max(polls - 1, 0), maxInterval);
  }
  return polls;
}
