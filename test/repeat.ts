/**
 * Runs tests again and again, to find those that fail now and then:
 *
 *   npm run test:repeat -- <floor or files> [--times 10] [--load 2]
 *
 * `--load` keeps so many busy loops running beside them. Prints for each test that ever failed how often it did, with
 * the error and the picture of each failure, or the log where there is no picture; exits with 1 if there is any.
 */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { asFloor, floorOf, runFloors, type FloorName, type Run } from './floors/floors.ts';
import { outFolder } from './support/folders.ts';
import { requireNode24 } from './support/nodeVersion.ts';
import { pictureOf, picturesVariable } from './ui/failureScreenshot.ts';

requireNode24();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '10' }, load: { type: 'string', default: '0' } },
});
const times = wholeNumber('--times', values.times);
const load = wholeNumber('--load', values.load);
const wanted = byFloor(positionals);
const folder = join(outFolder, 'repeat');
await rm(folder, { recursive: true, force: true });

const busy = Array.from({ length: load }, () => new Worker('for (;;) {}', { eval: true }));
/** How often each test was run, and where and how it failed. */
const tests = new Map<
  string,
  { runs: number; failures: { round: number; error: string; evidence: string }[] }
>();
const durations: number[] = [];
let endedBadly = 0;
for (let round = 1; round <= times; round++) {
  const own = join(folder, String(round));
  await mkdir(own, { recursive: true });
  const started = performance.now();
  await runFloors(wanted, {
    env: { [picturesVariable]: own },
    async end(floor, run) {
      const log = join(own, `${floor}.log`);
      await writeFile(log, run.output);
      note(run, round, log);
      console.log(`${round} of ${times}, ${floor}: ${summary(run)}`);
    },
  });
  durations.push(performance.now() - started);
}
await Promise.all(busy.map(async (loop) => loop.terminate()));
tell();

function note({ results, exitCode }: Run, round: number, log: string): void {
  let failures = 0;
  for (const result of results) {
    if (result.kind === 'test' && result.outcome !== 'skipped') {
      const name = `${result.file}: ${result.name}`;
      const test = tests.get(name) ?? { runs: 0, failures: [] };
      test.runs += 1;
      if (result.outcome === 'failed') {
        const picture = pictureOf(dirname(log), result.file, result.name);
        const evidence = existsSync(picture) ? picture : log;
        test.failures.push({ round, error: result.error ?? '', evidence });
        failures += 1;
      }
      tests.set(name, test);
    }
  }
  if (exitCode !== 0 && failures === 0) {
    endedBadly += 1;
  }
}

function summary({ results, exitCode, duration }: Run): string {
  const count = (outcome: string): number =>
    results.filter((result) => result.kind === 'test' && result.outcome === outcome).length;
  return `${count('passed')} passed, ${count('failed')} failed, exit code ${exitCode}, ${(duration / 1000).toFixed(0)} s`;
}

function tell(): void {
  const unsteady = [...tests]
    .filter(([, { failures }]) => failures.length > 0)
    .toSorted(([, one], [, other]) => other.failures.length - one.failures.length);
  for (const [name, { runs, failures }] of unsteady) {
    console.log(`\n${failures.length} of ${runs} failed: ${name}`);
    for (const { round, error, evidence } of failures) {
      console.log(`  turn ${round}, ${evidence}:\n${error.replaceAll(/^/gmu, '    ')}`);
    }
  }
  const failures = unsteady.reduce((sum, [, { failures }]) => sum + failures.length, 0);
  const seconds = durations.map((duration) => (duration / 1000).toFixed(0));
  console.log(
    `\n${tests.size} tests, ${times} times with ${load} busy loops beside them: ${seconds.join(', ')} s`,
  );
  console.log(
    `${failures} failures in ${unsteady.length} tests, ${endedBadly} runs that ended badly without a failed test`,
  );
  process.exitCode = failures + endedBadly === 0 && tests.size > 0 ? 0 : 1;
}

/** The files that are asked for, by floor; none stands for all of a floor. */
function byFloor(names: readonly string[]): Map<FloorName, string[]> {
  if (names.length === 0) {
    throw new Error('Name a floor, or files: npm run test:repeat -- ui --times 10 --load 2');
  }
  const found = new Map<FloorName, string[]>();
  for (const name of names) {
    const floor = asFloor(name);
    if (floor) {
      found.set(floor, []);
    } else if (found.get(floorOf(name))?.length !== 0) {
      found.set(floorOf(name), [...(found.get(floorOf(name)) ?? []), name]);
    }
  }
  return found;
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d+$/u.test(text)) {
    throw new Error(`${option} must be a whole number, not ${text}.`);
  }
  return Number(text);
}
