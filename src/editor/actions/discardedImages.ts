import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { isRecoverable } from '../../common/keptFiles.ts';
import type { Task } from '../../tasks/task.ts';
import { offer } from '../failures/errorText.ts';
import { refuse, reported } from '../failures/refusal.ts';
import { savedImages } from '../taskList/taskLabels.ts';
import type { TaskTree } from '../taskList/taskTree.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf, readIfThere } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { WorkspacePublisher } from '../window/workspacePublisher.ts';
import { imageOf, type SavedImage, type TaskArgument, taskOf } from './taskArgument.ts';

/** Names an image by its task and its place there. */
export interface ImageReference {
  task: string;
  index: number;
}

/** Deletes the files of images. Copies are kept in Limner's storage for a while, so nothing is asked before. */
export class DiscardedImages {
  readonly #engine: EngineHost;
  readonly #tree: TaskTree;
  readonly #log: vscode.LogOutputChannel;

  constructor(engine: EngineHost, tree: TaskTree, log: vscode.LogOutputChannel) {
    this.#engine = engine;
    this.#tree = tree;
    this.#log = log;
  }

  /** `limner.task.deleteImage`: discards the images, with a button that restores them. */
  async deleteImages(chosen: readonly TaskArgument[]): Promise<void> {
    const images = await Promise.all(chosen.map(async (one) => imageOf(this.#engine, one)));
    const deleted = await this.discard(images.flatMap((image) => image ?? []));
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
      run: async () => reported(this.#log, async () => this.recover(deleted.map(referenceTo))),
    };
    void offer(vscode.window.showInformationMessage, message, undo);
  }

  /** Discards images. @returns those that were files */
  async discard(images: readonly SavedImage[]): Promise<SavedImage[]> {
    const discarded: SavedImage[] = [];
    try {
      for (const image of images) {
        const bytes = await readIfThere(image.uri);
        if (bytes) {
          await this.#discard(image, bytes);
          discarded.push(image);
        }
      }
    } finally {
      this.#tree.redrawFiles(images.map(({ uri }) => uri));
    }
    return discarded;
  }

  async #discard({ task: { id }, result: { index }, uri }: SavedImage, bytes: Uint8Array): Promise<void> {
    const { runner, keptFiles, thumbnails } = await this.#engine.get();
    const path = await keptFiles.keep(bytes);
    // Before the file is gone, so that a crash leaves a way back to it.
    await runner.recordFile(id, { type: 'discarded', index, path, at: Date.now() });
    try {
      await thumbnails.forget(uri.fsPath);
      await vscode.workspace.fs.delete(uri);
    } catch (error) {
      await runner.recordFile(id, { type: 'recovered', index, uri: uri.toString() });
      throw error;
    }
    this.#log.info(`Deleted ${uri.toString(true)}; it is kept as ${path}`);
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
   * @throws LimnerError `invalid_request` when one is no longer kept
   */
  async recover(images: readonly ImageReference[]): Promise<void> {
    const { runner, store } = await this.#engine.get();
    for (const { task: id, index } of images) {
      const task = store.get(id);
      const { discarded, uri } = task?.results.find((result) => result.index === index) ?? {};
      if (task && discarded && uri !== undefined) {
        const saved = await recoverFile(vscode.Uri.parse(uri, true), discarded.path, task);
        await runner.recordFile(id, { type: 'recovered', index, uri: saved });
      }
    }
  }
}

export function referenceTo({ task, result }: SavedImage): ImageReference {
  return { task: task.id, index: result.index };
}

/** Makes a file of a kept copy. @returns its URI */
async function recoverFile(uri: vscode.Uri, path: string, { request }: Task): Promise<string> {
  const name = nameOf(uri);
  const [kept, there] = [await readIfThere(vscode.Uri.file(path)), await readIfThere(uri)];
  if (!kept) {
    throw refuse('invalid_request', vscode.l10n.t('{0} is no longer kept.', name));
  }
  if (there && Buffer.compare(there, kept) === 0) {
    return uri.toString();
  }
  const target = { ...request.target, folder: vscode.Uri.joinPath(uri, '..').toString() };
  return new WorkspacePublisher().publish(path, target, name, randomUUID());
}
