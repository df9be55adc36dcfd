import { readFile } from 'node:fs/promises';
import { extname, parse } from 'node:path';
import * as vscode from 'vscode';
import { askedSize } from '../../common/askedSize.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
import { commandAction, offer } from '../failures/errorText.ts';
import { refuse } from '../questions/refusal.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { finishNotes } from '../paint/finishNotes.ts';
import { dimensionsOf } from '../paint/inputImages.ts';
import { sentPath } from '../taskList/edits.ts';
import { changeFile } from '../../common/disk/heldFiles.ts';
import { isSame, nameOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { finishFile } from './finishFile.ts';
import { publishBytes } from './publishBytes.ts';
import type { SavedImage } from './taskArgument.ts';

/** Copies the image to where the person says; its bytes stay as they are. */
export async function saveAs({ uri }: SavedImage): Promise<void> {
  const extension = extname(uri.path);
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Image As'),
    defaultUri: uri,
    filters: { [vscode.l10n.t('Images')]: [extension.slice(1)] },
  });
  if (!target || isSame(target, uri)) {
    return;
  }
  if (extname(target.path).toLowerCase() !== extension.toLowerCase()) {
    throw refuse(
      'invalid_request',
      vscode.l10n.t('The copy has the same format, so its name must end in {0}.', extension),
    );
  }
  await changeFile(() => vscode.workspace.fs.copy(uri, target, { overwrite: true }));
}

/** Saves a copy beside the image, scaled and cropped to the size that was requested. */
export async function fitToSize(engine: EngineHost, image: SavedImage): Promise<void> {
  const [width = 0, height = 0] = (askedSize(image.task.request) ?? '').split('x').map(Number);
  await saveFitted(engine, image, { width, height });
}

/** Saves a copy beside the image, scaled and cropped to the size of the original that it was made of. */
export async function fitToOriginal(engine: EngineHost, image: SavedImage): Promise<void> {
  const original = await sentPath(image.task);
  const size = original === undefined ? undefined : await dimensionsOf(original).catch(() => undefined);
  if (!size) {
    throw refuse('invalid_request', vscode.l10n.t('The original can no longer be read.'));
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

/** Saves the service's own output beside the image. */
export async function saveOriginalOutput(engine: EngineHost, { result, uri }: SavedImage): Promise<void> {
  if (result.answer) {
    await saveBeside(engine.home, uri, 'answer', await readFile(result.answer.path));
  }
}

/** Saves bytes beside an image, under its name followed by `words`, and says so with `notes`. */
async function saveBeside(
  home: vscode.Uri,
  image: vscode.Uri,
  words: string,
  bytes: Uint8Array,
  notes: readonly string[] = [],
): Promise<void> {
  const extension = sniffImage(bytes)?.extension ?? 'png';
  const { name: stem } = parse(nameOf(image));
  const uri = await publishBytes(
    home,
    bytes,
    vscode.Uri.joinPath(image, '..'),
    `${stem}-${words}.${extension}`,
  );
  void offer(
    vscode.window.showInformationMessage,
    [vscode.l10n.t('Saved {0}.', plainText(nameOf(uri))), ...notes].join(' '),
    commandAction(vscode.l10n.t('Open'), 'vscode.open', uri),
    commandAction(vscode.l10n.t('Reveal'), 'revealInExplorer', uri),
  );
}
