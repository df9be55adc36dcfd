/**
 * `npm run bench [-- <rounds> [row …]]`: measures the named rows, or all, and says which budgets are met
 * (`bench/README.md`). Printed are medians over the rounds, and for ratios the medians of those within each round, which
 * bear a machine that others use, too. Needs `curl` and coreutils on the path and the built bundles.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureStalls } from './answers/stalls.ts';
import type { Bench } from './bench.ts';
import { measureDocuments } from './documents/measureDocuments.ts';
import { measureFinishing } from './finishing/measureFinishing.ts';
import { measureAnswers, measurePictures } from './growth/pictures.ts';
import { measurePolls } from './growth/polls.ts';
import { measureTasks } from './growth/tasks.ts';
import { measureWindows } from './growth/windows.ts';
import { median, Report } from './report.ts';
import { maxFrameTime, maxStall, sizes } from './rows.ts';
import { measureStart } from './start.ts';
import { measureBrushes } from './studio/brushFrames.ts';
import { measureTransfer } from './transfer.ts';

const here = import.meta.dirname;

/** Every row by its name, in the order in which they are measured. */
const rows: Record<string, (bench: Bench) => Promise<void>> = {
  start: measureStart,
  everyday: async (bench) => measureTransfer(bench, 'everyday'),
  inline: async (bench) => measureTransfer(bench, 'inline'),
  urls: async (bench) => measureTransfer(bench, 'urls'),
  upload: async (bench) => measureTransfer(bench, 'upload'),
  tasks: measureTasks,
  pictures: measurePictures,
  answers: measureAnswers,
  windows: measureWindows,
  polls: async ({ report }) => measurePolls(report),
  finishing: measureFinishing,
  worst: measureWorstAnswers,
  documents: measureDocuments,
  sizes: measureSizes,
  brush: measureBrush,
};

const [rounds = '9', ...names] = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(rows, name));
if (!/^[1-9]\d*$/u.test(rounds) || unknown.length > 0) {
  console.error(`npm run bench -- <rounds> [row …], where a row is one of ${Object.keys(rows).join(', ')}`);
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), 'limner-bench-'));
const server = fork(join(here, 'server.ts'));
try {
  const [baseUrl] = (await once(server, 'message')) as [string];
  const bench: Bench = { rounds: Number(rounds), baseUrl, scratch, report: new Report() };
  for (const [name, measureRow] of Object.entries(rows)) {
    if (names.length === 0 || names.includes(name)) {
      await measureRow(bench);
    }
  }
  bench.report.end();
} finally {
  server.kill();
  rmSync(scratch, { recursive: true });
}

async function measureWorstAnswers({ rounds, report }: Bench): Promise<void> {
  report.title(`The worst answers of 1 MB (median of ${rounds})`);
  for (const { kind, what, stall } of await measureStalls(rounds)) {
    report.judge(`${kind}: longest stall, by "${what}"`, stall, maxStall, ' ms');
  }
}

async function measureSizes({ report }: Bench): Promise<void> {
  report.title('Sizes');
  for (const [file, limit] of Object.entries(sizes)) {
    report.judge(file, statSync(join(here, '..', file)).size / 1000, limit / 1000, ' KB');
  }
}

async function measureBrush({ report }: Bench): Promise<void> {
  report.title('A brush moves on 4096 × 4096 pixels in the studio');
  for (const { brush, frames } of await measureBrushes()) {
    report.judge(`${brush}: median frame`, median(frames), maxFrameTime, ' ms');
  }
}
