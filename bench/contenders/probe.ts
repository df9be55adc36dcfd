/** Loaded into `dist/limner.js` before it: measures the whole process and says so on file descriptor 3. */
import { writeSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Measured } from '../measure.ts';

const before = process.memoryUsage.rss();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.once('exit', () => {
  const growth = (process.resourceUsage().maxRSS * 1024 - before) / 1e6;
  const measured: Measured = { time: performance.now(), growth, stall: delay.max / 1e6 };
  writeSync(3, JSON.stringify(measured));
});
