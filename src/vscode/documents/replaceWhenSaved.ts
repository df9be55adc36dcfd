import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TaskStore } from '../../engine/store/taskStore.ts';
import type { Task, TaskRequest, TaskResult } from '../../engine/task/task.ts';
import * as commands from '../window/commandIds.ts';
import { commandAction, type ErrorAction, offer } from '../window/offers.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf, statOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import type { Settings } from '../window/settings.ts';
import { reopenAction } from './changeDocument.ts';
import type { ImageIndex } from './imageIndex.ts';
import { ImagePlaces } from './imagePlaces.ts';
import type { ReadDocuments } from './readDocuments.ts';

/** Key in the workspace's storage: tasks whose image will be inserted into a document once it is saved, newest last. */
const awaitedKey = 'awaitedForDocuments';
const most = 1000;
/** Maximum age of images to ask about, in milliseconds. */
const recent = 7 * 24 * 3_600_000;

export interface ReplaceServices {
  engine: EngineHost;
  documents: ReadDocuments;
  settings: Settings;
  index?: ImageIndex;
  memory: vscode.Memento;
  log: vscode.LogOutputChannel;
}

interface Placement {
  id: string;
  index: number;
  reference: NonNullable<TaskRequest['reference']>;
  file: vscode.Uri;
}

/**
 * Inserts the addresses of saved images into the documents of this workspace that they were generated for, whichever
 * window saved them, even while this one was closed. Asks once about images that were saved before this workspace knew
 * of them. The task's row records the result for all windows and workspaces.
 */
export class ReplaceWhenSaved implements vscode.Disposable {
  readonly #services: ReplaceServices;
  readonly #places: ImagePlaces;
  readonly #awaited: Set<string>;
  readonly #busy = new Set<string>();
  readonly #subscriptions: { dispose(): void }[] = [];
  /** Insertions run one at a time: each needs the document as the last one left it. */
  #last: Promise<void> = Promise.resolve();

  constructor(services: ReplaceServices) {
    this.#services = services;
    const { documents, engine, memory, settings, index } = services;
    this.#places = new ImagePlaces(documents, settings, index);
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
      // Oldest first.
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

  /** Asks whether to insert images that were saved before this workspace knew of them. */
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
      // New images don't wait for the answer.
      void this.#ask(store, open);
    }
  }

  async #ask(store: TaskStore, open: readonly Placement[]): Promise<void> {
    const put = l10n.t('Insert');
    const text =
      open.length === 1
        ? l10n.t("An image for a document in this workspace hasn't been inserted yet.")
        : l10n.t("{0} images for documents in this workspace haven't been inserted yet.", open.length);
    const isWanted = (await vscode.window.showInformationMessage(text, put)) === put;
    for (const placement of open) {
      this.#last = this.#last.then(async () => this.#placeOnce(store, placement, isWanted));
    }
  }

  async #isOpen({ reference, file }: Placement): Promise<boolean> {
    try {
      return (await statOf(file)) !== undefined && (await this.#places.has(reference, file));
    } catch (error) {
      // The document is gone or on another branch.
      this.#services.log.debug(String(error));
      return false;
    }
  }

  /**
   * Inserts an image unless another window does. @param isWanted whether to insert it, rather than only mark it as done
   */
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

  async #place(placement: Placement): Promise<void> {
    const { reference, file } = placement;
    const [image, document] = [file, vscode.Uri.parse(reference.document)].map((uri) =>
      plainText(nameOf(uri)),
    );
    try {
      const outcome = await this.#places.put(reference, file);
      if (outcome === 'unclear') {
        const told = l10n.t(
          "Saved {0}, but couldn't insert it: its place in {1} is gone or ambiguous.",
          image ?? '',
          document ?? '',
        );
        this.#tell(told, this.#insertAction(placement), this.#tryAgainAction(placement));
      } else if (outcome === 'lossy') {
        const told = l10n.t(
          "Saved {0}, but didn't change {1}: VS Code loses characters in its encoding. Reopen it with the right encoding, and try again.",
          image ?? '',
          document ?? '',
        );
        const reopen = reopenAction(vscode.Uri.parse(reference.document, true));
        this.#tell(told, reopen, this.#tryAgainAction(placement), this.#insertAction(placement));
      }
    } catch (error) {
      this.#log(error);
      const told = l10n.t(
        "Saved {0}, but couldn't insert it: {1} can't be changed.",
        image ?? '',
        document ?? '',
      );
      this.#tell(told, this.#tryAgainAction(placement));
    }
  }

  #tell(told: string, ...actions: readonly ErrorAction[]): void {
    offer(vscode.window.showWarningMessage, told, ...actions).catch((error: unknown) => this.#log(error));
  }

  /** Shows the document, and inserts the image where the user puts the cursor. */
  #insertAction({ id, reference, file }: Placement): ErrorAction {
    return {
      title: l10n.t('Insert…'),
      run: async () => {
        await vscode.window.showTextDocument(vscode.Uri.parse(reference.document, true));
        await offer(
          vscode.window.showInformationMessage,
          l10n.t('Put the cursor where {0} belongs.', plainText(nameOf(file))),
          commandAction(l10n.t('Insert Here'), commands.taskInsert, id),
        );
      },
    };
  }

  #tryAgainAction(placement: Placement): ErrorAction {
    return { title: l10n.t('Try Again'), run: async () => this.#place(placement) };
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

/** Returns a saved image that has a place to fill. */
function placementOf({ id, request, results }: Task): Placement | undefined {
  const { reference, target } = request;
  const result = results.find(isSaved);
  if (!reference || !result || result.placing === 'done') {
    return undefined;
  }
  // Uses the workspace's name of the folder, which may differ from that on disk.
  const name = posix.basename(vscode.Uri.parse(result.uri ?? '').path);
  const file = vscode.Uri.joinPath(vscode.Uri.parse(target.folder, true), name);
  return { id, index: result.index, reference, file };
}

function isSaved({ state }: TaskResult): boolean {
  return state === 'saved';
}
