import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Measured } from './measure.ts';
import { type Order, promptOf } from './order.ts';
import type { Contender } from './rows.ts';

/** The input of one run of a contender. */
export interface Round {
  order: Order;
  /** The files that are uploaded, if any. */
  files: readonly string[];
  /** Of the bench's server. */
  baseUrl: string;
  /** Limner's, the same in every round. */
  home: string;
  /** Where files go; its own, and empty. */
  folder: string;
}

const here = import.meta.dirname;

/** The program as it ships. */
export const program = join(here, '..', 'dist', 'limner.js');

/** Lets one contender do its work once, in a fresh process. */
export async function contend(name: Contender, round: Round): Promise<Measured> {
  switch (name) {
    case 'curl':
      return timed('curl', [...curlParameters(round), ...answerFile(round)], { cwd: round.folder });
    case 'pipeline': {
      const { order, files, folder } = round;
      const script = [join(here, 'contenders', 'pipeline.sh'), order.delivery, files.join('\n')];
      return timed('sh', [...script, ...curlParameters(round)], { cwd: folder });
    }
    case 'limner':
      return whole([program, ...paintArguments(round)], round);
    case 'script':
      return whole([join(here, 'peers', 'script.js'), ...workArguments(round)], round);
    case 'client':
    case 'engine':
      return inside(join(here, 'contenders', `${name}.ts`), workArguments(round), limnerEnvironment(round));
    case 'openai':
    case 'genai':
    case 'ai':
      return inside(join(here, 'peers', `${name}.ts`), workArguments(round), limnerEnvironment(round));
  }
}

/** Measures a program from its start to its end, and nothing else. */
export async function timed(
  command: string,
  parameters: readonly string[],
  options: SpawnOptions,
): Promise<Measured> {
  const started = performance.now();
  await textOf(spawn(command, parameters, { stdio: ['ignore', 'ignore', 'inherit'], ...options }));
  return { time: performance.now() - started };
}

/** Returns the environment of `limner`. */
export function limnerEnvironment({ baseUrl, home }: Pick<Round, 'baseUrl' | 'home'>): NodeJS.ProcessEnv {
  return {
    ...process.env,
    LIMNER_BASE_URL: baseUrl,
    LIMNER_API_KEY: 'bench',
    LIMNER_MODEL: 'bench',
    LIMNER_HOME: home,
  };
}

/** Measures a process of Node from its start to its end; a probe in it says what it did to memory and event loop. */
async function whole(parameters: readonly string[], round: Round): Promise<Measured> {
  const probe = ['--require', join(here, 'contenders', 'probe.cjs')];
  const started = performance.now();
  const child = spawn(process.execPath, [...probe, ...parameters], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: limnerEnvironment(round),
  });
  const text = await textOf(child, 3);
  return { time: performance.now() - started, ...(JSON.parse(text) as Omit<Measured, 'time'>) };
}

/** Has a process measure its work itself, without its start. */
export async function inside(
  script: string,
  parameters: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Measured> {
  const child = spawn(process.execPath, ['--expose-gc', script, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  return JSON.parse(await textOf(child, 1)) as Measured;
}

function workArguments({ order, files, baseUrl, folder }: Round): string[] {
  return [baseUrl, join(folder, 'out'), promptOf(order), String(order.count), ...files];
}

function paintArguments({ order, files, folder }: Round): string[] {
  const images = files.flatMap((file) => ['--image', file]);
  const style = ['--call-style', 'sync', '--n', String(order.count), '--folder', join(folder, 'out')];
  return [files.length > 0 ? 'edit' : 'generate', promptOf(order), ...style, ...images];
}

function curlParameters({ order, files, baseUrl }: Round): string[] {
  const quiet = ['--silent', '--fail'];
  if (files.length > 0) {
    const form = [`prompt=${promptOf(order)}`, ...files.map((file) => `image[]=@${file}`)];
    return [...quiet, ...form.flatMap((field) => ['--form', field]), `${baseUrl}/v1/images/edits`];
  }
  if (order.delivery === 'urls') {
    const pictures = `${baseUrl}/api/async-images/${order.size}-[0-${order.count - 1}].png`;
    return [...quiet, '--remote-name', pictures];
  }
  const body = JSON.stringify({ prompt: promptOf(order) });
  return [...quiet, '--json', body, `${baseUrl}/v1/images/generations`];
}

/** Tells curl where an answer goes; pictures are named by their URLs. */
function answerFile({ order, files }: Round): string[] {
  return order.delivery === 'urls' && files.length === 0 ? [] : ['--output', 'answer.json'];
}

/** Returns what a child wrote to a descriptor, once it has exited with 0. */
async function textOf(child: ChildProcess, descriptor = 1): Promise<string> {
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
