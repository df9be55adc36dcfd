import * as vscode from 'vscode';
import { isRunning } from '../../common/taskStatus.ts';
import type { TaskStore } from '../../tasks/store/taskStore.ts';
import type { Task } from '../../tasks/task.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { wordsFor } from './proposal.ts';
import type { ReadDocuments } from './readDocuments.ts';
import { WantedImages } from './wantedImages.ts';

/** Writes the addresses of images into the documents that they were made for, each in the window that works on its task. */
export function replaceWhenSaved(
  engine: EngineHost,
  documents: ReadDocuments,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const subscriptions: { dispose(): void }[] = [];
  const watch = ({ store }: { store: TaskStore }): void => {
    const running = new Set(store.running().map(({ id }) => id));
    subscriptions.push(
      store.onDidChange((ids) => {
        for (const id of ids) {
          const task = store.get(id);
          if (task && isRunning(task)) {
            running.add(id);
          } else if (running.delete(id) && task && store.leases.fenceOf(id) === store.fence(id)) {
            replace(task, documents).catch((error: unknown) => log.error(String(error)));
          }
        }
      }),
    );
  };
  subscriptions.push(engine.onDidOpen(watch));
  if (engine.opened) {
    watch(engine.opened);
  }
  return { dispose: () => subscriptions.forEach((one) => one.dispose()) };
}

async function replace({ request, results }: Task, documents: ReadDocuments): Promise<void> {
  const saved = results.find(({ state }) => state === 'saved')?.uri;
  if (!request.reference || saved === undefined) {
    return;
  }
  const uri = vscode.Uri.parse(request.reference.document, true);
  const document = await vscode.workspace.openTextDocument(uri);
  const { isDirty } = document;
  const wanted = new WantedImages();
  const edit = new vscode.WorkspaceEdit();
  for (const reference of documents.referencesIn(document)) {
    const image = reference.address === request.reference.address && (await wanted.at(document, reference));
    if (image && wordsFor(image) === request.reference.words) {
      const range = new vscode.Range(
        document.positionAt(reference.start),
        document.positionAt(reference.end),
      );
      edit.replace(uri, range, await wanted.addressOf(document, vscode.Uri.parse(saved, true), reference));
    }
  }
  await vscode.workspace.applyEdit(edit);
  if (!isDirty) {
    await document.save();
  }
}
