import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { activeFile } from './confirm.ts';

/** Extensions of images that a window can show, whether or not Limner can edit them. */
export const shownExtensions: readonly string[] = [
  'png',
  'jpg',
  'jpeg',
  'webp',
  'gif',
  'avif',
  'bmp',
  'ico',
  'svg',
];

/** Whether a file has one of these extensions. */
export function hasExtension({ path }: vscode.Uri, extensions: readonly string[]): boolean {
  return extensions.some((extension) => path.toLowerCase().endsWith(`.${extension}`));
}

/** Returns the file of the active tab if it has one of these extensions. */
export function activeImage(extensions: readonly string[]): vscode.Uri[] {
  const active = activeFile();
  return active && hasExtension(active, extensions) ? [active] : [];
}

/**
 * Asks for an image.
 *
 * @param near file whose folder the dialog opens
 * @throws vscode.CancellationError when the user picks none
 */
export async function pickImage(
  texts: { title: string; openLabel: string },
  extensions: readonly string[],
  near?: vscode.Uri,
): Promise<vscode.Uri> {
  const [file] =
    (await vscode.window.showOpenDialog({
      ...texts,
      filters: { [l10n.t('Images')]: [...extensions] },
      ...(near && { defaultUri: vscode.Uri.joinPath(near, '..') }),
    })) ?? [];
  if (!file) {
    throw new vscode.CancellationError();
  }
  return file;
}
