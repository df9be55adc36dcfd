import type { Engine } from '../../engine.ts';
import type { Task } from '../../tasks/task.ts';
import { confirmRun } from '../paint/confirmRun.ts';
import { followInBackground } from './followTask.ts';
import type { Limner } from '../limner.ts';
import { taskActions } from '../names.ts';
import { actionsOf } from '../taskActions.ts';
import { StartedRuns } from './startedRuns.ts';
import { taskOf, type TaskArgument } from './taskArgument.ts';

/** By the task that is run again, whichever way. */
const startedAgain = new StartedRuns<Task>();

/** `limner.task.stop`: stops watching; the service has no cancel, which the row's text says. */
export async function stopTask(limner: Limner, argument: TaskArgument): Promise<void> {
  const task = await taskOf(limner, argument);
  if (task && actionsOf(task).includes(taskActions.stop)) {
    await (await limner.engine.get()).runner.stop(task.id);
  }
}

/** `limner.task.resume`: watches a stopped or paused task again, or sends one that was not sent yet. */
export async function resumeTask(limner: Limner, argument: TaskArgument): Promise<void> {
  await followBegun(limner, await resume(limner, argument));
}

/** The same without following it: how it ends is not opened. */
export async function resume(limner: Limner, argument: TaskArgument): Promise<Task | undefined> {
  const task = await taskOf(limner, argument);
  if (!task || !actionsOf(task).includes(taskActions.resume)) {
    return undefined;
  }
  const { runner } = await limner.engine.get();
  return task.held ? runner.sendNow(task.id) : runner.resume(task.id);
}

/** `limner.task.runAgain`: sends the same request once more, as a new task that is paid for anew. */
export async function runTaskAgain(limner: Limner, argument: TaskArgument): Promise<void> {
  await followBegun(limner, await runAgain(limner, argument));
}

/** The same without following it: how it ends is not opened. */
export async function runAgain(limner: Limner, argument: TaskArgument): Promise<Task | undefined> {
  return begin(limner, argument, async ({ runner }, { id }) =>
    startedAgain.once(id, async () => runner.runAgain(id)),
  );
}

/** `limner.task.runSynchronously`: the same request with the images in the answer itself, paid for anew. */
export async function runTaskSynchronously(limner: Limner, argument: TaskArgument): Promise<void> {
  await followBegun(limner, await runSynchronously(limner, argument));
}

/** The same without following it: how it ends is not opened. */
export async function runSynchronously(limner: Limner, argument: TaskArgument): Promise<Task | undefined> {
  return begin(limner, argument, async ({ runner }, { id }) =>
    startedAgain.once(id, async () => runner.runSynchronously(id)),
  );
}

async function begin(
  limner: Limner,
  argument: TaskArgument,
  run: (engine: Engine, task: Task) => Promise<Task>,
): Promise<Task | undefined> {
  const task = await taskOf(limner, argument);
  if (!task) {
    return undefined;
  }
  await limner.service.ready();
  await confirmRun(limner, task.request.n);
  return run(await limner.engine.get(), task);
}

async function followBegun(limner: Limner, task: Task | undefined): Promise<void> {
  if (task && !limner.notices.isFollowed(task.id)) {
    followInBackground(limner, await limner.engine.get(), task);
  }
}
