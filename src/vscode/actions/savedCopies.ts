import { readFile } from 'node:fs/promises';
import { extname, parse } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sentencesText } from '../../common/text.ts';
import { askedSize } from '../../common/requestValues.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
import { commandAction, offer } from '../window/offers.ts';
import { refuse } from '../ask/refusal.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { finishNotes } from '../../engine/messages/finishText.ts';
import { dimensionsOf } from '../generate/inputImages.ts';
import { sentPath } from '../taskList/edits.ts';
import { changeFile } from '../../common/heldFiles.ts';
import { isSame, nameOf, readOwn } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { finishFile } from './finishFile.ts';
import { publishBytes } from './workspacePublisher.ts';
import type { SavedImage } from './taskArgument.ts';

/** Copies images, byte for byte: one to a file that the user chooses, several to free names in a folder. */
export async function saveCopies(engine: EngineHost, images: readonly SavedImage[]): Promise<void> {
  const [image, ...others] = images;
  if (!image || others.length === 0) {
    await (image && saveAs(image));
    return;
  }
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: l10n.t('Folder for Copies'),
      openLabel: l10n.t('Save {0} Copies', images.length),
      defaultUri: vscode.Uri.joinPath(image.uri, '..'),
      canSelectFiles: false,
      canSelectFolders: true,
    })) ?? [];
  if (!folder) {
    return;
  }
  for (const { uri } of images) {
    await publishBytes(engine.home, await readOwn(uri), folder, nameOf(uri));
  }
  void offer(
    vscode.window.showInformationMessage,
    l10n.t('Saved {0} copies in {1}.', images.length, plainText(nameOf(folder))),
    commandAction(l10n.t('Reveal'), 'revealInExplorer', folder),
  );
}

async function saveAs({ uri }: SavedImage): Promise<void> {
  const extension = extname(uri.path);
  const target = await vscode.window.showSaveDialog({
    title: l10n.t('Save Image As'),
    defaultUri: uri,
    filters: { [l10n.t('Images')]: [extension.slice(1)] },
  });
  if (!target || isSame(target, uri)) {
    return;
  }
  if (extname(target.path).toLowerCase() !== extension.toLowerCase()) {
    throw refuse(
      'invalid_request',
      l10n.t('The copy has the same format, so its name must end in {0}.', extension),
    );
  }
  await changeFile(() => vscode.workspace.fs.copy(uri, target, { overwrite: true }));
}

/** Saves a copy beside the image, scaled and cropped to the requested size. */
export async function fitToSize(engine: EngineHost, image: SavedImage): Promise<void> {
  const [width = 0, height = 0] = (askedSize(image.task.request) ?? '').split('x').map(Number);
  await saveFitted(engine, image, { width, height });
}

/** Saves a copy beside the image, scaled and cropped to the size of its original. */
export async function fitToOriginal(engine: EngineHost, image: SavedImage): Promise<void> {
  const original = await sentPath(image.task);
  const size = original === undefined ? undefined : await dimensionsOf(original).catch(() => undefined);
  if (!size) {
    throw refuse('invalid_request', l10n.t('The original can no longer be read.'));
  }
  await saveFitted(engine, image, size);
}

async function saveFitted(
  engine: EngineHost,
  { uri }: SavedImage,
  { width, height }: { width: number; height: number },
): Promise<void> {
  const codecs = await (await engine.get()).codecs();
  const finished = await finishFile(codecs, uri, { size: { width, height }, fit: { by: 'crop' } });
  await saveBeside(engine.home, uri, `${width}x${height}`, finished.bytes, finishNotes(finished));
}

export async function saveOriginalOutput(engine: EngineHost, { result, uri }: SavedImage): Promise<void> {
  if (result.answer) {
    await saveBeside(engine.home, uri, 'answer', await readFile(result.answer.path));
  }
}

/** Saves bytes beside an image, under its name followed by `suffix`, and reports that with `notes`. */
async function saveBeside(
  home: vscode.Uri,
  image: vscode.Uri,
  suffix: string,
  bytes: Uint8Array,
  notes: readonly string[] = [],
): Promise<void> {
  const extension = sniffImage(bytes)?.extension ?? 'png';
  const { name: stem } = parse(nameOf(image));
  const uri = await publishBytes(
    home,
    bytes,
    vscode.Uri.joinPath(image, '..'),
    `${stem}-${suffix}.${extension}`,
  );
  void offer(
    vscode.window.showInformationMessage,
    sentencesText([l10n.t('Saved {0}.', plainText(nameOf(uri))), ...notes]),
    commandAction(l10n.t('Open'), 'vscode.open', uri),
    commandAction(l10n.t('Reveal'), 'revealInExplorer', uri),
  );
}
