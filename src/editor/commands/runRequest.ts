import { followTask, type TaskOutcome } from '../followTask.ts';
import type { Limner } from '../limner.ts';
import { reportFailure } from '../refusal.ts';
import type { TaskRequest } from '../../tasks/task.ts';

/**
 * Starts a task and waits for its images.
 *
 * @param started is told its id as soon as it is kept
 * @throws LimnerError with the task's code when it ended without a saved image
 */
export async function runRequest(
  limner: Limner,
  request: TaskRequest,
  started?: (taskId: string) => void,
): Promise<TaskOutcome> {
  const engine = await limner.engine.get();
  const task = await engine.runner.start(request);
  started?.(task.id);
  return followTask(limner, engine, task);
}

/** The same for a person: how it failed is said, and then there is no outcome. */
export async function runAndReport(limner: Limner, request: TaskRequest): Promise<TaskOutcome | undefined> {
  let taskId: string | undefined;
  try {
    return await runRequest(limner, request, (id) => {
      taskId = id;
    });
  } catch (error) {
    await reportFailure(limner, error, taskId);
    return undefined;
  }
}
