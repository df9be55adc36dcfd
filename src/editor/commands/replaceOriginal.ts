import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { Limner } from '../limner.ts';
import { sweepFolder } from '../paint/sweepFolder.ts';
import { plainText } from '../plainText.ts';
import { imageOf, type TaskArgument } from './taskArgument.ts';

/** Old bytes are kept so long, in milliseconds; older ones go when the next original is replaced. */
const originalsKept = 30 * 24 * 3_600_000;

/** Of an image that is converted for its original's name. */
const jpegQuality = 95;

/**
 * `limner.task.replaceOriginal`: an edited image takes the place of the file that it was made from. The old bytes
 * are kept in Limner's storage for a while, and a button puts them back.
 */
export async function replaceOriginal(limner: Limner, argument: TaskArgument): Promise<void> {
  const image = await imageOf(limner, argument);
  const input = image?.task.request.images?.[0];
  if (!image || !input) {
    return;
  }
  const { fs } = vscode.workspace;
  const original = vscode.Uri.parse(input.uri, true);
  const name = nameOf(original);
  const [edited, before] = await Promise.all([readIfThere(image.uri), readIfThere(original)]);
  if (!edited || !before) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        '{0} cannot be found. It may have been moved or deleted.',
        before ? nameOf(image.uri) : name,
      ),
    );
    return;
  }
  const replacement = await inFormatOf(limner, name, before, edited);
  if (!replacement) {
    return;
  }
  if (sha256(before) !== input.sha256 && !(await confirmChanged(name))) {
    return;
  }
  const replaced = vscode.Uri.joinPath(limner.storage, 'replaced');
  await sweepFolder(replaced, originalsKept);
  const kept = vscode.Uri.joinPath(replaced, `${sha256(before)}-${name}`);
  await fs.writeFile(kept, before);
  await fs.writeFile(original, replacement);
  limner.log.info(`${original.toString(true)} is replaced; the old bytes are kept as ${kept.toString(true)}`);
  void offerUndo(original, name, before, sha256(replacement));
}

/** The edited image as it is to be in the file: its name must not hide another format. Undefined when that is not wanted. */
async function inFormatOf(
  { engine }: Limner,
  name: string,
  before: Uint8Array,
  edited: Uint8Array,
): Promise<Uint8Array | undefined> {
  const { sniffImage } = await engine.module();
  const [has, wants] = [sniffImage(edited)?.extension, sniffImage(before)?.extension];
  if (has === wants || !wants) {
    return edited;
  }
  const convert = vscode.l10n.t('Convert and Replace');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      '{0} is of another format than the edited image. Convert a copy of that and replace it?',
      name,
    ),
    {
      modal: true,
      detail:
        wants === 'jpg'
          ? vscode.l10n.t('JPEG is not lossless: all pixels may change a little, also outside of a mask.')
          : vscode.l10n.t('No pixel changes by it.'),
    },
    convert,
  );
  if (chosen !== convert) {
    return undefined;
  }
  const codecs = await (await engine.get()).codecs();
  return codecs.encode(
    await codecs.decode(edited),
    wants === 'webp'
      ? { format: 'webp', lossless: true }
      : { format: wants === 'jpg' ? 'jpeg' : 'png', quality: jpegQuality },
  );
}

async function offerUndo(
  original: vscode.Uri,
  name: string,
  before: Uint8Array,
  written: string,
): Promise<void> {
  const undo = vscode.l10n.t('Undo');
  const chosen = await vscode.window.showInformationMessage(vscode.l10n.t('{0} is replaced.', name), undo);
  if (chosen !== undo) {
    return;
  }
  if (sha256(await vscode.workspace.fs.readFile(original)) !== written && !(await confirmChanged(name))) {
    return;
  }
  await vscode.workspace.fs.writeFile(original, before);
  void vscode.window.showInformationMessage(vscode.l10n.t('{0} is back as it was.', name));
}

async function confirmChanged(name: string): Promise<boolean> {
  const replace = vscode.l10n.t('Replace');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('{0} has changed since. Replace it all the same?', name),
    { modal: true },
    replace,
  );
  return chosen === replace;
}

function nameOf(uri: vscode.Uri): string {
  return plainText(uri.path.split('/').at(-1) ?? '');
}

/** The bytes of a file; undefined when there is none. */
async function readIfThere(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') {
      return undefined;
    }
    throw error;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
