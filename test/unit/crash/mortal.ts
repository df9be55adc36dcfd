import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Fault } from '../../../src/demo/faults/faultCatalog.ts';
import { eventually } from '../../support/eventually.ts';
import { apiKey, longest } from '../../support/cli/limner.ts';
import { bundledProgram } from '../../support/cli/program.ts';
import { wasKilled } from '../../support/platform.ts';
import { type Asked, type KillPoint, faultsFor } from './killPoint.ts';
import type { Lane } from './lane.ts';
import { stepsChannel } from './stepsChannel.ts';

/** `LIMNER_CRASH_PROGRAM` names another bundle, such as the one that ships. */
const program = process.env['LIMNER_CRASH_PROGRAM'] ?? bundledProgram();
const steps = new URL('steps.ts', import.meta.url).href;

/** What a process came to. */
export interface Ended {
  killed: boolean;
  code: number | null;
  stderr: string;
  /** The steps that it began; it died before the last one, or later. */
  steps: readonly string[];
  /** Milliseconds from its start to its first question or download, if it came to that. */
  latency?: number;
}

/** Where and how processes run. */
export interface Place {
  lane: Lane;
  home: string;
  /** Where they are started. */
  folder: string;
  /** Whether the file system has links. */
  links: boolean;
  /** What is wrong with the service all the time. */
  faults: readonly Partial<Fault>[];
}

/** Runs `limner` until it ends or is killed. */
export async function run(
  place: Place,
  parameters: readonly string[],
  killPoint?: KillPoint,
): Promise<Ended> {
  const { lane, faults } = place;
  const { entries } = await lane.count();
  await lane.setFaults([...(killPoint ? faultsFor(killPoint) : []), ...faults]);
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', steps, program, ...parameters], {
    cwd: place.folder,
    timeout: longest,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: environment(place, killPoint),
  });
  const strike = (delay: number): void => void setTimeout(() => child.kill('SIGKILL'), delay);
  const startedSteps: string[] = [];
  let latency: number | undefined;
  using _ = lane.wire.onRequest((asked) => {
    if (asked !== 'post') {
      latency ??= performance.now() - started;
    }
    if (killPoint?.when === 'unanswered' && killPoint.asked === asked) {
      strike(killPoint.delay);
    } else if (killPoint?.when === 'accepted' && asked === 'post') {
      void accepted(lane, entries).then(() => strike(0));
    }
  });
  if (killPoint?.when === 'time') {
    strike(killPoint.delay);
  }
  const [, , errors, lines] = child.stdio;
  assert.ok(errors instanceof Readable && lines instanceof Readable);
  createInterface(lines).on('line', (line) => {
    startedSteps.push(line);
    if (
      (killPoint?.when === 'after' && startedSteps.length === killPoint.step) ||
      (killPoint?.when === 'half' && isAnswerTo(killPoint.asked, line))
    ) {
      strike(killPoint.delay);
    }
  });
  const stderr = text(errors);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject).once('close', (...ending) => resolve(ending));
  });
  await lane.wire.quiet();
  await lane.setFaults([]);
  return {
    killed: wasKilled(code, signal),
    code,
    stderr: await stderr,
    steps: startedSteps,
    ...(latency !== undefined && { latency }),
  };
}

function environment({ lane, home, links }: Place, killPoint: KillPoint | undefined): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    LIMNER_BASE_URL: lane.world.demo.baseUrl,
    LIMNER_API_KEY: apiKey,
    LIMNER_MODEL: 'demo-painter',
    LIMNER_HOME: home,
    [stepsChannel.linksVariable]: links ? 'real' : 'none',
    ...(killPoint?.when === 'before' && {
      [stepsChannel.killVariable]: `${killPoint.name ?? ''}#${killPoint.step}`,
    }),
  };
}

function isAnswerTo(asked: Asked, step: string): boolean {
  return step.startsWith(`received ${asked} `);
}

/** Waits until the ledger has a new entry. */
async function accepted(lane: Lane, before: number): Promise<void> {
  await eventually(
    `the service has more than ${before} entries`,
    async () => lane.count(),
    ({ entries }) => entries > before,
  );
}
