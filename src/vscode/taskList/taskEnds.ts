import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { canBeFinished } from '../../common/taskStatus.ts';
import { availableActions } from '../../engine/operations/availableActions.ts';
import type { Task, TaskRequest } from '../../engine/task/task.ts';
import * as commands from '../window/commandIds.ts';
import { commandAction, offer } from '../window/offers.ts';
import { describeError, describeTaskFailure, showFailure, showTaskFailure } from '../window/errorText.ts';
import type { ErrorRecord } from '../../common/limnerError.ts';
import { nameOf } from '../window/files.ts';
import { plainText, taskName } from '../window/plainText.ts';
import { isLost, progressOf } from './batchProgress.ts';
import { firstError } from './taskLabels.ts';

export { showTaskFailure };

/** Says why a task ended without its images. */
export async function explain(error: ErrorRecord, task: Task): Promise<void> {
  await showFailure(describeTaskFailure(error, task));
}

/** Reports that all images of a task are saved. */
export async function tellSaved(task: Task, images: number): Promise<void> {
  const name = taskName(task);
  await offer(
    vscode.window.showInformationMessage,
    images === 1
      ? l10n.t('Saved the image "{0}".', name)
      : l10n.t('Saved {0} images of "{1}".', images, name),
    commandAction(l10n.t('Open'), commands.taskOpen, task.id),
    commandAction(l10n.t('Reveal'), commands.taskReveal, task.id),
  );
}

/** Reports how tasks ended that were made together. */
export async function tellTogether(
  { id, title }: NonNullable<TaskRequest['batch']>,
  tasks: readonly Task[],
): Promise<void> {
  const { images, saved, failed } = progressOf(tasks);
  const documents = [...new Set(tasks.map(({ request }) => request.reference?.document))];
  const [document] = documents;
  if (saved === images && document !== undefined && documents.length === 1) {
    const uri = vscode.Uri.parse(document, true);
    const name = plainText(nameOf(uri));
    await offer(
      vscode.window.showInformationMessage,
      images === 1
        ? l10n.t('Saved 1 image for a placeholder in {0}.', name)
        : l10n.t('Saved {0} images for placeholders in {1}.', images, name),
      commandAction(l10n.t('Open'), 'vscode.open', uri),
    );
    return;
  }
  if (saved === images) {
    void vscode.window.showInformationMessage(
      images === 1 ? l10n.t('{0}: saved 1 image.', title) : l10n.t('{0}: saved {1} images.', title, images),
    );
    return;
  }
  const task = failed.find(isLost) ?? failed[0];
  const error = task && firstError(task);
  const count = l10n.t('{0}: saved {1} of {2} images.', title, saved, images);
  await offer(
    vscode.window.showWarningMessage,
    `${count} ${error ? describeError(error, task, !isLost(task)).message : ''}`.trim(),
    ...(task
      ? [
          isLost(task)
            ? commandAction(l10n.t('Regenerate the Others…'), commands.batchRetry, id)
            : commandAction(l10n.t('Fetch the Others'), commands.batchFetch, id),
        ]
      : []),
  );
}

/** Reports that the image on white is saved and the one on black waits for the user. */
export async function tellHalf(task: Task, onBlack: Task): Promise<void> {
  await offer(
    vscode.window.showWarningMessage,
    l10n.t(
      '"{0}" is saved on white only. The window closed before the edit to black was sent.',
      taskName(task),
    ),
    commandAction(l10n.t('Send Now'), commands.taskResume, onBlack.id),
    commandAction(l10n.t('Open'), commands.taskOpen, task.id),
  );
}

/** Reports that a task has fewer images than it should. */
export async function tellIncomplete(task: Task, saved: number, wanted: number): Promise<void> {
  const error = firstError(task);
  const count = l10n.t('"{0}": Saved {1} of {2} images.', taskName(task), saved, wanted);
  const open = commandAction(l10n.t('Open'), commands.taskOpen, task.id);
  const { message, actions } = error ? describeError(error, task) : { message: '', actions: [] };
  await offer(vscode.window.showWarningMessage, `${count} ${message}`.trim(), open, ...actions);
}

/** Reports what is wrong with a saved image. */
export async function tellProblem(task: Task, problem: string): Promise<void> {
  await offer(
    vscode.window.showWarningMessage,
    `"${taskName(task)}": ${problem}`,
    commandAction(l10n.t('Open'), commands.taskOpen, task.id),
    ...(availableActions(task).includes('keepAnyway')
      ? [commandAction(l10n.t('Keep It Anyway'), commands.taskKeepAnyway, task.id)]
      : []),
    ...(task.results.some((result) => canBeFinished(task, result))
      ? [commandAction(l10n.t('Try Again'), commands.taskFinishAgain, task.id)]
      : []),
  );
}

export async function tellInInbox(task: Task): Promise<void> {
  await offer(
    vscode.window.showWarningMessage,
    l10n.t('The images of "{0}" are kept in the inbox until their folder is available.', taskName(task)),
    commandAction(l10n.t('Save Again…'), commands.taskSaveAgain, task.id),
  );
}
