import type { Task } from '../../tasks/task.ts';
import type { Limner } from '../limner.ts';
import { confirmRun } from '../paint/confirmRun.ts';
import { configuredModels } from '../paint/models.ts';
import { taskOf } from './taskArgument.ts';

/** So many at most, whatever the model would give. */
const most = 4;

/** Sends the request of a task again, for as many pictures as its model gives. */
export async function variations(limner: Limner, id: string): Promise<Task | undefined> {
  const task = await taskOf(limner, id);
  if (!task) {
    return undefined;
  }
  await limner.service.ready();
  const models = await configuredModels(limner.settings, limner.log);
  const model = models.find((model) => model.id === task.request.model);
  const n = Math.min(model?.maxCount ?? most, most);
  await confirmRun(limner, n);
  const { runner } = await limner.engine.get();
  return runner.start({ ...task.request, n });
}
