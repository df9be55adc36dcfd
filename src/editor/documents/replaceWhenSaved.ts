import { posix } from 'node:path';
import * as vscode from 'vscode';
import { languageOf } from '../../references/findReferences.ts';
import type { Reference } from '../../references/reference.ts';
import type { TaskStore } from '../../tasks/store/taskStore.ts';
import type { Task, TaskRequest } from '../../tasks/task.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import type { Settings } from '../window/settings.ts';
import { wordsFor } from './proposal.ts';
import type { ReadDocuments } from './readDocuments.ts';
import { WantedImages } from './wantedImages.ts';

/** In the workspace's storage: tasks whose image took its place in a document, or can't any more; the newest last. */
const doneKey = 'tasksWithReference';
/** How many of them are remembered. */
const most = 1000;
/** What an address is not the whole of, beside it. */
const partOfPath = /[\p{L}\p{N}_%./\\~-]/u;
/** How often an edit is made anew because the document changed meanwhile: while a person types, it may a few times. */
const mostTries = 20;

export interface ReplaceServices {
  engine: EngineHost;
  documents: ReadDocuments;
  settings: Settings;
  /** Of the workspace. */
  memory: vscode.Memento;
  log: vscode.LogOutputChannel;
}

/**
 * Writes the addresses of images into the documents of this workspace that they were made for, once they are saved: by
 * whichever window, also while this one was closed.
 */
export class ReplaceWhenSaved implements vscode.Disposable {
  readonly #services: ReplaceServices;
  readonly #done: Set<string>;
  readonly #subscriptions: { dispose(): void }[] = [];
  /** One after the other: each needs the document as the last one left it. */
  #last: Promise<void> = Promise.resolve();

  constructor(services: ReplaceServices) {
    this.#services = services;
    this.#done = new Set(services.memory.get<string[]>(doneKey, []));
    const { engine } = services;
    this.#subscriptions.push(engine.onDidOpen(({ store }) => this.#watch(store)));
    if (engine.opened) {
      this.#watch(engine.opened.store);
    }
  }

  dispose(): void {
    for (const one of this.#subscriptions) {
      one.dispose();
    }
  }

  #watch(store: TaskStore): void {
    const lookAtAll = (): void => {
      for (const task of store.withReference()) {
        this.#lookAt(task, false);
      }
    };
    lookAtAll();
    this.#subscriptions.push(
      vscode.workspace.onDidGrantWorkspaceTrust(lookAtAll),
      store.onDidChange((ids) => {
        for (const id of ids) {
          this.#lookAt(store.get(id), true);
        }
      }),
    );
  }

  /** @param isNew whether it may have been saved just now: of what is older, a person has seen what became of it */
  #lookAt(task: Task | undefined, isNew: boolean): void {
    const { reference } = task?.request ?? {};
    const file = task && savedFile(task);
    if (!reference || !file || this.#done.has(task.id) || !vscode.workspace.isTrusted) {
      return;
    }
    if (vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(reference.document))) {
      this.#done.add(task.id);
      this.#last = this.#last.then(async () => this.#replace(reference, file, isNew));
    }
  }

  async #replace(
    reference: NonNullable<TaskRequest['reference']>,
    file: vscode.Uri,
    isNew: boolean,
  ): Promise<void> {
    const { memory, log } = this.#services;
    const uri = vscode.Uri.parse(reference.document, true);
    const isReplaced = await this.#tryToReplace(uri, reference, file).catch((error: unknown) => {
      log.error(error instanceof Error ? error : String(error));
      return false;
    });
    if (isNew && !isReplaced) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          "Saved {0}, but not put in its place in {1}, which is no longer there or can't be changed.",
          plainText(nameOf(file)),
          plainText(nameOf(uri)),
        ),
      );
    }
    await memory.update(doneKey, [...this.#done].slice(-most));
  }

  /** @returns whether its place was there */
  async #tryToReplace(
    uri: vscode.Uri,
    reference: NonNullable<TaskRequest['reference']>,
    file: vscode.Uri,
  ): Promise<boolean> {
    const document = await vscode.workspace.openTextDocument(uri);
    for (let tries = 0; tries < mostTries; tries++) {
      const { version } = document;
      const edit = await this.#editFor(document, reference, file);
      if (edit.size === 0) {
        return false;
      }
      // What a person is typing is theirs to save.
      const { isDirty } = document;
      if (version === document.version && (await vscode.workspace.applyEdit(edit))) {
        await (isDirty || document.save());
        return true;
      }
    }
    throw new Error(`${uri.toString()} could not be changed.`);
  }

  async #editFor(
    document: vscode.TextDocument,
    { address, words }: NonNullable<TaskRequest['reference']>,
    file: vscode.Uri,
  ): Promise<vscode.WorkspaceEdit> {
    const { settings } = this.#services;
    const wanted = new WantedImages(settings);
    const edit = new vscode.WorkspaceEdit();
    const put = async (place: Place): Promise<void> => {
      const range = new vscode.Range(document.positionAt(place.start), document.positionAt(place.end));
      edit.replace(document.uri, range, await wanted.addressOf(document, file, place));
    };
    if (words === undefined) {
      for (const place of this.#placesOf(document, address)) {
        await put(place);
      }
      return edit;
    }
    for (const reference of this.#referencesTo(document, address)) {
      const image = await wanted.at(document, reference);
      if (image && wordsFor(image) === words) {
        await put(reference);
      }
    }
    return edit;
  }

  #referencesTo(document: vscode.TextDocument, address: string): Reference[] {
    return this.#services.documents.referencesIn(document).filter((one) => one.address === address);
  }

  /** In a language that is not read, an address is known by its letters. */
  #placesOf(document: vscode.TextDocument, address: string): Place[] {
    if (languageOf(document.languageId, document.uri.path) !== undefined) {
      return this.#referencesTo(document, address);
    }
    const text = document.getText();
    const places: Place[] = [];
    for (let start = text.indexOf(address); start !== -1; start = text.indexOf(address, start + 1)) {
      const end = start + address.length;
      if (!partOfPath.test(text[start - 1] ?? '') && !partOfPath.test(text[end] ?? '')) {
        places.push({ start, end, notation: 'path' });
      }
    }
    return places;
  }
}

/** Where an address stands in a document. */
type Place = Pick<Reference, 'start' | 'end' | 'notation'>;

/** Returns the file of a task's image by the name of its folder that the workspace has: on disk, it may have another. */
function savedFile({ request, results }: Task): vscode.Uri | undefined {
  const saved = results.find(({ state }) => state === 'saved')?.uri;
  return saved === undefined
    ? undefined
    : vscode.Uri.joinPath(
        vscode.Uri.parse(request.target.folder, true),
        posix.basename(vscode.Uri.parse(saved, true).path),
      );
}
