/**
 * `npm run bench [-- <rounds>]`: in every round each contender works once, in a fresh process, one after the other.
 * Printed are medians over the rounds, and for the budgets the medians of the ratios within each round, which bear
 * a machine that others use, too. At the end come the stalls that the worst answers cause and the frames of the
 * studio's brush, in milliseconds. Needs `curl` on the path and the built bundles.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureStalls } from './answers/stalls.ts';
import { contend, start } from './contend.ts';
import type { Measured } from './measure.ts';
import { type Contender, maxFrameTime, maxStall, ours, type RowName, rows, sizes } from './rows.ts';
import { measureBrushes } from './studio/brushFrames.ts';

/** The measurements of every contender of a row, round by round. */
type Runs = ReadonlyMap<Contender, Measured[]>;

const rounds = Number(process.argv[2] ?? 9);
const here = import.meta.dirname;
const scratch = mkdtempSync(join(tmpdir(), 'limner-bench-'));
const server = fork(join(here, 'server.ts'));
const [baseUrl] = (await once(server, 'message')) as [string];
const inputs = uploadFiles();
let missed = 0;
try {
  const starting = await measureStart();
  for (const row of Object.keys(rows) as RowName[]) {
    await measureRow(row, starting);
  }
} finally {
  server.kill();
  rmSync(scratch, { recursive: true });
}
console.log(`\nThe worst answers of 1 MB (median of ${rounds})`);
for (const { kind, what, stall } of await measureStalls(rounds)) {
  verdict(`${kind}: longest stall, by "${what}"`, stall, maxStall, ' ms');
}
console.log('\nSizes');
for (const [file, limit] of Object.entries(sizes)) {
  verdict(file, statSync(join(here, '..', file)).size / 1000, limit / 1000, ' KB');
}
console.log('\nA brush moves on 4096 × 4096 pixels in the studio');
for (const { brush, frames } of await measureBrushes()) {
  verdict(`${brush}: median frame`, median(frames), maxFrameTime, ' ms');
}
console.log(missed === 0 ? '\nEvery budget is met.' : `\n${missed} budgets are missed.`);

/** The start of `dist/limner.js` is no part of moving pictures: it is shown, and taken off before judging. */
async function measureStart(): Promise<Measured> {
  const runs: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    runs.push(await inFolder('start', (folder) => start({ row: 'inline', baseUrl, folder, files: [] })));
  }
  const median = medians(runs);
  console.log(`\nlimner starts, opens its store and ends (median of ${rounds})\n${line('limner', median)}`);
  return median;
}

async function measureRow(row: RowName, starting: Measured): Promise<void> {
  const { title, contenders } = rows[row];
  console.log(`\n${title} (median of ${rounds})`);
  const runs = new Map<Contender, Measured[]>(contenders.map((name) => [name, []]));
  const files = row === 'upload' ? inputs : [];
  for (let round = -1; round < rounds; round++) {
    for (const name of contenders) {
      const measured = await inFolder(name, (folder) => contend(name, { row, baseUrl, folder, files }));
      // The first round only warms the file cache.
      if (round >= 0) {
        runs.get(name)?.push(measured);
      }
    }
  }
  for (const [name, measured] of runs) {
    console.log(line(name, medians(measured)));
  }
  for (const name of ours.filter((candidate) => contenders.includes(candidate))) {
    judge(row, name, runs, name === 'limner' ? starting : undefined);
  }
}

async function inFolder(name: string, work: (folder: string) => Promise<Measured>): Promise<Measured> {
  const folder = mkdtempSync(join(scratch, `${name}-`));
  const measured = await work(folder);
  rmSync(folder, { recursive: true });
  return measured;
}

function judge(row: RowName, name: Contender, runs: Runs, starting: Measured | undefined): void {
  const { times = {}, growth, stall } = rows[row].budget;
  const mine = (runs.get(name) ?? []).map((run) => ({
    time: run.time - (starting?.time ?? 0),
    growth: run.growth - (starting?.growth ?? 0),
    stall: run.stall,
  }));
  const who = starting ? `${name} less its start` : name;
  for (const [other, limit] of Object.entries(times) as ['curl' | 'openai', number][]) {
    const theirs = runs.get(other) ?? [];
    const ratios = mine.map((run, round) => run.time / (theirs[round]?.time ?? Number.NaN));
    verdict(`${who}: time / ${other}`, median(ratios), limit, ' ×');
  }
  if (growth !== undefined) {
    verdict(`${who}: memory growth`, median(mine.map((run) => run.growth)), growth, ' MB');
  }
  if (stall !== undefined) {
    verdict(`${name}: longest stall`, median(mine.map((run) => run.stall)), stall, ' ms');
  }
}

function verdict(what: string, value: number, limit: number, unit: string): void {
  const met = value <= limit;
  missed += met ? 0 : 1;
  console.log(`    ${met ? 'met   ' : 'MISSED'} ${what} ${value.toFixed(2)}${unit}, at most ${limit}${unit}`);
}

function line(name: Contender, { time, growth, stall }: Measured): string {
  const timed = `  ${name.padEnd(7)} ${time.toFixed(0).padStart(5)} ms`;
  const isBare = name === 'curl' || name === 'synced';
  return isBare ? timed : `${timed}, +${growth.toFixed(0)} MB, longest stall ${stall.toFixed(1)} ms`;
}

function medians(runs: readonly Measured[]): Measured {
  return {
    time: median(runs.map((run) => run.time)),
    growth: median(runs.map((run) => run.growth)),
    stall: median(runs.map((run) => run.stall)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function uploadFiles(): string[] {
  const header = Buffer.from('89504e470d0a1a0a0000000d49484452000008000000080008060000', 'hex');
  return [0, 1, 2, 3].map((index) => {
    const file = join(scratch, `input-${index}.png`);
    writeFileSync(file, Buffer.concat([header, Buffer.alloc(20_000_000 - header.length, index + 1)]));
    return file;
  });
}
