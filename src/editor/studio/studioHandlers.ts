import * as vscode from 'vscode';
import { removeTask } from '../actions/taskHistory.ts';
import { resume, runAgain, runSynchronously, stopTask } from '../actions/runTask.ts';
import { saveTaskAgain } from '../actions/saveAgain.ts';
import { commands } from '../names.ts';
import { pickImages } from '../paint/inputImages.ts';
import { pickFolder } from '../paint/pickFolder.ts';
import { droppedUri } from './droppedUri.ts';
import type { StudioHandlers } from '../studioPanel/answerRequest.ts';
import { loadMask, maskUrl, saveMask } from './masks.ts';
import { resultActions } from './resultHandlers.ts';
import { folderText } from './folderText.ts';
import { restoreTask } from './restoreTask.ts';
import { searchHistory } from './searchHistory.ts';
import type { StudioPanel } from '../studioPanel/studioPanel.ts';
import { submit } from './submit.ts';
import { takeBytes, takeFiles } from './takeInputs.ts';
import { variations } from '../actions/variations.ts';

/** What the studio can do, by the methods of its protocol. */
export function studioHandlers(studio: StudioPanel): StudioHandlers {
  const { limner, draft } = studio;
  return {
    async saveDraft({ changes }) {
      await draft.change(changes);
      return studio.target.look();
    },
    submit: async ({ mask }) => studio.send(async () => submit(studio, mask)),
    async pickFolder() {
      const folder = await pickFolder();
      return folder ? folderText(folder, await limner.folders.current(false)) : null;
    },
    pickInputs: async () => takeFiles(studio, (await pickImages()) ?? []),
    addInputs: async ({ uris }) => takeFiles(studio, uris.map(droppedUri)),
    addInputBytes: async ({ name, bytes }) => takeBytes(studio, name, bytes),
    loadMask: async (size) => loadMask(studio, size),
    maskUrl: async ({ file }) => maskUrl(studio, file),
    saveMask: async ({ bytes, name }) => saveMask(name, bytes),
    async taskAction({ task, action }) {
      switch (action) {
        case 'stop':
          await stopTask(limner, task);
          break;
        case 'resume':
          await resume(limner, task);
          break;
        case 'saveAgain':
          await saveTaskAgain(limner, task, true);
          break;
        case 'remove':
          await removeTask(limner, task);
          break;
        case 'runAgain':
          await studio.began(await runAgain(limner, task));
          break;
        case 'runSynchronously':
          await studio.began(await runSynchronously(limner, task));
          break;
      }
    },
    ...resultActions(studio),
    async copyPrompt({ task }) {
      await vscode.commands.executeCommand(commands.copyPrompt, task);
    },
    async variations({ task }) {
      await studio.began(await variations(limner, task));
    },
    history: async (part) => searchHistory(studio, part),
    restore: async ({ task }) => restoreTask(studio, task),
    mend: async ({ failure, remedy }) => studio.runErrorAction(failure, remedy),
    async connect({ demo }) {
      await vscode.commands.executeCommand(demo ? commands.useDemoService : commands.connect);
    },
  };
}
