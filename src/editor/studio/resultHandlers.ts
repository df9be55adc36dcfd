import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import * as vscode from 'vscode';
import type { SavedImage } from '../actions/taskArgument.ts';
import { replaceOriginal } from '../actions/replaceOriginal.ts';
import { deleteImage } from '../actions/taskImages.ts';
import { savedImages } from '../taskList/taskText.ts';
import type { ImageRow } from '../taskList/taskNode.ts';
import { confirmed } from '../window/confirm.ts';
import { nameOf, statOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { refuse } from '../failures/refusal.ts';
import { WorkspacePublisher } from '../window/workspacePublisher.ts';
import type { StudioHandlers } from '../studioPanel/answerRequest.ts';
import type { StudioPanel } from '../studioPanel/studioPanel.ts';
import { takeFile } from './takeInputs.ts';
import { sniffImage } from '../../images/formats/sniff.ts';

interface ImageReference {
  task: string;
  index: number;
}

type ResultAction =
  | 'useAsInput'
  | 'star'
  | 'open'
  | 'discard'
  | 'keepOnly'
  | 'saveAs'
  | 'replaceOriginal'
  | 'fitToSize'
  | 'saveAnswer';

/** What can be done with one picture. */
export function resultActions(studio: StudioPanel): Pick<StudioHandlers, ResultAction> {
  const { limner } = studio;
  const on =
    (action: (image: SavedImage) => Promise<void>) =>
    async (reference: ImageReference): Promise<void> => {
      await action(await pictureOf(studio, reference));
      studio.changed(reference.task);
    };
  return {
    async useAsInput(reference) {
      const { uri } = await pictureOf(studio, reference);
      return takeFile(studio, uri);
    },
    async star({ task, index, starred }) {
      const { runner } = await limner.engine.get();
      await runner.star(task, index, starred);
    },
    open: on(async ({ uri }) => vscode.commands.executeCommand('vscode.open', uri)),
    discard: on(async (image) => deleteImage(limner, rowOf(image))),
    keepOnly: on(async (image) => keepOnly(studio, image)),
    saveAs: on(async (image) => saveAs(image)),
    replaceOriginal: on(async (image) => replaceOriginal(limner, rowOf(image))),
    fitToSize: on(async (image) => fitToSize(studio, image)),
    saveAnswer: on(async (image) => saveAnswer(studio, image)),
  };
}

async function pictureOf({ limner }: StudioPanel, { task: id, index }: ImageReference): Promise<SavedImage> {
  const { store } = await limner.engine.get();
  const task = store.get(id);
  const result = task && savedImages(task).find((saved) => saved.index === index);
  const uri = result && vscode.Uri.parse(result.uri ?? '', true);
  if (!uri || !(await statOf(uri))) {
    throw refuse(
      'invalid_request',
      vscode.l10n.t('The file of this image cannot be found. It may have been moved or deleted.'),
    );
  }
  return { task, result, uri };
}

function rowOf({ task, result }: SavedImage): ImageRow {
  return { kind: 'image', task, result, gone: false };
}

/** Moves the other pictures of the task to the trash, once the person has said so. */
async function keepOnly({ limner }: StudioPanel, kept: SavedImage): Promise<void> {
  const { task } = kept;
  const others: SavedImage[] = [];
  for (const result of savedImages(task)) {
    const uri = vscode.Uri.parse(result.uri ?? '', true);
    if (result.index !== kept.result.index && (await statOf(uri))) {
      others.push({ task, result, uri });
    }
  }
  if (others.length === 0) {
    return;
  }
  const isMeant = await confirmed(
    others.length === 1
      ? vscode.l10n.t('Keep this image and move the other one to the trash?')
      : vscode.l10n.t('Keep this image and move the other {0} to the trash?', others.length),
    vscode.l10n.t('Move to the Trash'),
    others.map(({ uri }) => plainText(nameOf(uri))).join('\n'),
  );
  if (isMeant) {
    for (const other of others) {
      await deleteImage(limner, rowOf(other));
    }
  }
}

/** Copies the picture to where the person says; its bytes stay as they are. */
async function saveAs({ uri }: SavedImage): Promise<void> {
  const extension = extname(uri.path);
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Image As'),
    defaultUri: uri,
    filters: { [vscode.l10n.t('Images')]: [extension.slice(1)] },
  });
  if (!target || target.toString() === uri.toString()) {
    return;
  }
  if (extname(target.path).toLowerCase() !== extension.toLowerCase()) {
    throw refuse(
      'invalid_request',
      vscode.l10n.t('The copy is of the same format, so that its name must end in {0}.', extension),
    );
  }
  await vscode.workspace.fs.copy(uri, target, { overwrite: true });
}

/** A new file beside the picture, scaled and cropped to the size that was asked for. */
async function fitToSize(studio: StudioPanel, { task, uri }: SavedImage): Promise<void> {
  const [width = 0, height = 0] = (task.request.size ?? '').split('x').map(Number);
  const codecs = await (await studio.limner.engine.get()).codecs();
  const fitted = await codecs.fit(await vscode.workspace.fs.readFile(uri), width, height);
  await saveBeside(studio, uri, `${width}x${height}`, fitted);
}

/** A new file beside the picture with what the service itself made. */
async function saveAnswer(studio: StudioPanel, { result, uri }: SavedImage): Promise<void> {
  if (result.answer) {
    await saveBeside(studio, uri, 'answer', await readFile(result.answer.path));
  }
}

/** Saves bytes beside a picture, under its name with some words more. */
async function saveBeside(
  { limner }: StudioPanel,
  picture: vscode.Uri,
  words: string,
  bytes: Uint8Array,
): Promise<void> {
  const extension = sniffImage(bytes)?.extension ?? 'png';
  const name = nameOf(picture);
  const stem = name.slice(0, name.length - extname(name).length);
  const folder = vscode.Uri.joinPath(picture, '..');
  const root = vscode.workspace.getWorkspaceFolder(folder)?.uri ?? folder;
  const key = randomUUID();
  const temporary = vscode.Uri.joinPath(limner.storage, `${key}.tmp`);
  await writeFile(temporary.fsPath, bytes);
  try {
    const target = { folder: folder.toString(), root: root.toString(), fileName: stem };
    const saved = await new WorkspacePublisher().publish(
      temporary.fsPath,
      target,
      `${stem}-${words}.${extension}`,
      key,
    );
    void tellSaved(vscode.Uri.parse(saved, true));
  } finally {
    await rm(temporary.fsPath, { force: true });
  }
}

async function tellSaved(uri: vscode.Uri): Promise<void> {
  const open = vscode.l10n.t('Open');
  const reveal = vscode.l10n.t('Reveal');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('{0} is saved.', plainText(nameOf(uri))),
    open,
    reveal,
  );
  if (chosen !== undefined) {
    await vscode.commands.executeCommand(chosen === open ? 'vscode.open' : 'revealInExplorer', uri);
  }
}
