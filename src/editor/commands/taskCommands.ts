import * as vscode from 'vscode';
import type { Limner } from '../limner.ts';
import { type CommandId, commands } from '../names.ts';
import { reported } from '../failures/refusal.ts';
import { insertImage } from '../actions/insertImage.ts';
import { replaceOriginal } from '../actions/replaceOriginal.ts';
import { resumeTask, runTaskAgain, runTaskSynchronously, stopTask } from '../actions/runTask.ts';
import { saveTaskAgain } from '../actions/saveAgain.ts';
import { chosenRows, type TaskArgument } from '../actions/taskArgument.ts';
import { clearFinished, copyPrompts, removeTask } from '../actions/taskHistory.ts';
import {
  compareWithOriginal,
  copyPaths,
  deleteImage,
  editTaskImage,
  openTask,
  revealImage,
} from '../actions/taskImages.ts';

type TaskCommandId = Extract<CommandId, `limner.task${string}`>;

type TaskCommand = (argument: unknown, selection?: unknown) => Promise<void>;

/** What can be done with the rows of the task list; each says itself why it fails. */
export function taskCommands(limner: Limner): Record<TaskCommandId, TaskCommand> {
  const onAll =
    (action: (limner: Limner, chosen: readonly TaskArgument[]) => Promise<void>): TaskCommand =>
    async (argument, selection) => {
      const chosen = chosenRows(argument, selection);
      if (chosen.length > 0) {
        await reported(limner.log, async () => action(limner, chosen));
      } else {
        // VS Code knows no rows while it asks for the list anew, and what is chosen from a menu then comes without one.
        void vscode.window.showInformationMessage(
          vscode.l10n.t('The task list changed just then. Choose the command again.'),
        );
      }
    };
  const on = (action: (limner: Limner, argument: TaskArgument) => Promise<void>): TaskCommand => {
    const onFirst = onAll(async (_, [first]) => action(limner, first));
    return async (argument) => onFirst(argument);
  };
  const onEach = (action: (limner: Limner, argument: TaskArgument) => Promise<void>): TaskCommand =>
    onAll(async (_, chosen) => {
      for (const one of chosen) {
        await action(limner, one);
      }
    });
  return {
    [commands.openTask]: on(openTask),
    [commands.revealImage]: on(revealImage),
    [commands.compareWithOriginal]: on(compareWithOriginal),
    [commands.insertImage]: on(insertImage),
    [commands.replaceOriginal]: on(replaceOriginal),
    [commands.deleteImage]: onEach(deleteImage),
    [commands.editTaskImage]: on(editTaskImage),
    [commands.copyPath]: onAll(copyPaths),
    [commands.stopTask]: onEach(stopTask),
    [commands.resumeTask]: onEach(resumeTask),
    [commands.runTaskAgain]: on(runTaskAgain),
    [commands.runTaskSynchronously]: on(runTaskSynchronously),
    [commands.saveTaskAgain]: on(saveTaskAgain),
    [commands.copyPrompt]: onAll(copyPrompts),
    [commands.removeTask]: onEach(removeTask),
    [commands.clearFinished]: async () => reported(limner.log, async () => clearFinished(limner)),
  };
}
