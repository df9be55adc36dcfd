/**
 * `npm run bench`: each contender in a fresh process, one after the other in turns, medians over the rounds, ratios
 * within this run. Needs `curl` on the path and the built bundles.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measured } from './measure.ts';
import { type Budget, prompts, type RowName, rows } from './rows.ts';

type Contender = 'engine' | 'limner' | 'openai' | 'curl';
const contenders: readonly Contender[] = ['curl', 'engine', 'openai', 'limner'];
const rounds = Number(process.argv[2] ?? 5);
const here = import.meta.dirname;
const scratch = mkdtempSync(join(tmpdir(), 'limner-bench-'));

const server = fork(join(here, 'server.ts'));
const [baseUrl] = (await once(server, 'message')) as [string];
const inputs = uploadFiles();
let missed = 0;
try {
  for (const row of Object.keys(rows) as RowName[]) {
    await measureRow(row);
  }
} finally {
  server.kill();
  rmSync(scratch, { recursive: true });
}
console.log(missed === 0 ? '\nEvery budget is met.' : `\n${missed} budgets are missed.`);

async function measureRow(row: RowName): Promise<void> {
  const { title, budget } = rows[row];
  console.log(`\n${title} (median of ${rounds})`);
  const runs = Object.fromEntries(contenders.map((name) => [name, [] as Measured[]])) as Record<
    Contender,
    Measured[]
  >;
  for (let round = -1; round < rounds; round++) {
    for (const name of contenders) {
      const folder = mkdtempSync(join(scratch, `${name}-`));
      const measured = await run(name, row, folder);
      rmSync(folder, { recursive: true });
      // The first round only warms the file cache.
      if (round >= 0) {
        runs[name].push(measured);
      }
    }
  }
  const medians = Object.fromEntries(contenders.map((name) => [name, medianOf(runs[name])])) as Record<
    Contender,
    Measured
  >;
  for (const name of contenders) {
    const { time, growth, stall } = medians[name];
    const rest = name === 'curl' ? '' : `, +${growth.toFixed(0)} MB, longest stall ${stall.toFixed(1)} ms`;
    console.log(`  ${name.padEnd(7)} ${time.toFixed(0).padStart(5)} ms${rest}`);
  }
  for (const name of ['engine', 'limner'] as const) {
    judge(name, medians, budget);
  }
}

function judge(name: 'engine' | 'limner', medians: Record<Contender, Measured>, budget: Budget): void {
  const { time, growth, stall } = medians[name];
  for (const [other, limit] of Object.entries(budget.times ?? {})) {
    verdict(`${name}: time / ${other}`, time / medians[other as 'curl' | 'openai'].time, limit, '×');
  }
  if (budget.growth !== undefined) {
    verdict(`${name}: memory growth`, growth, budget.growth, ' MB');
  }
  if (budget.stall !== undefined) {
    verdict(`${name}: longest stall`, stall, budget.stall, ' ms');
  }
}

function verdict(what: string, value: number, limit: number, unit: string): void {
  const met = value <= limit;
  missed += met ? 0 : 1;
  console.log(`    ${met ? 'met   ' : 'MISSED'} ${what} ${value.toFixed(2)}${unit}, at most ${limit}${unit}`);
}

async function run(name: Contender, row: RowName, folder: string): Promise<Measured> {
  const files = row === 'upload' ? inputs : [];
  switch (name) {
    case 'curl':
      return curl(row, folder, files);
    case 'limner':
      return limner(row, folder, files);
    case 'engine':
    case 'openai':
      return inProcess(name, row, folder, files);
  }
}

async function inProcess(
  name: Contender,
  row: RowName,
  folder: string,
  files: readonly string[],
): Promise<Measured> {
  const script = join(here, 'contenders', `${name}.ts`);
  const child = spawn(process.execPath, ['--expose-gc', script, baseUrl, folder, row, ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await textOf(child, 1)) as Measured;
}

async function limner(row: RowName, folder: string, files: readonly string[]): Promise<Measured> {
  const command = files.length > 0 ? 'edit' : 'generate';
  const images = files.flatMap((file) => ['--image', file]);
  const style = [
    '--call-style',
    'sync',
    '--n',
    files.length > 0 ? '1' : '4',
    '--folder',
    join(folder, 'out'),
  ];
  const probe = ['--import', join(here, 'contenders', 'probe.ts')];
  const program = join(here, '..', 'dist', 'limner.js');
  const child = spawn(process.execPath, [...probe, program, command, prompts[row], ...style, ...images], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      LIMNER_BASE_URL: baseUrl,
      LIMNER_API_KEY: 'bench',
      LIMNER_MODEL: 'bench',
      LIMNER_HOME: join(folder, 'home'),
    },
  });
  return JSON.parse(await textOf(child, 3)) as Measured;
}

async function curl(row: RowName, folder: string, files: readonly string[]): Promise<Measured> {
  const post = ['--silent', '--fail', '--output', join(folder, 'answer')];
  const parameters = {
    inline: [
      ...post,
      '--json',
      JSON.stringify({ prompt: prompts.inline }),
      `${baseUrl}/v1/images/generations`,
    ],
    urls: [
      '--silent',
      '--fail',
      ...[0, 1, 2, 3].flatMap((index) => [
        '--output',
        join(folder, `${index}.png`),
        `${baseUrl}/api/async-images/${index}.png`,
      ]),
    ],
    upload: [
      ...post,
      '--form',
      `prompt=${prompts.upload}`,
      ...files.flatMap((file) => ['--form', `image[]=@${file}`]),
      `${baseUrl}/v1/images/edits`,
    ],
  };
  const started = performance.now();
  const child = spawn('curl', parameters[row], { stdio: ['ignore', 'pipe', 'inherit'] });
  await textOf(child, 1);
  return { time: performance.now() - started, growth: 0, stall: 0 };
}

/** What a child writes on a descriptor, once it has ended well. */
async function textOf(child: ChildProcess, descriptor: number): Promise<string> {
  let text = '';
  child.stdio[descriptor]?.on('data', (data: Buffer) => {
    text += data.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) {
    throw new Error(`${child.spawnargs.join(' ')} ended with ${code}.`);
  }
  return text;
}

function medianOf(runs: readonly Measured[]): Measured {
  const median = (pick: (run: Measured) => number): number =>
    runs.map(pick).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)] ?? Number.NaN;
  return {
    time: median((run) => run.time),
    growth: median((run) => run.growth),
    stall: median((run) => run.stall),
  };
}

function uploadFiles(): string[] {
  const header = Buffer.from('89504e470d0a1a0a0000000d49484452000008000000080008060000', 'hex');
  return [0, 1, 2, 3].map((index) => {
    const file = join(scratch, `input-${index}.png`);
    writeFileSync(file, Buffer.concat([header, Buffer.alloc(20_000_000 - header.length, index + 1)]));
    return file;
  });
}
