import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Kind, Stalls } from './worst.ts';

/** The answer of a kind that the event loop stands still for longest, in milliseconds. */
export interface WorstStall {
  kind: Kind;
  what: string;
  stall: number;
}

const here = import.meta.dirname;

/**
 * Reads the worst answers of 1 MB in a fresh process per round, one after the other.
 *
 * @returns for each kind of answer the worst of them all, by the medians over the rounds
 */
export async function measureStalls(rounds: number): Promise<WorstStall[]> {
  const server = fork(join(here, 'server.ts'));
  try {
    const [baseUrl] = (await once(server, 'message')) as [string];
    const runs: Stalls[] = [];
    for (let round = 0; round < rounds; round++) {
      const reader = fork(join(here, 'read.ts'), [baseUrl], { execArgv: ['--expose-gc'] });
      const [stalls] = (await once(reader, 'message')) as [Stalls];
      runs.push(stalls);
    }
    return (Object.keys(runs[0] ?? {}) as Kind[]).map((kind) => worstOf(kind, runs));
  } finally {
    server.kill();
  }
}

function worstOf(kind: Kind, runs: readonly Stalls[]): WorstStall {
  const medians = Object.keys(runs[0]?.[kind] ?? {}).map((what) => {
    const times = runs.map((run) => run[kind][what] ?? Number.NaN).toSorted((a, b) => a - b);
    return { kind, what, stall: times[Math.floor(times.length / 2)] ?? Number.NaN };
  });
  return medians.reduce((one, other) => (one.stall >= other.stall ? one : other));
}
