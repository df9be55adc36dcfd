import * as l10n from '@vscode/l10n';
import type { Engine } from '../../engine/run/engine.ts';
import type { Interruption } from './interruption.ts';
import { exitCodes, type Output } from '../output/output.ts';
import { report } from '../output/report.ts';
import { formatProgress, formatWait } from '../output/taskFormat.ts';
import { printable } from '../output/terminalText.ts';
import { taskOnBlack } from '../../engine/task/twoBackgrounds.ts';
import { databaseTrouble } from '../../engine/store/databaseErrors.ts';
import { canBeResumed, isLive, isRunning } from '../../common/taskStatus.ts';
import type { Task } from '../../engine/task/task.ts';

export interface WatchContext {
  engine: Engine;
  output: Output;
  interruption: Interruption;
  /** Names of tasks, which are shown in the place of their IDs. */
  names?: ReadonlyMap<string, string>;
}

/**
 * Shows tasks, and those that begin with their images, until each has ended, waits for a user, or is interrupted or
 * waited for too long, and reports their outcome.
 *
 * @returns the exit code, the highest one of several tasks
 */
export async function watch(ids: readonly string[], context: WatchContext): Promise<number> {
  const { engine, output, interruption, names } = context;
  const labelOf = (id: string): string => {
    const name = names?.get(id);
    return name !== undefined || ids.length > 1 ? `${name ?? id}: ` : '';
  };
  const settle = (id: string, isElsewhere = false): number => {
    output.endProgress(id);
    const task = engine.store.get(id);
    return task ? report(task, output, labelOf(id), isElsewhere) : exitCodes.failed;
  };
  const follow = async (id: string): Promise<number | { id: string; isElsewhere: boolean }> => {
    const outcome = await rest(id, labelOf(id), context);
    if (outcome !== 'ended') {
      return { id, isElsewhere: outcome === 'elsewhere' };
    }
    const code = settle(id);
    const task = engine.store.get(id);
    const next = task && taskOnBlack(task);
    if (next === undefined || !engine.store.get(next)) {
      return code;
    }
    const after = await follow(next);
    return typeof after === 'number' ? Math.max(code, after) : after;
  };
  const atRest = await Promise.all(ids.map(follow));
  interruption.waited();
  const interrupted = atRest.filter((outcome) => typeof outcome !== 'number');
  if (interrupted.length > 0) {
    // A response on its way may still bring the ID, without which the result cannot be fetched.
    await engine.runner.dispose();
  }
  const codes = [
    ...atRest.filter((outcome) => typeof outcome === 'number'),
    ...interrupted.map(({ id, isElsewhere }) => settle(id, isElsewhere)),
  ];
  if (interrupted.length > 0 && interruption.exitCode === undefined) {
    for (const { id } of interrupted) {
      sayTimeIsUp(engine.store.get(id), output, labelOf(id));
    }
  }
  return (interrupted.length > 0 ? interruption.exitCode : undefined) ?? Math.max(exitCodes.ok, ...codes);
}

/** Says that the time to wait is over, and how to go on where that is possible. */
function sayTimeIsUp(task: Task | undefined, output: Output, label: string): void {
  const mayGoOn = task && (isLive(task) || canBeResumed(task));
  const text = mayGoOn
    ? l10n.t(
        'The time of {0} is over. Run "{1}" to wait on at no extra cost.',
        '--wait',
        `limner tasks --resume ${task.id}`,
      )
    : l10n.t('The time of {0} is over.', '--wait');
  output.say(`${label}${text}`);
}

/** How watching a task ended: by itself, early, or early while another process continues it. */
type Rest = 'ended' | 'interrupted' | 'elsewhere';

/** Waits until a task stops running, the user interrupts, or the time to wait is over. */
async function rest(
  id: string,
  label: string,
  { engine: { store, runner }, output, interruption: { signal } }: WatchContext,
): Promise<Rest> {
  const { promise, resolve } = Promise.withResolvers<Rest>();
  const check = (): void => {
    const task = store.get(id);
    if (!task || !isRunning(task)) {
      resolve(signal.aborted ? 'interrupted' : 'ended');
    } else {
      output.progress(id, (now) => formatProgress(task, now), label, formatWait(task));
    }
  };
  const interrupt = (): void => {
    if (store.leases.fenceOf(id) === undefined) {
      // Only its own process stops a task; saving is not stopped but continued later.
      resolve('elsewhere');
      return;
    }
    runner
      .stop(id)
      .catch((error: unknown) =>
        output.say(
          `${label}${l10n.t("Couldn't write the task list. {0}", printable(databaseTrouble(error)))}`,
        ),
      )
      .finally(() => resolve('interrupted'));
  };
  const changes = store.onDidChange((ids) => {
    if (ids.includes(id)) {
      check();
    }
  });
  signal.addEventListener('abort', interrupt);
  try {
    check();
    if (signal.aborted) {
      interrupt();
    }
    return await promise;
  } finally {
    signal.removeEventListener('abort', interrupt);
    changes.dispose();
  }
}
