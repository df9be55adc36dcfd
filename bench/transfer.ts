import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, inFolder, inRounds } from './bench.ts';
import { contend } from './contend.ts';
import type { Measured } from './measure.ts';
import type { Order } from './order.ts';
import { makePicture } from './picture.ts';
import { median } from './report.ts';
import {
  type Contender,
  floors,
  maxGrowth,
  maxTransferStall,
  ours,
  type Row,
  type RowName,
  rows,
} from './rows.ts';

/** The measurements of every contender of a row, round by round. */
type Runs = ReadonlyMap<Contender, Measured[]>;

/** Measures a row that moves pictures: each contender does the work in a fresh process. */
export async function measureTransfer(bench: Bench, name: RowName): Promise<void> {
  const row = rows[name];
  const { order, contenders } = row;
  const { baseUrl, scratch, rounds, report } = bench;
  report.title(`${row.title} (median of ${rounds})`);
  const files = writeUploads(scratch, row);
  const runs = await inRounds(bench, contenders, async (contender) =>
    inFolder(bench, async (folder) => {
      const home = join(scratch, `home-${name}-${contender}`);
      const measured = await contend(contender, { order, files, baseUrl, home, folder });
      if (contender !== 'curl') {
        requirePictures(folder, order);
      }
      return measured;
    }),
  );
  for (const [contender, measured] of runs) {
    report.line(describe(contender, measured));
  }
  judge(bench, row, runs);
}

function writeUploads(scratch: string, { upload }: Row): string[] {
  return Array.from({ length: upload?.count ?? 0 }, (_, index) => {
    const file = join(scratch, `input-${index}.png`);
    writeFileSync(file, makePicture(upload?.size ?? 0));
    return file;
  });
}

/** @throws when what was ordered is not there, in whatever files */
function requirePictures(folder: string, { count, size }: Order): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const pictures = files.filter((file) => statSync(join(folder, file)).size === size);
  if (pictures.length !== count) {
    throw new Error(`${count} pictures of ${size} bytes were expected among ${files.join(', ')}.`);
  }
}

function judge({ report }: Bench, { times }: Row, runs: Runs): void {
  for (const name of ours) {
    const ratioTo = (other: Contender): number => {
      const theirs = runs.get(other) ?? [];
      const mine = runs.get(name) ?? [];
      return median(mine.map(({ time }, round) => time / (theirs[round]?.time ?? Number.NaN)));
    };
    for (const floor of floors) {
      report.note(`${name}: time / ${floor}`, ratioTo(floor), ' ×');
    }
    const budget = times[name];
    if (budget) {
      report.judge(`${name}: time / ${budget.to}`, ratioTo(budget.to), budget.limit, ' ×');
    }
    report.judge(`${name}: memory growth`, medianOf(runs.get(name), 'growth'), maxGrowth, ' MB');
    report.judge(`${name}: longest stall`, medianOf(runs.get(name), 'stall'), maxTransferStall, ' ms');
  }
}

function describe(name: Contender, runs: readonly Measured[]): string {
  const time = `${name.padEnd(8)} ${medianOf(runs, 'time').toFixed(0).padStart(5)} ms`;
  const [growth, stall] = [medianOf(runs, 'growth'), medianOf(runs, 'stall')];
  return Number.isNaN(growth)
    ? time
    : `${time}, +${growth.toFixed(0)} MB, longest stall ${stall.toFixed(1)} ms`;
}

function medianOf(runs: readonly Measured[] = [], what: keyof Measured): number {
  return median(runs.map((run) => run[what] ?? Number.NaN));
}
