import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { TaskStore } from '../../tasks/store/taskStore.ts';
import type { Task, TaskRequest, TaskResult } from '../../tasks/task.ts';
import * as commands from '../commandIds.ts';
import { commandAction, type ErrorAction, offer } from '../failures/errorText.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf, statOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import type { Settings } from '../window/settings.ts';
import { reopenAction } from './changeDocument.ts';
import { ImagePlaces } from './imagePlaces.ts';
import type { ReadDocuments } from './readDocuments.ts';

/** In the workspace's storage: tasks whose image is to take its place in a document once it is saved; the newest last. */
const awaitedKey = 'awaitedForDocuments';
/** How many of them are remembered. */
const most = 1000;
/** Of what is older, nobody is asked. In milliseconds. */
const recent = 7 * 24 * 3_600_000;

export interface ReplaceServices {
  engine: EngineHost;
  documents: ReadDocuments;
  settings: Settings;
  /** Of the workspace. */
  memory: vscode.Memento;
  log: vscode.LogOutputChannel;
}

/** An image that is saved, and what it takes the place of. */
interface Placement {
  id: string;
  index: number;
  reference: NonNullable<TaskRequest['reference']>;
  file: vscode.Uri;
}

/**
 * Writes the addresses of images into the documents of this workspace that they were made for, once they are saved: by
 * whichever window, also while this one was closed. For what was saved before this workspace knew of it, asks once. The
 * task's row says when that is done, for all windows and workspaces.
 */
export class ReplaceWhenSaved implements vscode.Disposable {
  readonly #services: ReplaceServices;
  readonly #places: ImagePlaces;
  readonly #awaited: Set<string>;
  /** Tasks whose image is being put in its place. */
  readonly #busy = new Set<string>();
  readonly #subscriptions: { dispose(): void }[] = [];
  /** One after the other: each needs the document as the last one left it. */
  #last: Promise<void> = Promise.resolve();

