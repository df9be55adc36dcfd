import * as vscode from 'vscode';
import type { TaskRequest } from '../../engine/task/task.ts';
import { contextKeys } from './names.ts';
import type { EngineHost } from './engineHost.ts';
import type { Settings } from './settings.ts';

/** Context keys that check off the step of each kind of task. */
const keys: Record<TaskRequest['kind'], string> = {
  generate: contextKeys.hasImage,
  edit: contextKeys.hasEdit,
};

/**
 * Checks off the walkthrough's steps for past and new actions. VS Code only notices a key that becomes true after a
 * walkthrough is open. So each key is set for a moment: when its step is done, and again when a tab opens or changes
 * that may be a walkthrough.
 */
export function checkOffWalkthrough(engine: EngineHost, settings: Settings): vscode.Disposable {
  const open = new Set<TaskRequest['kind']>(['generate', 'edit']);
  const done = new Set<string>();
  const finish = (key: string): void => {
    done.add(key);
    void setBriefly([key]);
  };
  const checkService = (): void => {
    if (settings.baseUrl !== '' && !done.has(contextKeys.hasService)) {
      finish(contextKeys.hasService);
    }
  };
  checkService();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration(checkService),
    vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
      // Extensions can't identify the input of a walkthrough's tab.
      if ([...opened, ...changed].some(({ input }) => input === undefined)) {
        void setBriefly(done);
      }
    }),
    engine.onDidOpen(({ store }) => {
      const update = (): void => {
        for (const kind of open) {
          if (store.list({ kind, statuses: ['completed'], limit: 1 }).length > 0) {
            open.delete(kind);
            finish(keys[kind]);
          }
        }
        if (open.size === 0) {
          subscription.dispose();
        }
      };
      const subscription = store.onDidChange(update);
      update();
    }),
  );
}

async function setBriefly(done: Iterable<string>): Promise<void> {
  for (const key of done) {
    await vscode.commands.executeCommand('setContext', key, true);
    await vscode.commands.executeCommand('setContext', key, false);
  }
}
