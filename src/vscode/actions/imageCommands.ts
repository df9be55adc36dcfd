import { extname } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hashOf } from '../../engine/files/stagingStore.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
import { confirmed } from '../ask/confirm.ts';
import { refuse } from '../ask/refusal.ts';
import { notAnImage } from '../generate/inputImages.ts';
import { findImage, findInput } from '../taskList/movedImages.ts';
import { plainText } from '../window/plainText.ts';
import { editedInput, keptOriginalOf } from '../taskList/edits.ts';
import { savedImages } from '../taskList/taskLabels.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { isSame, nameOf, pathOf, readOwn, statOf } from '../window/files.ts';
import { noOriginal } from './imageFileQueue.ts';
import { imageOf, offering, type SavedImage, type TaskArgument, taskOf } from './taskArgument.ts';

export class ImageCommands {
  readonly #engine: EngineHost;

  constructor(engine: EngineHost) {
    this.#engine = engine;
  }

  async open({ uri }: SavedImage): Promise<void> {
    await vscode.commands.executeCommand('vscode.open', uri);
  }

  /** `limner.task.openAll`: opens every image of a task, each in a permanent tab. */
  async openAll(argument: TaskArgument): Promise<void> {
    const task = await taskOf(this.#engine, argument);
    for (const { uri } of task ? savedImages(task) : []) {
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(uri, true), { preview: false });
    }
  }

  async reveal({ uri }: SavedImage): Promise<void> {
    await vscode.commands.executeCommand('revealInExplorer', uri);
  }

  async copyPaths(chosen: readonly TaskArgument[]): Promise<void> {
    const images = await Promise.all(chosen.map(async (one) => imageOf(this.#engine, one)));
    if (!images.some(Boolean)) {
      await offering(this.#engine, chosen, 'images');
    }
    await copyPaths(images.flatMap((image) => image?.uri ?? []));
  }

  /** `limner.task.rename`: asks for a name, and renames the file as the Explorer does. */
  async rename({ uri }: SavedImage): Promise<void> {
    const name = nameOf(uri);
    const given = await vscode.window.showInputBox({
      title: l10n.t('Rename Image'),
      value: name,
      valueSelection: [0, name.length - extname(name).length],
      validateInput: async (text) => problemOfName(uri, text),
    });
    if (given === undefined || given === name) {
      return;
    }
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(uri, vscode.Uri.joinPath(uri, '..', given), { overwrite: false });
    if (!(await vscode.workspace.applyEdit(edit))) {
      throw refuse('invalid_request', l10n.t("Couldn't rename {0}.", plainText(name)));
    }
  }

  /**
   * `limner.task.locate`: asks where the file of an image is. One with other contents is taken only after a question.
   *
   * @throws LimnerError `invalid_request` for the file of another image, `unsupported_image` for what is none
   */
  async locate({ task, result, uri }: SavedImage): Promise<void> {
    const found = await findImage(this.#engine, task, result);
    if (found) {
      await vscode.commands.executeCommand('revealInExplorer', found);
      return;
    }
    const folder = vscode.Uri.joinPath(uri, '..');
    const near = (await statOf(folder)) ? folder : vscode.workspace.workspaceFolders?.[0]?.uri;
    const [file] =
      (await vscode.window.showOpenDialog({
        title: l10n.t('Locate {0}', nameOf(uri)),
        openLabel: l10n.t('Select'),
        ...(near && { defaultUri: near }),
      })) ?? [];
    if (!file) {
      return;
    }
    const bytes = await readOwn(file);
    const name = plainText(nameOf(file));
    if (!sniffImage(bytes)) {
      throw refuse('unsupported_image', notAnImage(nameOf(file)));
    }
    const { store, savedFiles } = await this.#engine.get();
    const hash = hashOf(bytes);
    const isAsSaved = hash === result.sha256;
    const isOther = store
      .allSavedAs(file.toString())
      .some(
        (other) =>
          other.result.sha256 === hash && (other.task.id !== task.id || other.result.index !== result.index),
      );
    if (isOther) {
      throw refuse('invalid_request', l10n.t('{0} is another image of the task list.', name));
    }
    const isMeant =
      isAsSaved ||
      (await confirmed(
        l10n.t("{0} isn't as Limner saved the image. Use it anyway?", name),
        l10n.t('Use This File'),
      ));
    await (isMeant && savedFiles.place(task, result, file.toString()));
  }

  async compareWithOriginal({ task, uri }: SavedImage): Promise<void> {
    const input = editedInput(task.request);
    if (!input) {
      throw noOriginal(nameOf(uri));
    }
    const original = (await keptOriginalOf(task)) ?? (await findInput(this.#engine, task, input));
    await compare(original ?? vscode.Uri.parse(input.uri, true), uri);
  }
}

/** Returns why a file can't get a name; undefined if it can. */
async function problemOfName(uri: vscode.Uri, name: string): Promise<string | undefined> {
  if (name.trim() === '' || name === '.' || name === '..' || /[\\/]/u.test(name)) {
    return l10n.t('Enter a file name.');
  }
  const target = vscode.Uri.joinPath(uri, '..', name);
  return !isSame(uri, target) && (await statOf(target)) ? l10n.t('{0} already exists.', name) : undefined;
}

export async function copyPaths(images: readonly vscode.Uri[]): Promise<void> {
  if (images.length > 0) {
    await vscode.env.clipboard.writeText(images.map(pathOf).join('\n'));
  }
}

async function compare(
  original: vscode.Uri,
  edited: vscode.Uri,
  options: vscode.TextDocumentShowOptions & { background?: boolean } = {},
): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', original, edited, titleOf(original, edited), options);
}

/** Replaces the original in the open comparison of an edited image. */
export async function compareInstead(
  before: vscode.Uri,
  original: vscode.Uri,
  edited: vscode.Uri,
): Promise<void> {
  // VS Code only exposes the title of an image comparison, which files of other folders may share.
  const title = titleOf(original, edited);
  const open = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ label, input }) => input === undefined && label === title);
  const [tab] = open;
  if (!tab || open.length > 1) {
    return;
  }
  const { group, isActive, isPreview } = tab;
  await compare(before, edited, {
    viewColumn: group.viewColumn,
    background: !isActive,
    preserveFocus: true,
    preview: isPreview,
  });
  // A comparison in preview mode was already replaced.
  await (isPreview || vscode.window.tabGroups.close(tab, true));
}

/** Returns the title that VS Code gives an image comparison; it accepts no other. */
function titleOf(original: vscode.Uri, edited: vscode.Uri): string {
  return `${nameOf(original)} ↔ ${nameOf(edited)}`;
}
