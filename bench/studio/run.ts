/** `node bench/studio/run.ts`: how long a frame takes while a brush moves on a large image. Needs the built bundles. */
import { measureBrushes } from './brushFrames.ts';

for (const { brush, frames } of await measureBrushes()) {
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (part: number): string => (sorted[Math.floor(part * sorted.length)] ?? Number.NaN).toFixed(1);
  console.log(`${brush}: median ${at(0.5)} ms, 95 of 100 under ${at(0.95)} ms, ${frames.length} frames`);
}
