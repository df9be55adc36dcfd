import { followTask, type TaskOutcome } from './followTask.ts';
import type { Limner } from '../limner.ts';
import { reportFailure } from '../failures/refusal.ts';
import type { TaskRequest } from '../../tasks/task.ts';

/**
 * Starts a task and waits for its images.
 *
 * @throws LimnerError with the task's code when it ended without a saved image
 */
export async function runRequest(limner: Limner, request: TaskRequest): Promise<TaskOutcome> {
  const engine = await limner.engine.get();
  return followTask(limner, engine, await engine.runner.start(request));
}

/** The same for a person: how it failed is said, and then there is no outcome. */
export async function runAndReport(limner: Limner, request: TaskRequest): Promise<TaskOutcome | undefined> {
  try {
    return await runRequest(limner, request);
  } catch (error) {
    await reportFailure(limner.log, error);
    return undefined;
  }
}