  constructor(services: ReplaceServices) {
    this.#services = services;
    const { documents, engine, memory, settings } = services;
    this.#places = new ImagePlaces(documents, settings);
    this.#awaited = new Set(memory.get<string[]>(awaitedKey, []));
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
      // The oldest first, as they came.
      const tasks = store.withReference().toReversed();
      for (const task of tasks) {
        this.#lookAt(store, task);
      }
      this.#last = this.#last.then(async () => this.#askAbout(store, tasks));
    };
    lookAtAll();
    this.#subscriptions.push(
      vscode.workspace.onDidGrantWorkspaceTrust(lookAtAll),
      store.onDidChange((ids) => {
        for (const id of ids) {
          this.#lookAt(store, store.get(id));
        }
      }),
    );
  }

  #lookAt(store: TaskStore, task: Task | undefined): void {
    const { reference } = task?.request ?? {};
    if (!task || !reference || !isHere(reference)) {
      return;
    }
    const { id } = task;
    const placement = placementOf(task);
    const isAwaited = this.#awaited.has(id);
    if (!task.results.some(isSaved)) {
      if (!isAwaited) {
        this.#awaited.add(id);
        void this.#remember();
      }
    } else if (!placement) {
      void this.#forget(id);
    } else if (isAwaited && !this.#busy.has(id) && vscode.workspace.isTrusted) {
      this.#busy.add(id);
      this.#last = this.#last.then(async () => this.#placeOnce(store, placement));
    }
  }

  /** Asks whether images are to take their places that were saved before this workspace knew of them. */
  async #askAbout(store: TaskStore, tasks: readonly Task[]): Promise<void> {
    const open: Placement[] = [];
    const since = Date.now() - recent;
    for (const task of vscode.workspace.isTrusted ? tasks : []) {
      const { id, finishedAt = 0 } = task;
      const placement = finishedAt > since && !this.#awaited.has(id) ? placementOf(task) : undefined;
      if (placement && isHere(placement.reference) && (await this.#isOpen(placement))) {
        open.push(placement);
      }
    }
    if (open.length > 0) {
      // What comes meanwhile doesn't wait for the answer.
      void this.#ask(store, open);
    }
  }

  async #ask(store: TaskStore, open: readonly Placement[]): Promise<void> {
    const put = vscode.l10n.t('Put in Place');
    const text =
      open.length === 1
        ? vscode.l10n.t('An image was made for a document of this workspace, and is not in its place yet.')
        : vscode.l10n.t(
            '{0} images were made for documents of this workspace, and are not in their places yet.',
            open.length,
          );
    const isWanted = (await vscode.window.showInformationMessage(text, put)) === put;
    for (const placement of open) {
      this.#last = this.#last.then(async () => this.#placeOnce(store, placement, isWanted));
    }
  }

  async #isOpen({ reference, file }: Placement): Promise<boolean> {
    try {
      return (await statOf(file)) !== undefined && (await this.#places.has(reference, file));
    } catch (error) {
      // The document is gone, or is on another branch.
      this.#services.log.debug(String(error));
      return false;
    }
  }

  /** Unless another window does it, or did. @param isWanted whether it is not only done with */
  async #placeOnce(store: TaskStore, placement: Placement, isWanted = true): Promise<void> {
    const { id, index, file } = placement;
    try {
      const begun = await store.apply(id, { type: 'placing', index, at: Date.now() });
      if (begun.ok) {
        // It may have been deleted since, or belong to another branch.
        if (isWanted && (await statOf(file))) {
          await this.#place(placement);
        }
        await store.apply(id, { type: 'placed', index });
        await this.#forget(id);
      }
    } catch (error) {
      this.#log(error);
    } finally {
      this.#busy.delete(id);
    }
  }

  /** Puts an image in its place, or says why that isn't possible. */
  async #place(placement: Placement): Promise<void> {
    const { reference, file } = placement;
    const [image, document] = [file, vscode.Uri.parse(reference.document)].map((uri) =>
      plainText(nameOf(uri)),
    );
    try {
      const outcome = await this.#places.put(reference, file);
      if (outcome === 'unclear') {
        const told = vscode.l10n.t(
          'Saved {0}, but not put in its place in {1}, which is gone or not clear any more.',
          image ?? '',
          document ?? '',
        );
        this.#tell(told, this.#insertAction(placement), this.#tryAgainAction(placement));
      } else if (outcome === 'lossy') {
        const told = vscode.l10n.t(
          'Saved {0}, but {1} is in an encoding in which VS Code loses letters, so it was left as it is. Reopen it with the right encoding, and try again.',
          image ?? '',
          document ?? '',
        );
        const reopen = reopenAction(vscode.Uri.parse(reference.document, true));
        this.#tell(told, reopen, this.#tryAgainAction(placement), this.#insertAction(placement));
      }
    } catch (error) {
      this.#log(error);
      const told = vscode.l10n.t(
        "Saved {0}, but not put in its place in {1}, which can't be changed.",
        image ?? '',
        document ?? '',
      );
      this.#tell(told, this.#tryAgainAction(placement));
    }
  }

  #tell(told: string, ...actions: readonly ErrorAction[]): void {
    offer(vscode.window.showWarningMessage, told, ...actions).catch((error: unknown) => this.#log(error));
  }

  /** Shows the document, and inserts the image once the person has put the cursor where it belongs. */
  #insertAction({ id, reference, file }: Placement): ErrorAction {
    return {
      title: vscode.l10n.t('Insert…'),
      run: async () => {
        await vscode.window.showTextDocument(vscode.Uri.parse(reference.document, true));
        await offer(
          vscode.window.showInformationMessage,
          vscode.l10n.t('Put the cursor where {0} belongs.', plainText(nameOf(file))),
          commandAction(vscode.l10n.t('Insert Here'), commands.insertImage, id),
        );
      },
    };
  }

  #tryAgainAction(placement: Placement): ErrorAction {
    return { title: vscode.l10n.t('Try Again'), run: async () => this.#place(placement) };
  }

  async #forget(id: string): Promise<void> {
    if (this.#awaited.delete(id)) {
      await this.#remember();
    }
  }

  async #remember(): Promise<void> {
    await this.#services.memory.update(awaitedKey, [...this.#awaited].slice(-most));
  }

  #log(error: unknown): void {
    this.#services.log.error(error instanceof Error ? error : String(error));
  }
}

function isHere({ document }: NonNullable<TaskRequest['reference']>): boolean {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(document)) !== undefined;
}

/** Returns the image of a task that has a place; undefined where it isn't saved, or where that is done with. */
function placementOf({ id, request, results }: Task): Placement | undefined {
  const { reference, target } = request;
  const result = results.find(isSaved);
  if (!reference || !result || result.placing === 'done') {
    return undefined;
  }
  // By the name of its folder that the workspace has: on disk, it may have another.
  const name = posix.basename(vscode.Uri.parse(result.uri ?? '').path);
  const file = vscode.Uri.joinPath(vscode.Uri.parse(target.folder, true), name);
  return { id, index: result.index, reference, file };
}

function isSaved({ state }: TaskResult): boolean {
  return state === 'saved';
}
