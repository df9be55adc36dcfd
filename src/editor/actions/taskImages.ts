import * as vscode from 'vscode';
import type { Limner } from '../limner.ts';
import { confirmed } from '../window/confirm.ts';
import { isNotFound, nameOf, pathOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { commands } from '../names.ts';
import { imageOf, type TaskArgument } from './taskArgument.ts';

/** `limner.task.open`: opens the image. */
export async function openTask(limner: Limner, argument: TaskArgument): Promise<void> {
  const image = await imageOf(limner, argument);
  if (image) {
    await vscode.commands.executeCommand('vscode.open', image.uri);
  }
}

/** `limner.task.reveal`: shows the image in the explorer. */
export async function revealImage(limner: Limner, argument: TaskArgument): Promise<void> {
  const image = await imageOf(limner, argument);
  if (image) {
    await vscode.commands.executeCommand('revealInExplorer', image.uri);
  }
}

/** `limner.task.copyPath`: puts the path of the image on the clipboard; of several images, one a line. */
export async function copyPaths(limner: Limner, chosen: readonly TaskArgument[]): Promise<void> {
  const images = await Promise.all(chosen.map(async (one) => imageOf(limner, one)));
  const paths = images.flatMap((image) => (image ? pathOf(image.uri) : []));
  if (paths.length > 0) {
    await vscode.env.clipboard.writeText(paths.join('\n'));
  }
}

/** `limner.task.compare`: an edited image beside its original. */
export async function compareWithOriginal(limner: Limner, argument: TaskArgument): Promise<void> {
  const image = await imageOf(limner, argument);
  const original = image?.task.request.images?.[0];
  if (image && original) {
    const title = vscode.l10n.t('{0} and its original', nameOf(image.uri));
    await vscode.commands.executeCommand(
      'vscode.diff',
      vscode.Uri.parse(original.uri, true),
      image.uri,
      title,
    );
  }
}

/** `limner.task.deleteImage`: moves the file to the trash; where there is none it asks first. */
export async function deleteImage(limner: Limner, argument: TaskArgument): Promise<void> {
  const image = await imageOf(limner, argument);
  if (!image) {
    return;
  }
  const { uri } = image;
  try {
    await vscode.workspace.fs.delete(uri, { useTrash: true });
  } catch (error) {
    if (isNotFound(error)) {
      limner.tree.redrawFiles([uri]);
      return;
    }
    limner.log.info(`${uri.toString(true)} cannot go to the trash: ${String(error)}`);
    const isMeant = await confirmed(
      vscode.l10n.t('{0} cannot be moved to the trash.', plainText(nameOf(uri))),
      vscode.l10n.t('Delete Permanently'),
      vscode.l10n.t('Delete it permanently instead?'),
    );
    if (!isMeant) {
      return;
    }
    await vscode.workspace.fs.delete(uri);
  }
  limner.tree.redrawFiles([uri]);
}

/** `limner.task.edit`: makes a new edit of the image. */
export async function editTaskImage(limner: Limner, argument: TaskArgument): Promise<void> {
  const image = await imageOf(limner, argument);
  if (image) {
    await vscode.commands.executeCommand(commands.edit, image.uri);
  }
}
