import * as vscode from 'vscode';
import type { Engine } from '../../engine.ts';
import type { ErrorRecord } from '../../common/limnerError.ts';
import type { Task } from '../../tasks/task.ts';
import type { Limner } from '../limner.ts';
import { failTask, reportFailure } from '../failures/refusal.ts';
import { savedFiles } from '../taskList/taskText.ts';

/** What a run came to: its task and the files it saved. */
export interface TaskOutcome {
  taskId: string;
  files: vscode.Uri[];
}

/**
 * Waits until a task has ended and does what `limner.afterSave` says with its first image.
 *
 * @throws LimnerError with the task's code when it ended without a saved image
 */
export async function followTask(limner: Limner, engine: Engine, started: Task): Promise<TaskOutcome> {
  const followed = limner.notices.follow(started.id);
  const task = await engine.runner.outcome(started.id).finally(() => {
    followed.dispose();
  });
  return finishTask(limner, task);
}

/** Follows a task for a person who does not wait for it: how it ends is said, not thrown. */
export function followInBackground(limner: Limner, engine: Engine, started: Task): void {
  followTask(limner, engine, started).catch(async (error: unknown) => reportFailure(limner.log, error));
}

/**
 * Does what `limner.afterSave` says with the first image of a task that has ended, and tells it.
 *
 * @param isShown whether its images are in sight already: then nothing is opened or told
 * @throws LimnerError with the task's code when it ended without a saved image
 */
export async function finishTask(limner: Limner, task: Task, isShown = false): Promise<TaskOutcome> {
  const files = savedFiles(task);
  const [first] = files;
  if (!first) {
    throw failTask(task, errorOf(task));
  }
  if (!isShown) {
    const shown = await afterSave(limner, first);
    void limner.notices.saved(task, shown);
  }
  return { taskId: task.id, files };
}

/** Why a task has no file: its own error, else that of its first image. */
function errorOf({ error, results }: Task): ErrorRecord {
  return (
    error ??
    results.find((result) => result.error)?.error ?? {
      code: 'empty_result',
      message: 'The task ended without a saved image.',
      billing: 'maybe',
    }
  );
}

/** @returns whether the image is in sight now */
async function afterSave(limner: Limner, image: vscode.Uri): Promise<boolean> {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  switch (limner.settings.afterSave) {
    case 'open':
      await vscode.commands.executeCommand('vscode.open', image, {
        preserveFocus: true,
        preview: true,
        viewColumn: isText(activeTab) ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
      });
      return true;
    case 'reveal':
      await vscode.commands.executeCommand('revealInExplorer', image);
      if (activeTab) {
        // The explorer has taken the keys: what a person goes on typing is meant for the editor.
        await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
      }
      return true;
    case 'nothing':
      return false;
  }
}

/** Whether a tab is one that a person may be writing in, which an image must not cover. */
function isText(tab: vscode.Tab | undefined): boolean {
  return tab?.input instanceof vscode.TabInputText || tab?.input instanceof vscode.TabInputNotebook;
}
