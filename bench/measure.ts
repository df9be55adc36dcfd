import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The measurements of one run of a contender. */
export interface Measured {
  /** From the call to the last file, in milliseconds. */
  time: number;
  /**
   * Growth of the resident memory over what it was before the call, in MB: the peak of the whole process, so what
   * its start took for a moment may count, and nothing is left out.
   */
  growth: number;
  /** Longest time that the event loop stood still, in milliseconds. */
  stall: number;
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
