import * as vscode from 'vscode';
import { isRunning } from '../../common/taskStatus.ts';
import type { TaskStore } from '../../tasks/store/taskStore.ts';
import type { Task, TaskRequest } from '../../tasks/task.ts';
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
  let last = Promise.resolve();
  const watch = ({ store }: { store: TaskStore }): void => {
    const running = new Set(store.running().map(({ id }) => id));
    subscriptions.push(
      store.onDidChange((ids) => {
        for (const id of ids) {
          const task = store.get(id);
          if (task && isRunning(task)) {
            running.add(id);
          } else if (running.delete(id) && task && store.leases.fenceOf(id) === store.fence(id)) {
            // One after the other: each needs the document as the last one left it.
            last = last
              .then(async () => replace(task, documents))
              .catch((error: unknown) => log.error(String(error)));
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

/** How often an edit is made anew because the document changed meanwhile: while a person types, it may a few times. */
const mostTries = 20;

async function replace({ request, results }: Task, documents: ReadDocuments): Promise<void> {
  const saved = results.find(({ state }) => state === 'saved')?.uri;
  if (!request.reference || saved === undefined) {
    return;
  }
  const file = vscode.Uri.parse(saved, true);
  const document = await vscode.workspace.openTextDocument(
    vscode.Uri.parse(request.reference.document, true),
  );
  const { isDirty } = document;
  for (let tries = 0; tries < mostTries; tries++) {
    const { version } = document;
    const edit = await editFor(document, request.reference, file, documents);
    if (version === document.version && (await vscode.workspace.applyEdit(edit))) {
      await (isDirty || document.save());
      return;
    }
  }
  throw new Error(`${document.uri.toString()} could not be changed.`);
}

async function editFor(
  document: vscode.TextDocument,
  { address, words }: NonNullable<TaskRequest['reference']>,
  file: vscode.Uri,
  documents: ReadDocuments,
): Promise<vscode.WorkspaceEdit> {
  const wanted = new WantedImages();
  const edit = new vscode.WorkspaceEdit();
  for (const reference of documents.referencesIn(document)) {
    const image = reference.address === address ? await wanted.at(document, reference) : undefined;
    if (image && wordsFor(image) === words) {
      const range = new vscode.Range(
        document.positionAt(reference.start),
        document.positionAt(reference.end),
      );
      edit.replace(document.uri, range, await wanted.addressOf(document, file, reference));
    }
  }
  return edit;
}
