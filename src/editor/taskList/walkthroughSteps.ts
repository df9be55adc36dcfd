import * as vscode from 'vscode';
import type { TaskRequest } from '../../tasks/task.ts';
import { contextKeys } from '../names.ts';
import type { EngineHost } from '../window/engineHost.ts';

/** The context key that checks off the step of a kind of task. */
const keys: Record<TaskRequest['kind'], string> = {
  generate: contextKeys.hasImage,
  edit: contextKeys.hasEdit,
};

/** Tells the walkthrough which kinds of tasks have ever been completed. */
export function checkOffWalkthrough(engine: EngineHost): vscode.Disposable {
  const open = new Set<TaskRequest['kind']>(['generate', 'edit']);
  return engine.onDidOpen(({ store }) => {
    const update = (): void => {
      for (const kind of open) {
        if (store.list({ kind, statuses: ['completed'], limit: 1 }).length > 0) {
          open.delete(kind);
          void vscode.commands.executeCommand('setContext', keys[kind], true);
        }
      }
      if (open.size === 0) {
        subscription.dispose();
      }
    };
    const subscription = store.onDidChange(update);
    update();
  });
}
