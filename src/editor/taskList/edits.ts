import * as vscode from 'vscode';
import { restorable } from '../../common/keptFiles.ts';
import type { TaskStore } from '../../tasks/store/taskStore.ts';
import type { Task } from '../../tasks/task.ts';
import { contextKeys } from '../names.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { type SavedResult, savedImages } from './taskLabels.ts';

/** How many edits, the newest ones, the editors of files know. */
const knownEdits = 100;

interface Edit {
  task: Task;
  result: SavedResult;
}

/** Tells VS Code which files are edits: the titles of their editors offer to compare them with their originals. */
export function markEdits(engine: EngineHost): vscode.Disposable {
  return engine.onDidOpen(({ store }) => {
    const edits = new Map(recentEdits(store).map((task) => [task.id, savedImages(task)]));
    let marked = '';
    const mark = (): void => {
      const images = [...edits.values()].flat();
      const replacing = images.filter((image) => restorable(image) !== undefined);
      const uris = [images, replacing].map((some) => some.map(({ uri }) => uri));
      if (JSON.stringify(uris) !== marked) {
        marked = JSON.stringify(uris);
        setContext(contextKeys.edits, images);
        setContext(contextKeys.replacingEdits, replacing);
      }
    };
    store.onDidChange((ids) => {
      for (const id of ids) {
        const task = store.get(id);
        if (task?.request.kind === 'edit') {
          edits.set(id, savedImages(task));
        } else {
          edits.delete(id);
        }
      }
      mark();
    });
    mark();
  });
}

/** Returns the newest edit that was saved as this file. */
export function editAt(store: TaskStore, file: vscode.Uri): Edit | undefined {
  for (const task of recentEdits(store)) {
    const result = savedImages(task).find(
      ({ uri }) => vscode.Uri.parse(uri, true).toString() === file.toString(),
    );
    if (result) {
      return { task, result };
    }
  }
  return undefined;
}

function recentEdits(store: TaskStore): Task[] {
  return store.list({ kind: 'edit', limit: knownEdits });
}

/** Passes URIs rather than texts: VS Code makes them those of its own window, which may be another host's. */
function setContext(key: string, images: readonly SavedResult[]): void {
  const uris = images.map(({ uri }) => vscode.Uri.parse(uri, true));
  void vscode.commands.executeCommand('setContext', key, uris);
}
