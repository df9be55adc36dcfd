import type { Limner } from '../limner.ts';
import { type CommandId, commands } from '../names.ts';
import { insertImage } from './insertImage.ts';
import { replaceOriginal } from './replaceOriginal.ts';
import { resumeTask, runTaskAgain, runTaskSynchronously, stopTask } from './runTask.ts';
import { saveTaskAgain } from './saveAgain.ts';
import { reported, type TaskArgument } from './taskArgument.ts';
import { clearFinished, copyPrompt, removeTask } from './taskHistory.ts';
import {
  compareWithOriginal,
  copyPath,
  deleteImage,
  editTaskImage,
  openTask,
  revealImage,
} from './taskImages.ts';

type TaskCommandId = Extract<CommandId, `limner.task${string}`>;

/** What can be done with the rows of the task list; each says itself why it fails. */
export function taskCommands(
  limner: Limner,
): Record<TaskCommandId, (argument: TaskArgument) => Promise<void>> {
  const on =
    (action: (limner: Limner, argument: TaskArgument) => Promise<void>) => async (argument: TaskArgument) =>
      reported(limner, async () => action(limner, argument));
  return {
    [commands.openTask]: on(openTask),
    [commands.revealImage]: on(revealImage),
    [commands.compareWithOriginal]: on(compareWithOriginal),
    [commands.insertImage]: on(insertImage),
    [commands.replaceOriginal]: on(replaceOriginal),
    [commands.deleteImage]: on(deleteImage),
    [commands.editTaskImage]: on(editTaskImage),
    [commands.copyPath]: on(copyPath),
    [commands.stopTask]: on(stopTask),
    [commands.resumeTask]: on(resumeTask),
    [commands.runTaskAgain]: on(runTaskAgain),
    [commands.runTaskSynchronously]: on(runTaskSynchronously),
    [commands.saveTaskAgain]: on(saveTaskAgain),
    [commands.copyPrompt]: on(copyPrompt),
    [commands.removeTask]: on(removeTask),
    [commands.clearFinished]: on(clearFinished),
  };
}
