import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EditorBench } from './editorBench.ts';
import { bundleProbe } from './helperExtensions.ts';
import type { ProbeMethods } from './hosts/probe.ts';
import { ServiceProcess, settingsFor } from './serviceProcess.ts';

/**
 * Receives 4 × 15 MB inline, again and again in one window.
 *
 * @returns the longest time that the event loop of the extension host stood still each time, in milliseconds
 */
export async function measureArrival(rounds: number): Promise<number[]> {
  const service = await ServiceProcess.start();
  const probe = await bundleProbe();
  const bench = await EditorBench.start<ProbeMethods>({
    limner: true,
    extensions: [probe],
    settings: settingsFor(service),
  });
  const stalls: number[] = [];
  try {
    const workspace = bench.makeWorkspace();
    const { limner, host } = await bench.open(workspace);
    await limner.show();
    await limner.setApiKey('bench');
    // The first one loads what Limner has not needed so far.
    for (let round = -1; round < rounds; round++) {
      await host.ask('watchEventLoop');
      await host.ask('paint', { prompt: `four large pictures ${round + 2}`, n: 4, callStyle: 'sync' });
      const stall = await host.ask('longestStall');
      if (round >= 0) {
        stalls.push(stall);
      }
      for (const file of readdirSync(workspace.images)) {
        rmSync(join(workspace.images, file));
      }
    }
  } finally {
    await bench.dispose();
    probe.remove();
    service.stop();
  }
  return stalls;
}
