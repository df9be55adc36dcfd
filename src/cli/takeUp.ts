import type { Engine, EngineModule } from '../engine.ts';
import type { SaveTarget, Task, TaskResult } from '../tasks/task.ts';
import { makeTarget } from './taskRequest.ts';

/** What a person wants to become of unfinished tasks. */
export interface TakeUpOptions {
  /** Send what was never sent. */
  send?: true;
  /** Where images go that could not be saved; where they were meant to go when absent. */
  folder?: string;
}

/** Results live for 6 hours from when they are made, which may be a good while after a task was stopped. */
const longestLife = 24 * 60 * 60_000;

/**
 * Tasks that something can still be done for: on their way, waiting for a key or for a person, stopped while their
 * result may still be fetched, or with images that are paid for and not saved. Oldest first.
 */
export function unfinished({ store }: Engine): Task[] {
  const limit = Number.MAX_SAFE_INTEGER;
  const recently = Date.now() - longestLife;
  const found = [
    ...store.running(),
    ...store.list({ limit, statuses: ['needs_key'] }),
    ...store.list({ limit, statuses: ['waiting'] }),
    ...store
      .list({ limit, statuses: ['stopped'] })
      .filter(({ remoteId, createdAt }) => remoteId !== undefined && createdAt > recently),
    ...store.unsaved().filter((task) => task.results.some(canBeSaved)),
    ...store
      .list({ limit, statuses: ['completed', 'failed'] })
      .filter(({ results, createdAt }) => createdAt > recently && results.some(canBeSaved)),
  ];
  return [...new Map(found.map((task) => [task.id, task])).values()].toSorted((one, other) =>
    one.id < other.id ? -1 : 1,
  );
}

/** Sets tasks going again, as far as that needs no decision; none of them is sent unless that is asked for. */
export async function takeUp(
  engineModule: EngineModule,
  engine: Engine,
  chosen: readonly Task[],
  { send, folder }: TakeUpOptions,
): Promise<void> {
  const { runner, store } = engine;
  const target = folder === undefined ? undefined : await makeTarget(engineModule, folder);
  for (const task of chosen) {
    await tryAgain(engineModule, engine, task, target);
  }
  await runner.resumeUnfinished();
  // Only now is it known which tasks wait because their process is gone.
  for (const { id } of chosen) {
    if (send && store.get(id)?.held) {
      await runner.sendNow(id);
    }
  }
}

async function tryAgain(
  { isLimnerError }: EngineModule,
  { runner }: Engine,
  { id, status, remoteId, results, request }: Task,
  target: Pick<SaveTarget, 'folder' | 'root'> | undefined,
): Promise<void> {
  try {
    if (status === 'needs_key' || (status === 'stopped' && remoteId !== undefined)) {
      await runner.resume(id);
    } else if ((status === 'completed' || status === 'failed') && results.some(canBeSaved)) {
      await runner.saveAgain(id, target && { ...target, fileName: request.target.fileName });
    }
  } catch (error) {
    // Another process was faster: how the task stands now is reported all the same.
    if (!isLimnerError(error) || error.code !== 'stopped') {
      throw error;
    }
  }
}

function canBeSaved({ state, error, incoming, url }: TaskResult): boolean {
  return (
    state !== 'saved' &&
    (url !== undefined || (incoming !== undefined && error?.code !== 'unsupported_image'))
  );
}
