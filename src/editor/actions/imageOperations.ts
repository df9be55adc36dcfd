import * as v from 'valibot';
import * as vscode from 'vscode';
import { draggedImagesType } from '../names.ts';
import { editedInput, keptOriginalOf } from '../taskList/edits.ts';
import { savedImages } from '../taskList/taskLabels.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { compare } from './comparison.ts';
import { copyPaths, referenceIn } from './imageText.ts';
import { imageOf, type SavedImage, type TaskArgument, taskOf } from './taskArgument.ts';

const draggedImages = v.array(v.object({ task: v.string(), index: v.number() }));

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

  /** Returns the edit that shows images in a document which they are dragged into from the task list. */
  async drop(
    document: vscode.TextDocument,
    at: vscode.Position,
    data: vscode.DataTransfer,
  ): Promise<vscode.DocumentDropEdit | undefined> {
    const dragged = await data.get(draggedImagesType)?.asString();
    if (dragged === undefined) {
      return undefined;
    }
    const { store } = await this.#engine.get();
    const references = v.parse(draggedImages, JSON.parse(dragged)).flatMap(({ task: id, index }) => {
      const task = store.get(id);
      const result = task && savedImages(task).find((image) => image.index === index);
      return result
        ? [referenceIn(document, { task, result, uri: vscode.Uri.parse(result.uri, true) }, at)]
        : [];
    });
    if (references.length === 0) {
      return undefined;
    }
    const drop = new vscode.DocumentDropEdit(
      references.map(({ text }) => text).join('\n'),
      vscode.l10n.t('Insert Image with Its Prompt'),
      vscode.DocumentDropOrPasteEditKind.Empty.append('limner'),
    );
    drop.additionalEdit = new vscode.WorkspaceEdit();
    for (const { needs } of references) {
      if (needs) {
        drop.additionalEdit.insert(document.uri, needs.at, needs.text);
      }
    }
    return drop;
  }

  /** `limner.task.compare`: shows an edited image beside its original. */
  async compareWithOriginal({ task, uri }: SavedImage): Promise<void> {
    const input = editedInput(task.request);
    if (input) {
      await compare((await keptOriginalOf(task)) ?? vscode.Uri.parse(input.uri, true), uri);
    }
  }
}
