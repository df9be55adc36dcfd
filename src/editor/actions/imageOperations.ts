import * as vscode from 'vscode';
import { savedImages } from '../taskList/taskLabels.ts';
import type { TaskTree } from '../taskList/taskTree.ts';
import { confirmed } from '../window/confirm.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { isNotFound, nameOf, statOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { copyPaths } from './imageText.ts';
import { imageOf, type SavedImage, type TaskArgument, taskOf } from './taskArgument.ts';

export class ImageOperations {
  readonly #engine: EngineHost;
  readonly #tree: TaskTree;
  readonly #log: vscode.LogOutputChannel;

  constructor(engine: EngineHost, tree: TaskTree, log: vscode.LogOutputChannel) {
    this.#engine = engine;
    this.#tree = tree;
    this.#log = log;
  }

  /** `limner.task.open`: opens the image. */
  async open({ uri }: SavedImage): Promise<void> {
    await vscode.commands.executeCommand('vscode.open', uri);
  }

  /** `limner.task.openAll`: opens every image of a task, each in a tab that stays. */
  async openAll(argument: TaskArgument): Promise<void> {
    const task = await taskOf(this.#engine, argument);
    for (const { uri } of task ? savedImages(task) : []) {
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(uri, true), { preview: false });
    }
  }

  /** `limner.task.reveal`: shows the image in the explorer. */
  async reveal({ uri }: SavedImage): Promise<void> {
    await vscode.commands.executeCommand('revealInExplorer', uri);
  }

  /** `limner.task.copyPath`: puts the path of the image on the clipboard; of several images, one a line. */
  async copyPaths(chosen: readonly TaskArgument[]): Promise<void> {
    const images = await Promise.all(chosen.map(async (one) => imageOf(this.#engine, one)));
    await copyPaths(images.flatMap((image) => image?.uri ?? []));
  }

  /** `limner.task.compare`: shows an edited image beside its original. */
  async compareWithOriginal({ task, uri }: SavedImage): Promise<void> {
    const [input] = task.request.images ?? [];
    if (input) {
      const title = vscode.l10n.t('{0} and its original', nameOf(uri));
      const original = vscode.Uri.parse(input.uri, true);
      await vscode.commands.executeCommand('vscode.diff', original, uri, title);
    }
  }

  /** `limner.task.deleteImage`: moves the file to the Trash; where there is none it asks first. */
  async delete({ uri }: SavedImage): Promise<void> {
    try {
      await vscode.workspace.fs.delete(uri, { useTrash: true });
    } catch (error) {
      if (!isNotFound(error)) {
        this.#log.info(`Couldn't move ${uri.toString(true)} to the Trash: ${String(error)}`);
        const isMeant = await confirmed(
          vscode.l10n.t("Couldn't move {0} to the Trash.", plainText(nameOf(uri))),
          vscode.l10n.t('Delete Permanently'),
          vscode.l10n.t('Delete it permanently instead?'),
        );
        if (!isMeant) {
          return;
        }
        await vscode.workspace.fs.delete(uri);
      }
    }
    this.#tree.redrawFiles([uri]);
  }

  /** Moves the other images of the task to the Trash, after a confirmation. */
  async keepOnly(kept: SavedImage): Promise<void> {
    const { task } = kept;
    const others: SavedImage[] = [];
    for (const result of savedImages(task)) {
      const uri = vscode.Uri.parse(result.uri, true);
      if (result.index !== kept.result.index && (await statOf(uri))) {
        others.push({ task, result, uri });
      }
    }
    if (others.length === 0) {
      return;
    }
    const isMeant = await confirmed(
      others.length === 1
        ? vscode.l10n.t('Keep this image and move the other one to the Trash?')
        : vscode.l10n.t('Keep this image and move the other {0} to the Trash?', others.length),
      vscode.l10n.t('Move to Trash'),
      others.map(({ uri }) => plainText(nameOf(uri))).join('\n'),
    );
    if (isMeant) {
      for (const other of others) {
        await this.delete(other);
      }
    }
  }
}
