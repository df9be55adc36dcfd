// Loaded into a program before it: says on file descriptor 3 how its memory grew and how long its event loop stood
// still. Plain JavaScript, since the types of a probe would be part of what is measured.
const { writeSync } = require('node:fs');
const { monitorEventLoopDelay } = require('node:perf_hooks');

const before = process.memoryUsage.rss();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.once('exit', () => {
  const growth = (process.resourceUsage().maxRSS * 1024 - before) / 1e6;
  writeSync(3, JSON.stringify({ growth, stall: delay.max / 1e6 }));
});
