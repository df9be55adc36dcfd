/** `node bench/answers/run.ts [<rounds>]`: what the worst answers of 1 MB do to the event loop, alone. */
import { measureStalls } from './stalls.ts';

for (const { kind, what, stall } of await measureStalls(Number(process.argv[2] ?? 9))) {
  console.log(`  ${kind}: longest stall ${stall.toFixed(1)} ms, by "${what}"`);
}
