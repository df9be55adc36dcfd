import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { Dice } from './dice.ts';
import { Lane } from './lane.ts';
import { live, type Report, type Style } from './life.ts';
import { phases } from './phase.ts';

/** So many processes are killed at least. */
const minKills = Number(process.env['LIMNER_CRASH_KILLS'] ?? fuzzRuns(4, 200));
/** Of many kills some are to hit each phase, and so there are more until they have, but not for ever. */
const maxKills = minKills < 200 ? minKills : 5 * minKills;
/** Lives at once: most of them wait for a disk, a poll or another process. */
const laneCount = 4;
/** In turn; native pictures cannot be small, and take their time. */
const styles: readonly Style[] = fuzzRuns(
  ['async', 'sync', 'editAsync'],
  [
    ...(['async', 'sync', 'editAsync', 'async', 'editSync', 'native', 'async'] as const),
    ...(['sync', 'editAsync', 'async', 'editSync', 'nativeStream'] as const),
  ],
);
const seed = Number(process.env['LIMNER_CRASH_SEED'] ?? Date.now() % 1_000_000);

describe('limner, killed at random', () => {
  it('loses nothing, sends nothing twice and leaves nothing half', { timeout: 1_200_000 }, async (test) => {
    const started = performance.now();
    test.diagnostic(`LIMNER_CRASH_SEED=${seed} draws the same again`);
    const steps = await countSteps();
    const reports: Report[] = [];
    const isEnough = (): boolean => {
      const kills = reports.flatMap((report) => report.kills);
      return kills.length >= (phasesMissed(reports).length === 0 ? minKills : maxKills);
    };
    let lives = 0;
    let failure: Error | undefined;
    const fillLane = async (): Promise<void> => {
      await using lane = await openLane();
      while (failure === undefined && !test.signal.aborted && !isEnough()) {
        const number = lives++;
        const dice = new Dice(seed, number);
        const options = {
          styles: [0, 1, 2].map((turn) => styles[(3 * number + turn) % styles.length] ?? 'async'),
          dice,
          steps,
          links: !dice.chance(40),
          large: dice.chance(25),
        };
        try {
          reports.push(await live(lane, options));
        } catch (error) {
          failure ??= new Error(`Life ${number} of seed ${seed}: ${String(error)}`, { cause: error });
        }
      }
    };
    await Promise.all(Array.from({ length: laneCount }, fillLane));
    if (failure !== undefined) {
      throw failure;
    }
    print(test, reports, lives, performance.now() - started);
    if (minKills < maxKills) {
      assert.deepEqual(phasesMissed(reports), []);
    }
  });
});

async function openLane(): Promise<Lane> {
  const lane = await Lane.open();
  await lane.world.picture('original.png');
  return lane;
}

/** How many steps a process takes that nobody kills, by the style of its task. */
async function countSteps(): Promise<Map<Style, number>> {
  await using lane = await openLane();
  const steps = new Map<Style, number>();
  for (const style of new Set(styles)) {
    const report = await live(lane, { styles: [style], steps, links: true, large: false });
    steps.set(style, report.steps);
  }
  return steps;
}

function phasesMissed(reports: readonly Report[]): string[] {
  const hit = new Set(reports.flatMap(({ kills }) => kills.flatMap(({ phases }) => phases)));
  return phases.filter((phase) => !hit.has(phase));
}

function print(test: TestContext, reports: readonly Report[], lives: number, milliseconds: number): void {
  const kills = reports.flatMap((report) => report.kills);
  const ends = reports.flatMap((report) => report.ends);
  const hits = kills.flatMap((kill) => kill.phases);
  const latencies = reports.flatMap((report) => report.latencies).toSorted((one, other) => one - other);
  const seconds = Math.round(milliseconds / 1000);
  test.diagnostic(
    `${kills.length} kills, ${lives} lives, ${ends.length} tasks, ${seconds} s; tasks by where they were:`,
  );
  for (const phase of phases) {
    test.diagnostic(`${String(hits.filter((hit) => hit === phase).length).padStart(4)}  ${phase}`);
  }
  test.diagnostic(`killed: ${tally(kills.map(({ killPoint }) => killPoint))}`);
  test.diagnostic(`last step: ${tally(kills.map(({ step }) => step))}`);
  test.diagnostic(`ended as: ${tally(ends)}`);
  test.diagnostic(
    `from start to first question: median ${Math.round(latencies[latencies.length >> 1] ?? 0)} ms, ` +
      `longest ${Math.round(latencies.at(-1) ?? 0)} ms`,
  );
}

function tally(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([word, count]) => `${word} ${count}`)
    .join(', ');
}
