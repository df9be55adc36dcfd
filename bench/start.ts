import { join } from 'node:path';
import { type Bench, inFolder, inRounds } from './bench.ts';
import { limnerEnvironment, program, timed } from './contend.ts';
import { median } from './report.ts';
import { starts } from './rows.ts';

const programs = {
  'node -e 0': ['-e', '0'],
  'limner --version': [program, '--version'],
  'limner tasks': [program, 'tasks'],
  'limner tasks in a new home': [program, 'tasks'],
};
type Name = keyof typeof programs;

/**
 * Measures how long `limner` takes to say its version, and to start, open its store, list nothing and end, beside Node
 * that does nothing. The home is there already, as on every day but the first, which is shown, too.
 */
export async function measureStart(bench: Bench): Promise<void> {
  const { baseUrl, scratch, rounds, report } = bench;
  report.title(`Starts (median of ${rounds})`);
  const runs = await inRounds(bench, Object.keys(programs) as Name[], async (name) =>
    inFolder(bench, async (folder) => {
      const home = join(name.endsWith('new home') ? folder : scratch, 'home-start');
      const env = limnerEnvironment({ baseUrl, home });
      const { time } = await timed(process.execPath, programs[name], { stdio: 'ignore', env });
      return time;
    }),
  );
  for (const [name, times] of runs) {
    report.line(`${name.padEnd(26)} ${median(times).toFixed(0).padStart(5)} ms`);
  }
  const bare = runs.get('node -e 0') ?? [];
  for (const [name, limit] of Object.entries(starts) as [Name, number][]) {
    const ratios = (runs.get(name) ?? []).map((time, round) => time / (bare[round] ?? Number.NaN));
    report.judge(`${name} / node`, median(ratios), limit, ' ×');
  }
}
