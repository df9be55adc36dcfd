import * as vscode from 'vscode';
import { editedInput, keptOriginalOf } from '../taskList/edits.ts';
import { savedImages } from '../taskList/taskLabels.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { pathOf } from '../window/files.ts';
import { compare } from './comparison.ts';
import { imageOf, type SavedImage, type TaskArgument, taskOf } from './taskArgument.ts';

export class ImageOperations {
  readonly #engine: EngineHost;

  constructor(engine: EngineHost) {
    this.#engine = engine;
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
    const input = editedInput(task.request);
    if (input) {
      await compare((await keptOriginalOf(task)) ?? vscode.Uri.parse(input.uri, true), uri);
    }
  }
}

/** Puts the paths of images on the clipboard, one a line. */
export async function copyPaths(images: readonly vscode.Uri[]): Promise<void> {
  if (images.length > 0) {
    await vscode.env.clipboard.writeText(images.map(pathOf).join('\n'));
  }
}
