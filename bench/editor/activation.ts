import { EditorBench } from './editorBench.ts';
import { bundleProbe, emptyExtensionId, makeEmptyExtension } from './helperExtensions.ts';
import type { Activation } from './hosts/activations.ts';
import type { ProbeMethods } from './hosts/probe.ts';
import { activatedVariable } from './link.ts';

/** Starting Limner and an empty extension, window by window. */
export interface Activations {
  limner: Activation[];
  empty: Activation[];
}

const limnerId = 'limner.limner';

/**
 * Starts Limner and an empty extension in the same extension host, in a new window for each round.
 *
 * @param language of VS Code for extensions; by default English
 */
export async function measureActivation(rounds: number, language?: string): Promise<Activations> {
  const extensions = [await bundleProbe(), makeEmptyExtension()];
  const env = { [activatedVariable]: [limnerId, emptyExtensionId].join(',') };
  const bench = await EditorBench.start<ProbeMethods>({ limner: true, extensions, env });
  const measured: Activations = { limner: [], empty: [] };
  try {
    // The first window only warms the file cache.
    for (let round = -1; round < rounds; round++) {
      const { host, close } = await bench.open(undefined, language);
      const { [limnerId]: limner, [emptyExtensionId]: empty } = await host.ask('activations');
      if (limner && empty && round >= 0) {
        measured.limner.push(limner);
        measured.empty.push(empty);
      }
      await close();
    }
  } finally {
    await bench.dispose();
    for (const { remove } of extensions) {
      remove();
    }
  }
  return measured;
}
