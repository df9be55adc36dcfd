import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The measurements of one run of a contender. */
export interface Measured {
  /** From the call to the last file, or of a whole process, in milliseconds. */
  time: number;
  /**
   * Growth of the resident memory over what it was before the call, in MB: the peak of the whole process, so what
   * its start took for a moment may count, and nothing is left out. Not measured of what is not Node, like the stall.
   */
  growth?: number;
  /** Longest time that the event loop stood still, in milliseconds. */
  stall?: number;
}

/** Runs the work once and prints its measurements as one line of JSON. */
export async function measure(work: () => Promise<void>): Promise<void> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = performance.now();
  await work();
  const time = performance.now() - started;
  delay.disable();
  const peak = process.resourceUsage().maxRSS * 1024;
  const measured: Measured = { time, growth: (peak - before) / 1e6, stall: delay.max / 1e6 };
  console.log(JSON.stringify(measured));
}

/** Returns how long work takes, in milliseconds, and what it returns. */
export async function timeOf<T>(work: () => T | Promise<T>): Promise<[time: number, value: T]> {
  const started = performance.now();
  const value = await work();
  return [performance.now() - started, value];
}
