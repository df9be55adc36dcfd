import * as vscode from 'vscode';
import { isRecoverable } from '../../common/resultAvailability.ts';
import { availableActions } from '../availableActions.ts';
import { offer } from '../failures/errorText.ts';
import { refuse, reportFailure } from '../questions/refusal.ts';
import { savedImages } from '../taskList/taskLabels.ts';
import type { TaskTree } from '../taskList/taskTree.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { changeFile } from '../../common/disk/heldFiles.ts';
import { isNotFound, nameOf, readIfThere } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import {
  type ImageActs,
  type ImageReference,
  noLongerListed,
  referenceTo,
  type TaskImage,
} from './imageActs.ts';
import { publishBytes } from './publishBytes.ts';
import { imageOf, type SavedImage, type TaskArgument, taskOf } from './taskArgument.ts';

/** Deletes the files of images. Copies are kept in Limner's storage for a while, so nothing is asked before. */
export class DiscardedImages {
  readonly #engine: Pick<EngineHost, 'get' | 'home'>;
  readonly #acts: ImageActs;
  readonly #tree: Pick<TaskTree, 'redrawFiles'>;
  readonly #log: vscode.LogOutputChannel;
  readonly #report = (error: unknown): void => void reportFailure(this.#log, error);

  constructor(
    engine: Pick<EngineHost, 'get' | 'home'>,
    acts: ImageActs,
    tree: Pick<TaskTree, 'redrawFiles'>,
    log: vscode.LogOutputChannel,
  ) {
    this.#engine = engine;
    this.#acts = acts;
    this.#tree = tree;
    this.#log = log;
  }

  /** `limner.task.deleteImage`: discards the images, with a button that restores them. */
  async deleteImages(chosen: readonly TaskArgument[]): Promise<void> {
    const images = (await Promise.all(chosen.map(async (one) => this.#meantBy(one)))).flat();
    if (images.length === 0) {
      throw noLongerListed();
    }
    const deleted = await this.discard(images);
    const [first] = deleted;
    if (!first) {
      return;
    }
    const message =
      deleted.length === 1
        ? vscode.l10n.t('Deleted {0}. It is kept for 30 days.', plainText(nameOf(first.uri)))
        : vscode.l10n.t('Deleted {0} images. They are kept for 30 days.', deleted.length);
    const undo = {
      title: vscode.l10n.t('Undo'),
      run: async () => this.recover(deleted.map(referenceTo)),
    };
    offer(vscode.window.showInformationMessage, message, undo).catch(this.#report);
  }

  /** Returns the image of a row; none for a task of several, of which no one is chosen. */
  async #meantBy(argument: TaskArgument): Promise<SavedImage[]> {
    const image = await imageOf(this.#engine, argument);
    const isTask =
      typeof argument === 'string' || (argument && 'kind' in argument && argument.kind === 'task');
    return image && (!isTask || availableActions(image.task).includes('oneImage')) ? [image] : [];
  }

  /**
   * Discards images. Says why where some can't be.
   *
   * @returns those that were files
   * @throws the reason when none could be discarded
   */
  async discard(images: readonly SavedImage[]): Promise<SavedImage[]> {
    const discarded: SavedImage[] = [];
    try {
      await onEach(images, async (image) => {
        if (await this.#acts.inTurn(referenceTo(image), async (latest) => this.#discard(latest))) {
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

  /** Deletes the file of an image as it is now, once a copy of it is kept. @returns whether there was a file */
  async #discard({ task, result: { index } }: TaskImage): Promise<boolean> {
    const { runner, keptFiles, thumbnails } = await this.#engine.get();
    const saved = savedImages(task).find((image) => image.index === index);
    if (!saved) {
      return false;
    }
    const uri = vscode.Uri.parse(saved.uri, true);
    for (;;) {
      const bytes = await readIfThere(uri);
      if (!bytes) {
        return false;
      }
      const path = await keptFiles.keep(bytes, nameOf(uri));
      // Before the file is gone, so that a crash leaves a way back to it.
      if (!(await runner.recordFile(task.id, { type: 'discarded', index, path, at: Date.now() }))) {
        // Another window is faster.
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

  /** Discards the other images of the task. @returns those that were files */
  async keepOnly({ task, result }: SavedImage): Promise<SavedImage[]> {
    return this.discard(
      savedImages(task)
        .filter(({ index }) => index !== result.index)
        .map((other) => ({ task, result: other, uri: vscode.Uri.parse(other.uri, true) })),
    );
  }

  /** `limner.task.restoreImages`: makes the discarded images of a task files again. */
  async recoverAll(argument: TaskArgument): Promise<void> {
    const task = await taskOf(this.#engine, argument);
    if (task) {
      const images = task.results.filter((result) => isRecoverable(result));
      await this.recover(images.map(({ index }) => ({ task: task.id, index })));
    }
  }

  /**
   * Makes discarded images files again, under a free name where something else has theirs.
   *
   * @throws LimnerError `invalid_request` when one is no longer kept; the others are files again
   */
  async recover(images: readonly ImageReference[]): Promise<void> {
    await onEach(images, async (image) => this.#acts.inTurn(image, async (latest) => this.#recover(latest)));
  }

  async #recover(image: TaskImage): Promise<void> {
    const { index, discarded, uri } = image.result;
    // Otherwise it is a file again already.
    if (discarded && uri !== undefined) {
      const saved = await this.#recoverFile(vscode.Uri.parse(uri, true), discarded.path);
      await this.#acts.record(image, { type: 'recovered', index, uri: saved.toString() });
    }
  }

  /** Makes a file of a kept copy. @returns its URI */
  async #recoverFile(uri: vscode.Uri, path: string): Promise<vscode.Uri> {
    const name = nameOf(uri);
    const [kept, there] = [await readIfThere(vscode.Uri.file(path)), await readIfThere(uri)];
    if (!kept) {
      throw refuse('invalid_request', vscode.l10n.t('{0} is no longer kept.', name));
    }
    return there && isSame(there, kept)
      ? uri
      : publishBytes(this.#engine.home, kept, vscode.Uri.joinPath(uri, '..'), name);
  }
}

/** Acts on one image after another, on the others also when one fails. */
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
      if (!isNotFound(error)) {
        throw error;
      }
    }),
  );
  return true;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
