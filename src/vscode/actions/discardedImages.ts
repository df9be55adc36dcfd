import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isRecoverable } from '../../common/taskStatus.ts';
import { availableActions } from '../../engine/operations/availableActions.ts';
import { offer } from '../window/offers.ts';
import { refuse, reportFailure } from '../ask/refusal.ts';
import { savedImages } from '../taskList/taskLabels.ts';
import type { TaskTree } from '../taskList/taskTree.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { changeFile } from '../../common/heldFiles.ts';
import { isGone } from '../../common/fileErrors.ts';
import { nameOf, readIfThere } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { type ImageFileQueue, type ImageReference, referenceTo, type TaskImage } from './imageFileQueue.ts';
import { publishBytes } from './workspacePublisher.ts';
import { findImage } from '../taskList/movedImages.ts';
import { listedImage, offering, type SavedImage, type TaskArgument, taskOf } from './taskArgument.ts';

/** Deletes the files of images without asking, since Limner's storage keeps copies for a while. */
export class DiscardedImages {
  readonly #engine: Pick<EngineHost, 'get' | 'home'>;
  readonly #queue: ImageFileQueue;
  readonly #tree: Pick<TaskTree, 'redrawFiles'>;
  readonly #log: vscode.LogOutputChannel;
  readonly #report = (error: unknown): void => void reportFailure(this.#log, error);

  constructor(
    engine: Pick<EngineHost, 'get' | 'home'>,
    queue: ImageFileQueue,
    tree: Pick<TaskTree, 'redrawFiles'>,
    log: vscode.LogOutputChannel,
  ) {
    this.#engine = engine;
    this.#queue = queue;
    this.#tree = tree;
    this.#log = log;
  }

