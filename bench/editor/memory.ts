import { EditorBench } from './editorBench.ts';
import { bundleProbe, type ExtensionFolder, makeEmptyExtension } from './helperExtensions.ts';
import type { ProbeMethods } from './hosts/probe.ts';
import { ServiceProcess, settingsFor } from './serviceProcess.ts';

const tasks = 100;

/** Memory of extension hosts without garbage, in MB: with Limner after 100 tasks, and with an empty extension. */
export interface Memory {
  limner: number[];
  empty: number[];
}

/** Lets Limner make 100 images in a new window for each round, and measures it beside windows without Limner. */
export async function measureMemory(rounds: number): Promise<Memory> {
  const service = await ServiceProcess.start();
  const probe = await bundleProbe();
  const empty = makeEmptyExtension();
  const start = async (limner: boolean, ...more: ExtensionFolder[]): Promise<EditorBench<ProbeMethods>> =>
    EditorBench.start({ limner, extensions: [probe, ...more], settings: settingsFor(service) });
  const withLimner = await start(true);
  const without = await start(false, empty);
  const memory: Memory = { limner: [], empty: [] };
  try {
    const first = await withLimner.open();
    await first.limner.setApiKey('bench');
    await first.close();
    for (let round = 0; round < rounds; round++) {
      const used = await withLimner.open();
      await Promise.all(
        Array.from({ length: tasks }, async (_, task) =>
          used.host.ask('paint', { prompt: `picture ${task} of round ${round}` }),
        ),
      );
      memory.limner.push(await used.host.ask('memory'));
      await used.close();
      const bare = await without.open();
      memory.empty.push(await bare.host.ask('memory'));
      await bare.close();
    }
  } finally {
    await withLimner.dispose();
    await without.dispose();
    service.stop();
    probe.remove();
    empty.remove();
  }
  return memory;
}
