/**
 * Changes an operator, a constant, a condition or a statement at a time, and says which changes the unit tests don't
 * notice:
 *
 *   npm run mutants                                   a sample of all rooms, for five minutes
 *   npm run mutants -- <file or folder>               all changes of it
 *   npm run mutants -- <file or folder> --minutes 10  a sample of it
 *
 * `--minutes` and `--seed` say how long a sample takes and which it is; Ctrl+C ends either with what came of it so far.
 * A change that the compiler refuses counts as noticed. A change that no test notices is a question, not a task: many are
 * equal to what they change. Exits with 1 when so many survive in a house that chance can't explain it.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { outFolder, projectFolder } from '../support/folders.ts';
import { requireNode24 } from '../support/nodeVersion.ts';
import { Random } from '../support/random.ts';
import { type Change, changesOf, sourceFiles } from './changes.ts';
import { CoveringTests } from './coveringTests.ts';
import { Executions } from './executions.ts';
import { Sandbox } from './sandbox.ts';

/** How many of a hundred changes may survive in each house. */
const allowedSurvivors: Readonly<Record<string, number>> = {
  service: 15,
  engine: 15,
  images: 25,
  cli: 15,
  demo: 20,
  studio: 25,
};
/** The images of the demo service, mostly a matter of taste: changed only where this folder is named. */
const scenes = 'src/demo/painter';

requireNode24();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string', default: String(Math.trunc(Math.random() * 2 ** 31)) },
  },
});
const isSample = positionals.length === 0 || values.minutes !== undefined;
const paths =
  positionals.length === 0 ? Object.keys(allowedSurvivors).map((house) => `src/${house}`) : positionals;
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
    const house = houseOf(file);
    const score = scores.get(house) ?? { noticed: 0, all: 0 };
    scores.set(house, { noticed: score.noticed + Number(noticed), all: score.all + 1 });
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
    .flatMap((file) => changesOf(projectFolder, file));
}

function shuffled<T>(all: readonly T[], random: Random): T[] {
  return all
    .map((one) => [random.below(2 ** 31), one] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, one]) => one);
}

function houseOf(file: string): string {
  return file.split('/')[1] ?? '';
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
  for (const [house, score] of scores) {
    const allowed = (allowedSurvivors[house] ?? 0) / 100;
    const tooMany = isSample && survivesTooOften(score, allowed);
    console.log(
      `${house.padEnd(8)} ${percent(score)} of ${score.all}${tooMany ? `: less than ${100 - 100 * allowed} %` : ''}`,
    );
    noticed += score.noticed;
    all += score.all;
    if (tooMany) {
      process.exitCode = 1;
    }
  }
  console.log(
    all === 0
      ? 'No change was tested to its end.'
      : `${survivors.length} of ${all} changes went unnoticed: ${percent({ noticed, all })}`,
  );
  process.exit();
}

/** Whether a house where just this part of all changes survives would draw so poor a sample less than once in a thousand. */
function survivesTooOften({ noticed, all }: { noticed: number; all: number }, allowed: number): boolean {
  // That of all changes so many survive: none at first.
  let chance = (1 - allowed) ** all;
  let chanceOfFewer = 0;
  for (let count = 0; count < all - noticed; count++) {
    chanceOfFewer += chance;
    chance *= ((all - count) / (count + 1)) * (allowed / (1 - allowed));
  }
  return 1 - chanceOfFewer < 0.001;
}

function percent({ noticed, all }: { noticed: number; all: number }): string {
  return `${((100 * noticed) / all).toFixed(1)} %`;
}
