import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { EngineHost } from '../window/engineHost.ts';
import { readQuietly } from './draftInputs.ts';
import type { DraftFile } from './draftFile.ts';
import type { StudioImages } from './studioImages.ts';
import { changeFile } from '../../common/heldFiles.ts';
import { nameOf } from '../window/files.ts';
import { refuse } from '../ask/refusal.ts';
import { dimensionsFromPrefix } from '../../images/formats/dimensions.ts';
import { readOrientation } from '../../images/formats/animation.ts';
import { readMaskFile, repairMaskFile } from '../../engine/files/repairMaskFile.ts';

/**
 * Asks for a mask file, and keeps it with the draft.
 *
 * @param size of the image in pixels, which the mask must match
 * @returns the mask's name, and the name under which it is kept; `null` if the user dismisses the dialog
 * @throws LimnerError if it isn't an image, is damaged, or has another size
 */
export async function loadMask(
  engine: EngineHost,
  draft: DraftFile,
  { width, height }: { width: number; height: number },
): Promise<{ file: string; name: string } | null> {
  const [picked] =
    (await vscode.window.showOpenDialog({
      title: l10n.t('Load Mask'),
      openLabel: l10n.t({ message: 'Load', comment: ['Button of the dialog that opens a mask'] }),
      filters: { [l10n.t('Images')]: ['png', 'webp', 'jpg', 'jpeg'] },
    })) ?? [];
  if (!picked) {
    return null;
  }
  const { name, input } = await readQuietly(engine, picked, { role: 'mask' });
  const bytes = await readableMask(engine, input.path);
  const size = bytes && dimensionsFromPrefix(bytes);
  if (!bytes || size?.kind !== 'known') {
    throw refuse(
      'unsupported_image',
      l10n.t('The mask {0} is damaged or too large to read. Choose another file.', name),
    );
  }
  if (size.width !== width || size.height !== height) {
    throw refuse(
      'invalid_request',
      l10n.t(
        'The mask must be the same size as the image: {0} is {1} × {2}, but the image is {3} × {4}.',
        name,
        size.width,
        size.height,
        width,
        height,
      ),
    );
  }
  return { file: await draft.keepMask(bytes), name };
}

/** Reads a mask file and rotates it upright; undefined if it is gone or damaged. */
export async function readableMask(engine: EngineHost, path: string): Promise<Uint8Array | undefined> {
  const codecs = await (await engine.get()).codecs();
  try {
    const bytes = await readMaskFile(path);
    if ((await readOrientation(bytes)) !== 1) {
      return await codecs.upright(bytes);
    }
    await codecs.decode(bytes);
    return bytes;
  } catch {
    return undefined;
  }
}

/**
 *
 * @throws LimnerError if it is missing or damaged: a page would show half of it
 */
export async function maskUrl(
  engine: EngineHost,
  draft: DraftFile,
  images: StudioImages,
  file: string,
): Promise<string> {
  const path = await draft.repairMask(file, repairMaskFile);
  const isReadable = path !== undefined && (await readableMask(engine, path)) !== undefined;
  const url = isReadable ? await images.url(vscode.Uri.file(path)) : undefined;
  if (url === undefined) {
    throw refuse('invalid_request', l10n.t('The loaded mask is missing or damaged.'));
  }
  return url;
}

export async function saveMask(name: string, bytes: Uint8Array): Promise<string | null> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: l10n.t('Save Mask'),
    filters: { [l10n.t('Images')]: ['png'] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, basename(name)) }),
  });
  if (!target) {
    return null;
  }
  await changeFile(() => vscode.workspace.fs.writeFile(target, bytes));
  return nameOf(target);
}
