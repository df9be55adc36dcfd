import { openCliEngine } from '../setup/cliEngine.ts';
import type { Environment } from '../setup/environment.ts';
import { Interruption } from './interruption.ts';
import type { Output } from '../output/output.ts';
import { type PaintOptions, readRequest } from './taskRequest.ts';
import { watch } from './watch.ts';

/**
 * `limner generate` and `limner edit`: starts one task, waits for it and prints the saved paths.
 *
 * @returns the exit code
 * @throws LimnerError when nothing was sent, for a reason that the person can correct
 */
export async function paint(
  prompt: string,
  options: PaintOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const request = await readRequest(prompt, options, environment);
  if (request.family === 'native' && (request.size !== undefined || request.quality !== undefined)) {
    output.say("--size and --quality have no effect in native calls and aren't sent.");
  }
  const engine = await openCliEngine(environment, output);
  const interruption = new Interruption(output);
  try {
    const { id } = await engine.runner.start(request);
    return await watch([id], { engine, output, interruption });
  } finally {
    await engine.dispose();
    interruption.dispose();
  }
}
