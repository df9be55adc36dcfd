import { join } from 'node:path';
import { type Bench, inFolder, inRounds } from '../bench.ts';
import { contend } from '../contend.ts';
import type { Measured } from '../measure.ts';
import type { Order } from '../order.ts';
import { median } from '../report.ts';
import { type Cost, judgeGrowth } from './growth.ts';

const counts = [1, 4, 16, 64];

/** In MB of base64, over four pictures, since one may have 64 MB at most. */
const answers = [1, 4, 16, 64, 200];

/** Measures what the number of pictures of a task costs the engine, with small pictures. */
export async function measurePictures(bench: Bench): Promise<void> {
  bench.report.title(`Pictures of 10 kB per task (median of ${bench.rounds})`);
  for (const delivery of ['inline', 'urls'] as const) {
    const runs = await inRounds(bench, counts, async (count) =>
      paint(bench, { count, size: 10_000, delivery }),
    );
    judgeGrowth(bench.report, delivery, costsOf(runs, 'time'), ' ms');
  }
}

/** Measures what the size of an answer costs the engine. */
export async function measureAnswers(bench: Bench): Promise<void> {
  bench.report.title(`MB of base64 in an answer of 4 pictures (median of ${bench.rounds})`);
  const runs = await inRounds(bench, answers, async (size) =>
    paint(bench, { count: 4, size: (size * 1e6 * 3) / 16, delivery: 'inline' }),
  );
  judgeGrowth(bench.report, 'time', costsOf(runs, 'time'), ' ms');
  judgeGrowth(bench.report, 'memory growth', costsOf(runs, 'growth'), ' MB');
}

async function paint(bench: Bench, order: Order): Promise<Measured> {
  const { baseUrl, scratch } = bench;
  return inFolder(bench, async (folder) =>
    contend('engine', { order, files: [], baseUrl, home: join(scratch, 'home-growth'), folder }),
  );
}

function costsOf(runs: ReadonlyMap<number, Measured[]>, what: 'time' | 'growth'): Cost[] {
  return [...runs].map(([size, measured]) => ({
    size,
    cost: median(measured.map((run) => run[what] ?? Number.NaN)),
  }));
}
