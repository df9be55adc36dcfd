import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { SaveTarget } from '../../tasks/task.ts';
import type { Limner } from '../limner.ts';
import { type PaintArguments, resolveLocation } from './paintArguments.ts';
import { type Mending, refuse } from '../refusal.ts';

/** Name of an edited image, beside its original. */
const editedFileName = '{name}-edited';

export interface TargetOptions extends Pick<PaintArguments, 'folder' | 'fileName'> {
  /** The file that is edited: its result goes beside it unless `folder` says otherwise. */
  original?: vscode.Uri | undefined;
  /** Whether the person may be asked which workspace folder is meant. */
  asks: boolean;
}

/**
 * Where the pictures of a run go: `folder` and `fileName` as given, else beside the original of an edit, else as
 * the settings say. Looked at before anything is sent, so that what cannot be saved is not paid for.
 *
 * @throws LimnerError `save_failed` when there is no such place or it cannot be written
 * @throws vscode.CancellationError when a question was dismissed
 */
export async function resolveTarget(limner: Limner, options: TargetOptions): Promise<SaveTarget> {
  const { folder, root } = await chooseFolder(limner, options);
  await requireWritable(limner, folder);
  const fileName = options.fileName ?? (options.original ? editedFileName : limner.settings.fileName(folder));
  return { folder: folder.toString(), root: root.toString(), fileName };
}

interface Place {
  folder: vscode.Uri;
  /** What the folder must not lead out of. */
  root: vscode.Uri;
}

async function chooseFolder(limner: Limner, { folder, original, asks }: TargetOptions): Promise<Place> {
  if (folder !== undefined) {
    return inItsWorkspace(resolveLocation(folder, await limner.folders.current(asks)));
  }
  if (original) {
    return inItsWorkspace(vscode.Uri.joinPath(original, '..'));
  }
  const root = await limner.folders.current(asks);
  if (root) {
    // Relative whatever it looks like: a setting that a workspace brings does not lead out of it.
    return { folder: vscode.Uri.joinPath(root, limner.settings.folder(root)), root };
  }
  throw refuse(
    await limner.engine.module(),
    'save_failed',
    vscode.l10n.t('Open a folder first: images are saved into the workspace.'),
    [
      {
        title: vscode.l10n.t('Open Folder…'),
        run: () => vscode.commands.executeCommand('workbench.action.files.openFolder'),
      },
    ],
  );
}

function inItsWorkspace(folder: vscode.Uri): Place {
  return { folder, root: vscode.workspace.getWorkspaceFolder(folder)?.uri ?? folder };
}

async function requireWritable(limner: Limner, folder: vscode.Uri): Promise<void> {
  const problem =
    folder.scheme === 'file' ? await problemOnDisk(folder.fsPath) : await problemElsewhere(folder);
  if (problem !== undefined) {
    throw refuse(await limner.engine.module(), 'save_failed', problem, [changeFolder()]);
  }
}

function changeFolder(): Mending {
  return {
    title: vscode.l10n.t('Change the Folder'),
    run: () => vscode.commands.executeCommand('workbench.action.openSettings', 'limner.folder'),
  };
}

/** Why nothing can be written to a folder, which may not be there yet; undefined when it can. */
async function problemOnDisk(path: string): Promise<string | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) {
      return vscode.l10n.t('Images cannot be saved in {0}: it is a file.', path);
    }
    await access(path, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    switch (error instanceof Error && 'code' in error ? error.code : undefined) {
      case 'ENOENT':
        return dirname(path) === path
          ? vscode.l10n.t('Images cannot be saved in {0}: there is no such disk.', path)
          : problemOnDisk(dirname(path));
      case 'ENOTDIR':
        return vscode.l10n.t('Images cannot be saved in {0}: a part of it is a file.', path);
      default:
        return vscode.l10n.t('Images cannot be saved in {0}: it is read-only.', path);
    }
  }
}

async function problemElsewhere(folder: vscode.Uri): Promise<string | undefined> {
  const { fs } = vscode.workspace;
  const readOnly = vscode.l10n.t('Images cannot be saved in {0}: it is read-only.', folder.toString(true));
  if (fs.isWritableFileSystem(folder.scheme) !== true) {
    return readOnly;
  }
  try {
    const { permissions, type } = await fs.stat(folder);
    return permissions === vscode.FilePermission.Readonly || (type & vscode.FileType.Directory) === 0
      ? readOnly
      : undefined;
  } catch {
    // What is not there is made when the image is saved.
    return undefined;
  }
}
