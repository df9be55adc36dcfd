import * as vscode from 'vscode';
import type { SaveTarget, Task } from '../../tasks/task.ts';
import { describeError } from '../failures/errorText.ts';
import { finishTask } from './followTask.ts';
import type { Limner } from '../limner.ts';
import { settingNames } from '../names.ts';
import { confirmed } from '../window/confirm.ts';
import { statOf } from '../window/files.ts';
import { pickFolder } from '../paint/pickFolder.ts';
import { taskOf, type TaskArgument } from './taskArgument.ts';

/**
 * `limner.task.saveAgain`: tries once more to save what was paid for; in another folder, which the person chooses,
 * when the first one is gone or fails again.
 *
 * @param isShown whether its images are in sight already
 */
export async function saveTaskAgain(limner: Limner, argument: TaskArgument, isShown = false): Promise<void> {
  const task = await taskOf(limner, argument);
  if (!task || !(await allowHosts(limner, task))) {
    return;
  }
  let target: SaveTarget | undefined;
  if (!(await statOf(vscode.Uri.parse(task.request.target.root, true)))) {
    target = await chooseFolder(task);
    if (!target) {
      return;
    }
  }
  const { runner } = await limner.engine.get();
  for (;;) {
    const followed = limner.notices.follow(task.id);
    const after = await runner
      .saveAgain(task.id, target)
      .then(async () => runner.outcome(task.id))
      .finally(() => {
        followed.dispose();
      });
    const problem = after.results.find(
      ({ state, error }) => state !== 'saved' && error?.code === 'save_failed',
    );
    if (!problem?.error) {
      await finishTask(limner, after, isShown);
      return;
    }
    target = await offerFolder(after, describeError(problem.error, after).message);
    if (!target) {
      return;
    }
  }
}

/** Asks about hosts that results are not fetched from to be safe. @returns false when the person would not */
async function allowHosts(limner: Limner, task: Task): Promise<boolean> {
  const allowed = limner.settings.engine([]).resultHosts;
  const hosts = [...new Set(task.results.flatMap(({ error }) => error?.refusedHost ?? []))].filter(
    (host) => !allowed.includes(host),
  );
  if (hosts.length === 0) {
    return true;
  }
  const isAllowed = await confirmed(
    vscode.l10n.t('Fetch images from {0}?', hosts.join(', ')),
    vscode.l10n.t('Allow This Host and Fetch'),
    vscode.l10n.t(
      'The service says that the images are there, but that address is not on the public internet. Allow it only if you know the host; it is added to the setting "{0}".',
      settingNames.resultHosts,
    ),
  );
  if (isAllowed) {
    await limner.settings.update(settingNames.resultHosts, [...allowed, ...hosts]);
  }
  return isAllowed;
}

async function offerFolder(task: Task, message: string): Promise<SaveTarget | undefined> {
  const choose = vscode.l10n.t('Choose Another Folder…');
  const chosen = await vscode.window.showErrorMessage(message, choose);
  return chosen === choose ? chooseFolder(task) : undefined;
}

async function chooseFolder({ request }: Task): Promise<SaveTarget | undefined> {
  const folder = await pickFolder();
  return folder && { ...request.target, folder: folder.toString(), root: folder.toString() };
}
