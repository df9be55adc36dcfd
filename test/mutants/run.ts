/**
 * Changes an operator, a constant, a condition or a statement at a time, and says which changes the unit tests don't
 * notice:
 *
 *   npm run mutants                                   a sample of all rooms, for five minutes
 *   npm run mutants -- <file or folder>               all changes of it
 *   npm run mutants -- <file or folder> --minutes 10  a sample of it
 *
 * `--minutes` and `--seed` say how long a sample takes and which it is; Ctrl+C ends either with what came of it so far.
 * A change that the compiler refuses counts as noticed. Exits with 1 when a sample scores so much less than
 * `lowestScore` that chance can't explain it.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { outFolder, projectFolder } from '../support/folders.ts';
import { requireNode24 } from '../support/nodeVersion.ts';
import { Random } from '../support/random.ts';
import { accepted } from './accepted/all.ts';
import { type Change, changesOf, sourceFiles } from './changes.ts';
import { CoveringTests } from './coveringTests.ts';
import { Executions } from './executions.ts';
import { Sandbox } from './sandbox.ts';

/** The part of all changes that is noticed at least; raised as it is met. */
const lowestScore = 0.9;
const rooms = ['service', 'tasks', 'images', 'cli', 'demo', 'studio'];
/** The subjects of the images of the demo service, mostly a matter of taste: changed only where this folder is named. */
const scenes = 'src/demo/scenes';

requireNode24();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string', default: String(Math.trunc(Math.random() * 2 ** 31)) },
  },
});
const isSample = positionals.length === 0 || values.minutes !== undefined;
const paths = positionals.length === 0 ? rooms.map((room) => `src/${room}`) : positionals;
const changes = isSample ? sample(paths, new Random(Number(values.seed))) : paths.flatMap(changesBelow);
const coveringTests = new CoveringTests(projectFolder);
const executions = new Executions(join(outFolder, 'mutants'), coveringTests);
const scores = new Map<string, { noticed: number; all: number }>();
const survivors: Change[] = [];

console.log(isSample ? `A sample with --seed ${values.seed}` : `${changes.length} changes`);
// Many tests mostly wait.
const sandboxes = Array.from(
  { length: availableParallelism() },
  () => new Sandbox(projectFolder, executions),
);
const queue = changes.values();
process.prependOnceListener('SIGINT', end);
if (isSample) {
  setTimeout(end, Number(values.minutes ?? 5) * 60_000);
}
await Promise.all(sandboxes.map(work));
end();

/** Takes one change after the other until there is none. */
async function work(sandbox: Sandbox): Promise<void> {
  for (const change of queue) {
    const { file, mutant } = change;
    const noticed =
      (await sandbox.noticedBy(file, mutant, coveringTests.of(file))) !== undefined ||
      !(await sandbox.compiles(file, mutant));
    const room = roomOf(file);
    const score = scores.get(room) ?? { noticed: 0, all: 0 };
    scores.set(room, { noticed: score.noticed + Number(noticed), all: score.all + 1 });
    if (!noticed) {
      survivors.push(change);
      console.log(describe(change));
    }
  }
}

/** Returns the changes of all folders in a drawn order, one of each folder in turn. */
function sample(folders: readonly string[], random: Random): Change[] {
  const byFolder = folders.map((folder) => shuffled(changesBelow(folder), random));
  const longest = Math.max(...byFolder.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => byFolder.flatMap((drawn) => drawn[turn] ?? [])).flat();
}

function changesBelow(path: string): Change[] {
  return sourceFiles(projectFolder, path)
    .filter((file) => path.startsWith(scenes) || !file.startsWith(scenes))
    .flatMap((file) => changesOf(projectFolder, file, accepted));
}

function shuffled<T>(all: readonly T[], random: Random): T[] {
  return all
    .map((one) => [random.below(2 ** 31), one] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, one]) => one);
}

function roomOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

function describe({ file, lineNumber, line, from, to }: Change): string {
  return `${file}:${lineNumber}\n    ${line}\n    ${clip(from)} -> ${clip(to)}`;
}

function clip(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').slice(0, 80);
}

/** Prints what came of all changes so far; leaves one that is being tested. */
function end(): never {
  const broken = new Set(sandboxes.flatMap(({ broken }) => Array.from(broken)));
  for (const test of broken) {
    console.log(`${test} fails without any change, and was not asked.`);
  }
  let noticed = 0;
  let all = 0;
  for (const [room, score] of scores) {
    console.log(`${room.padEnd(12)} ${percent(score)} of ${score.all}`);
    noticed += score.noticed;
    all += score.all;
  }
  console.log(
    all === 0
      ? 'No change was tested to its end.'
      : `${survivors.length} of ${all} changes went unnoticed: ${percent({ noticed, all })}`,
  );
  if (isSample && isTooLow(noticed, all)) {
    process.exitCode = 1;
  }
  process.exit();
}

/** Whether a room of the lowest score would draw so poor a sample less than once in a thousand. */
function isTooLow(noticed: number, all: number): boolean {
  const missed = all - noticed;
  // That of all changes so many go unnoticed: none at first.
  let chance = lowestScore ** all;
  let chanceOfFewer = 0;
  for (let count = 0; count < missed; count++) {
    chanceOfFewer += chance;
    chance *= ((all - count) / (count + 1)) * (1 / lowestScore - 1);
  }
  return 1 - chanceOfFewer < 0.001;
}

function percent({ noticed, all }: { noticed: number; all: number }): string {
  return `${((100 * noticed) / all).toFixed(1)} %`;
}