  /**
   * `limner.task.deleteImage`: discards the images, and offers to restore them.
   *
   * @returns whether there were files
   */
  async deleteImages(chosen: readonly TaskArgument[]): Promise<boolean> {
    const images = (await Promise.all(chosen.map(async (one) => this.#meantBy(one)))).flat();
    if (images.length === 0) {
      await offering(this.#engine, chosen, 'images');
      throw refuse('invalid_request', l10n.t('Select the images to delete below their task.'));
    }
    const deleted = await this.discard(images);
    const [first] = deleted;
    if (!first) {
      return false;
    }
    const message =
      deleted.length === 1
        ? l10n.t('Deleted {0}. It is kept for 30 days.', plainText(nameOf(first.uri)))
        : l10n.t('Deleted {0} images. They are kept for 30 days.', deleted.length);
    const undo = {
      title: l10n.t('Undo'),
      run: async () => this.recover(deleted.map(referenceTo)),
    };
    offer(vscode.window.showInformationMessage, message, undo).catch(this.#report);
    return true;
  }

  /** Returns the image of a row; undefined for a task with several images. */
  async #meantBy(argument: TaskArgument): Promise<SavedImage[]> {
    const image = await listedImage(this.#engine, argument);
    const isTask =
      typeof argument === 'string' || (argument && 'kind' in argument && argument.kind === 'task');
    if (!image || (isTask && !availableActions(image.task).includes('oneImage'))) {
      return [];
    }
    const uri = await findImage(this.#engine, image.task, image.result);
    return [{ ...image, ...(uri && { uri }) }];
  }

  /**
   * Discards images, and reports those that can't be discarded.
   *
   * @returns the images that had files
   * @throws the reason if none could be discarded
   */
  async discard(images: readonly SavedImage[]): Promise<SavedImage[]> {
    const discarded: SavedImage[] = [];
    try {
      await onEach(images, async (image) => {
        if (await this.#queue.inTurn(referenceTo(image), async (latest) => this.#discard(latest))) {
          discarded.push(image);
        }
      });
    } catch (error) {
      if (discarded.length === 0) {
        throw error;
      }
      this.#report(error);
    } finally {
      this.#tree.redrawFiles(images.map(({ uri }) => uri));
    }
    return discarded;
  }

  /** Keeps a copy of an image, then deletes its file. @returns whether there was a file */
  async #discard({ task, result: { index } }: TaskImage): Promise<boolean> {
    const { runner, keptFiles, savedFiles, thumbnails } = await this.#engine.get();
    const saved = savedImages(task).find((image) => image.index === index);
    // Another image may have its name by now.
    if (!saved || !(await savedFiles.isOf(task, saved))) {
      return false;
    }
    const uri = vscode.Uri.parse(saved.uri, true);
    for (;;) {
      const bytes = await readIfThere(uri);
      if (!bytes) {
        return false;
      }
      const path = await keptFiles.keep(bytes, nameOf(uri));
      // Recorded before the file is deleted, so that a crash can't lose the copy.
      if (!(await runner.recordFile(task.id, { type: 'discarded', index, path, at: Date.now() }))) {
        // Another window was faster.
        return false;
      }
      await thumbnails.forget(uri.fsPath);
      let isDeleted = false;
      try {
        isDeleted = await deleteUnchanged(uri, bytes);
      } finally {
        if (!isDeleted) {
          await runner.recordFile(task.id, { type: 'recovered', index, uri: saved.uri });
        }
      }
      if (isDeleted) {
        this.#log.info(`Deleted ${uri.toString(true)}; it is kept as ${path}`);
        return true;
      }
    }
  }

  /** Discards the other images of the task. @returns those that had files */
  async keepOnly({ task, result }: SavedImage): Promise<SavedImage[]> {
    return this.discard(
      savedImages(task)
        .filter(({ index }) => index !== result.index)
        .map((other) => ({ task, result: other, uri: vscode.Uri.parse(other.uri, true) })),
    );
  }

  /** `limner.task.restoreImages`: restores the discarded images of a task. */
  async recoverAll(argument: TaskArgument): Promise<void> {
    const task = await taskOf(this.#engine, argument);
    if (task) {
      const images = task.results.filter((result) => isRecoverable(result));
      await this.recover(images.map(({ index }) => ({ task: task.id, index })));
    }
  }

  /**
   * Restores discarded images, under a free name if theirs is taken.
   *
   * @throws LimnerError `invalid_request` if the copy of one is gone; the others are restored
   */
  async recover(images: readonly ImageReference[]): Promise<void> {
    await onEach(images, async (image) => this.#queue.inTurn(image, async (latest) => this.#recover(latest)));
  }

  async #recover(image: TaskImage): Promise<void> {
    const { index, discarded, uri } = image.result;
    // Otherwise it was already restored.
    if (discarded && uri !== undefined) {
      const saved = await this.#recoverFile(vscode.Uri.parse(uri, true), discarded.path);
      await this.#queue.record(image, { type: 'recovered', index, uri: saved.toString() });
    }
  }

  /** Restores a kept copy. @returns its URI */
  async #recoverFile(uri: vscode.Uri, path: string): Promise<vscode.Uri> {
    const name = nameOf(uri);
    const [kept, there] = [await readIfThere(vscode.Uri.file(path)), await readIfThere(uri)];
    if (!kept) {
      throw refuse('invalid_request', l10n.t('{0} can no longer be restored.', name));
    }
    return there && isSame(there, kept)
      ? uri
      : publishBytes(this.#engine.home, kept, vscode.Uri.joinPath(uri, '..'), name);
  }
}

/** Acts on one image after another, even if one fails. */
async function onEach<T>([first, ...others]: readonly T[], act: (image: T) => Promise<void>): Promise<void> {
  try {
    await (first && act(first));
  } finally {
    if (others.length > 0) {
      await onEach(others, act);
    }
  }
}

/** Deletes a file unless it has changed. @returns whether it is gone */
async function deleteUnchanged(uri: vscode.Uri, bytes: Uint8Array): Promise<boolean> {
  const latest = await readIfThere(uri);
  if (latest && !isSame(latest, bytes)) {
    return false;
  }
  await changeFile(async () =>
    vscode.workspace.fs.delete(uri).then(undefined, (error: unknown) => {
      if (!isGone(error)) {
        throw error;
      }
    }),
  );
  return true;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
