import * as vscode from 'vscode';
import { isStillThere } from '../../common/stillThere.ts';
import type { Task } from '../../tasks/task.ts';
import type { Limner } from '../limner.ts';
import { taskActions } from '../names.ts';
import { confirmed } from '../window/confirm.ts';
import { actionsOf } from '../taskActions.ts';
import { taskOf, type TaskArgument } from './taskArgument.ts';

/** `limner.task.copyPrompt`: puts the prompt on the clipboard; of several tasks, one a line. */
export async function copyPrompts(limner: Limner, chosen: readonly TaskArgument[]): Promise<void> {
  const tasks = await Promise.all(chosen.map(async (one) => taskOf(limner, one)));
  const prompts = new Set(tasks.flatMap((task) => task?.request.prompt ?? []));
  if (prompts.size > 0) {
    await vscode.env.clipboard.writeText([...prompts].join('\n'));
  }
}

/** `limner.task.remove`: takes a task from the list; its files stay. Asks when images would be lost, or could be fetched. */
export async function removeTask(limner: Limner, argument: TaskArgument): Promise<void> {
  const task = await taskOf(limner, argument);
  if (!task || !actionsOf(task).includes(taskActions.remove)) {
    return;
  }
  const question = lossBy(task);
  if (question === undefined || (await confirmed(question, vscode.l10n.t('Remove')))) {
    await (await limner.engine.get()).store.remove(task.id);
  }
}

/** What is to be asked before a task is removed; undefined when nothing is lost by it. */
function lossBy(task: Task): string | undefined {
  if (task.results.some(({ state, incoming }) => state !== 'saved' && incoming !== undefined)) {
    return vscode.l10n.t('This task has images that are not saved yet. Remove it and lose them?');
  }
  return isStillThere(task, Date.now())
    ? vscode.l10n.t(
        'The service may still have an image of this task, which can be fetched without paying again. Remove it all the same?',
      )
    : undefined;
}

/**
 * `limner.tasks.clearFinished`: takes every ended task from the list; files stay, and so do starred tasks and those
 * whose images can still be saved or fetched.
 */
export async function clearFinished(limner: Limner): Promise<void> {
  const isMeant = await confirmed(
    vscode.l10n.t('Clear all finished tasks from the list?'),
    vscode.l10n.t('Clear'),
    vscode.l10n.t(
      'The image files stay where they are. Tasks with starred images, and those whose images may still be saved or fetched, stay in the list.',
    ),
  );
  if (isMeant) {
    await (await limner.engine.get()).store.clearFinished(Date.now());
  }
}
