import type { Engine, EngineModule } from '../engine.ts';
import type { Task } from '../tasks/task.ts';
import { exitCodes } from './exitCodes.ts';
import type { Interruption } from './interruption.ts';
import type { Output } from './output.ts';
import { report } from './report.ts';
import { describeProgress } from './taskText.ts';

/** What watching works with. */
export interface WatchContext {
  engineModule: EngineModule;
  engine: Engine;
  output: Output;
  interruption: Interruption;
}

/**
 * Shows tasks until each has ended, waits for a person, or is interrupted, and reports what they came to.
 *
 * @returns the exit code, the worst one of several tasks
 */
export async function watch(ids: readonly string[], context: WatchContext): Promise<number> {
  const { engine, output, interruption } = context;
  const labelOf = (id: string): string => (ids.length > 1 ? `${id}: ` : '');
  const settle = (id: string): number => {
    output.endProgress(id);
    const task = engine.store.get(id);
    return task ? report(task, output, labelOf(id)) : exitCodes.failed;
  };
  const atRest = await Promise.all(
    ids.map(async (id) => ((await rest(id, labelOf(id), context)) === 'ended' ? settle(id) : id)),
  );
  const interrupted = atRest.filter((outcome) => typeof outcome === 'string');
  if (interrupted.length > 0) {
    // A submission on its way may still say its id, without which its result cannot be fetched.
    await engine.runner.dispose();
  }
  const codes = [...atRest.filter((outcome) => typeof outcome === 'number'), ...interrupted.map(settle)];
  return interrupted.length > 0 ? interruption.exitCode : Math.max(exitCodes.ok, ...codes);
}

/** Waits until a task comes to rest by itself or the person has had enough of it. */
async function rest(
  id: string,
  label: string,
  { engineModule, engine: { store, runner }, output, interruption: { signal } }: WatchContext,
): Promise<'ended' | 'interrupted'> {
  const { promise, resolve } = Promise.withResolvers<'ended' | 'interrupted'>();
  const look = (): void => {
    const task = store.get(id);
    if (!task || isAtRest(task, engineModule)) {
      resolve(signal.aborted ? 'interrupted' : 'ended');
    } else {
      output.progress(id, (now) => describeProgress(task, now), label);
    }
  };
  const interrupt = (): void => {
    // A task of another process is that one's to stop; saving is not stopped but gone on with later.
    const stopping = store.leases.fenceOf(id) === undefined ? Promise.resolve() : runner.stop(id);
    void stopping.finally(() => resolve('interrupted'));
  };
  const changes = store.onDidChange((ids) => {
    if (ids.includes(id)) {
      look();
    }
  });
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    look();
    if (signal.aborted) {
      interrupt();
    }
    return await promise;
  } finally {
    signal.removeEventListener('abort', interrupt);
    changes.dispose();
  }
}

/** Whether nothing moves a task any more before a person does something. */
export function isAtRest({ status, held }: Task, { isTerminal }: EngineModule): boolean {
  return isTerminal(status) || status === 'needs_key' || held === true;
}
