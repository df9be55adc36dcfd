import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from './report.ts';

/** What every row of the bench is measured with. */
export interface Bench {
  rounds: number;
  /** Address of the bench's server. */
  baseUrl: string;
  /** A folder for all that is written. */
  scratch: string;
  report: Report;
}

/** Gives work a folder of its own, which is removed afterwards. */
export async function inFolder<T>({ scratch }: Bench, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(scratch, 'run-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Runs each of several things once in every round, one after the other, so that whatever befalls the machine befalls all
 * of them. A round before the others only warms up: caches, homes, the pictures of the server.
 *
 * @returns the runs of each, in order
 */
export async function inRounds<Key, Run>(
  { rounds }: Bench,
  keys: readonly Key[],
  run: (key: Key) => Promise<Run>,
): Promise<Map<Key, Run[]>> {
  const runs = new Map<Key, Run[]>(keys.map((key) => [key, []]));
  for (let round = -1; round < rounds; round++) {
    for (const [key, all] of runs) {
      const one = await run(key);
      if (round >= 0) {
        all.push(one);
      }
    }
  }
  return runs;
}
