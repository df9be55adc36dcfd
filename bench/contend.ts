import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Measured } from './measure.ts';
import { type Contender, prompts, type RowName } from './rows.ts';

/** The input of one run of a contender. */
export interface Round {
  row: RowName;
  /** Of the bench's server. */
  baseUrl: string;
  /** Its own, and empty. */
  folder: string;
  /** The files that the row uploads, if any. */
  files: readonly string[];
}

const here = import.meta.dirname;
const unmeasured = { growth: 0, stall: 0 };

/** Lets one contender do its work once, in a fresh process. */
export async function contend(name: Contender, round: Round): Promise<Measured> {
  switch (name) {
    case 'curl':
      return timed(() => curl(round));
    case 'synced':
      return timed(async () => {
        await curl(round);
        await textOf(spawn('sync', outputs(round), { stdio: ['ignore', 'pipe', 'inherit'] }), 1);
      });
    case 'limner':
      return limner(paintArguments(round), round);
    case 'client':
    case 'engine':
    case 'openai':
      return inProcess(name, round);
  }
}

/** Measures `dist/limner.js` as it starts, opens its store and ends, without any picture. */
export async function start(round: Round): Promise<Measured> {
  return limner(['tasks'], round);
}

async function inProcess(name: Contender, { baseUrl, folder, row, files }: Round): Promise<Measured> {
  const script = join(here, 'contenders', `${name}.ts`);
  const child = spawn(process.execPath, ['--expose-gc', script, baseUrl, folder, row, ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await textOf(child, 1)) as Measured;
}

function paintArguments({ row, folder, files }: Round): string[] {
  const [command, count] = files.length > 0 ? ['edit', '1'] : ['generate', '4'];
  const images = files.flatMap((file) => ['--image', file]);
  const style = ['--call-style', 'sync', '--n', count, '--folder', join(folder, 'out')];
  return [command, prompts[row], ...style, ...images];
}

async function limner(parameters: readonly string[], { baseUrl, folder }: Round): Promise<Measured> {
  const probe = ['--import', join(here, 'contenders', 'probe.ts')];
  const program = join(here, '..', 'dist', 'limner.js');
  const child = spawn(process.execPath, [...probe, program, ...parameters], {
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

async function timed(work: () => Promise<unknown>): Promise<Measured> {
  const started = performance.now();
  await work();
  return { time: performance.now() - started, ...unmeasured };
}

async function curl(round: Round): Promise<string> {
  const { row, baseUrl, files } = round;
  const targets = outputs(round).flatMap((file) => ['--output', file]);
  const parameters = {
    inline: [
      ...targets,
      '--json',
      JSON.stringify({ prompt: prompts.inline }),
      `${baseUrl}/v1/images/generations`,
    ],
    urls: [...targets, ...[0, 1, 2, 3].map((index) => `${baseUrl}/api/async-images/${index}.png`)],
    upload: [
      ...targets,
      '--form',
      `prompt=${prompts.upload}`,
      ...files.flatMap((file) => ['--form', `image[]=@${file}`]),
      `${baseUrl}/v1/images/edits`,
    ],
  };
  const quiet = ['--silent', '--fail'];
  return textOf(spawn('curl', [...quiet, ...parameters[row]], { stdio: ['ignore', 'pipe', 'inherit'] }), 1);
}

/** The files that `curl` writes. */
function outputs({ row, folder }: Round): string[] {
  const count = row === 'urls' ? 4 : 1;
  return Array.from({ length: count }, (_, index) => join(folder, `${index}.out`));
}

/** Returns what a child wrote to a descriptor, once it has exited with 0. */
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
