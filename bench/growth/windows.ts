import { join } from 'node:path';
import { type Bench, inFolder, inRounds } from '../bench.ts';
import { timeOf } from '../measure.ts';
import { median } from '../report.ts';
import { judgeGrowth } from './growth.ts';
import { BenchWindow, type WindowAnswer, type WindowOrder } from './benchWindow.ts';

const counts = [1, 2, 4, 8];
const tasks = 8;

/** What was measured with some windows, in milliseconds. */
interface Times {
  together: number;
  watched: number;
  computed: number;
}

/**
 * Measures what the number of windows on one home costs: when each works on some tasks, until the last one is done; when
 * one works on as many and the others watch, until the trees of all show them as completed, and how long all of them
 * have computed. Their start is no part of it.
 */
export async function measureWindows(bench: Bench): Promise<void> {
  const { rounds, report } = bench;
  report.title(`Windows on one home (median of ${rounds})`);
  const runs = await inRounds(bench, counts, async (count) =>
    inFolder(bench, async (folder) => useWindows(bench, count, folder)),
  );
  const judge = (what: string, time: keyof Times): void => {
    const costs = [...runs].map(([size, all]) => ({ size, cost: median(all.map((times) => times[time])) }));
    judgeGrowth(report, what, costs, ' ms');
  };
  judge(`${tasks} tasks of each window, until all are completed`, 'together');
  judge(`${tasks} tasks of one window, until all windows show them`, 'watched');
  judge(`${tasks} tasks of one window, computing of all windows`, 'computed');
}

async function useWindows({ baseUrl }: Bench, count: number, folder: string): Promise<Times> {
  const windows = await Promise.all(
    Array.from({ length: count }, async () =>
      BenchWindow.open(join(folder, 'home'), baseUrl, join(folder, 'out')),
    ),
  );
  const all = async (order: WindowOrder): Promise<WindowAnswer[]> =>
    Promise.all(windows.map(async (window) => window.order(order)));
  const computedBy = async (show: readonly string[]): Promise<number> =>
    (await all({ show })).reduce((sum, { computed }) => sum + computed, 0);
  const [together, painted] = await timeOf(async () => all({ paint: tasks }));
  const before = await computedBy(painted.flatMap(({ ids }) => ids));
  const [watched, after] = await timeOf(async () => {
    const one = await windows[0]?.order({ paint: tasks });
    return computedBy(one?.ids ?? []);
  });
  await all({ close: true });
  for (const window of windows) {
    window.disconnect();
  }
  return { together, watched, computed: after - before };
}
