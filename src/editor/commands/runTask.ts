import type { Engine } from '../../engine.ts';
import type { Task } from '../../tasks/task.ts';
import { confirmRun } from '../paint/confirmRun.ts';
import { followInBackground } from '../followTask.ts';
import type { Limner } from '../limner.ts';
import { taskActions } from '../names.ts';
import { actionsOf } from '../taskActions.ts';
import { taskOf, type TaskArgument } from './taskArgument.ts';

/** `limner.task.stop`: stops watching; the service has no cancel, which the row's text says. */
export async function stopTask(limner: Limner, argument: TaskArgument): Promise<void> {
  const task = await taskOf(limner, argument);
  if (task && actionsOf(task).includes(taskActions.stop)) {
    await (await limner.engine.get()).runner.stop(task.id);
  }
}

/** `limner.task.resume`: watches a stopped or paused task again, or sends one that was not sent yet. */
export async function resumeTask(limner: Limner, argument: TaskArgument): Promise<void> {
  const task = await taskOf(limner, argument);
  if (task && actionsOf(task).includes(taskActions.resume)) {
    await follow(limner, async ({ runner }) =>
      task.held ? runner.sendNow(task.id) : runner.resume(task.id),
    );
  }
}

/** `limner.task.runAgain`: sends the same request once more, as a new task that is paid for anew. */
export async function runTaskAgain(limner: Limner, argument: TaskArgument): Promise<void> {
  const task = await taskOf(limner, argument);
  if (task) {
    await limner.service.ready();
    await confirmRun(limner, task.request.n);
    await follow(limner, async ({ runner }) => runner.runAgain(task.id));
  }
}

/** `limner.task.runSynchronously`: the same request with the images in the answer itself, paid for anew. */
export async function runTaskSynchronously(limner: Limner, argument: TaskArgument): Promise<void> {
  const task = await taskOf(limner, argument);
  if (task) {
    await limner.service.ready();
    await confirmRun(limner, task.request.n);
    await follow(limner, async ({ runner }) => runner.runSynchronously(task.id));
  }
}

async function follow(limner: Limner, begin: (engine: Engine) => Promise<Task>): Promise<void> {
  const engine = await limner.engine.get();
  const task = await begin(engine);
  if (!limner.notices.isFollowed(task.id)) {
    followInBackground(limner, engine, task);
  }
}
