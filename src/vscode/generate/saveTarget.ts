import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  checkRights,
  folderProblem,
  type FolderProblem,
  makeTrialFile,
  unusableName,
} from '../../engine/files/targetFolder.ts';
import type { SaveTarget } from '../../engine/task/task.ts';
import * as settingNames from '../window/settingNames.ts';
import { pathOf } from '../window/files.ts';
import type { Settings } from '../window/settings.ts';
import type { WorkspaceFolders } from '../ask/confirm.ts';
import { plainText } from '../window/plainText.ts';
import { commandAction } from '../window/offers.ts';
import { refuse } from '../ask/refusal.ts';
import { type PaintArguments, resolveLocation } from './paintArguments.ts';
import { asSaveError, fileTrouble } from '../../common/fileErrors.ts';
import { inOneNotation, wayInto } from '../../common/fileUris.ts';
import { messageOf } from '../../common/limnerError.ts';
import { told } from '../../engine/messages/told.ts';

const editedFileName = '{name}-edited';

export interface TargetOptions extends Pick<PaintArguments, 'folder' | 'fileName'> {
  /** The edited file: its result is saved beside it unless `folder` says otherwise. */
  original?: vscode.Uri | undefined;
  /** Whether the user may be asked: for a workspace folder, or for another folder when this one is not writable. */
  asks: boolean;
}

/**
 * Decides where the images of a run are saved: as `folder` and `fileName` say, else beside the original of an edit,
 * else as the settings say.
 */
export class SaveTargets {
  readonly #settings: Settings;
  readonly #folders: WorkspaceFolders;

  constructor(settings: Settings, folders: WorkspaceFolders) {
    this.#settings = settings;
    this.#folders = folders;
  }

  /**
   * Checks the target before anything is sent, so that nothing is billed that cannot be saved. Where nobody is asked
   * for another folder, no trial file is written: the start of the task finds what the rights of a folder don't say.
   *
   * @throws LimnerError `save_failed` when there is no such folder or it cannot be written
   * @throws vscode.CancellationError when a question was dismissed
   */
  async resolve(options: TargetOptions): Promise<SaveTarget> {
    let chosen = await this.#choose(options);
    for (;;) {
      const target = this.#targetIn(chosen, options);
      const problem = await targetProblem(target, options.asks ? makeTrialFile : checkRights);
      if (problem === undefined) {
        return target;
      }
      if (!options.asks) {
        throw refuse('save_failed', problem);
      }
      chosen = await chooseAnother(problem, options.folder === undefined && !options.original);
    }
  }

  /** Returns the target without checking it. @throws LimnerError `save_failed` when no folder is open */
  async intended(options: TargetOptions): Promise<SaveTarget> {
    return this.#targetIn(await this.#choose(options), options);
  }

  /** Returns a folder relative to the workspace folder where it lies in it, else its whole path. */
  async nameOf(folder: vscode.Uri): Promise<string> {
    const root = await this.#folders.current(false);
    const relative = root && wayInto(root.toString(), folder.toString());
    if (relative !== undefined) {
      return relative === '' ? '.' : relative;
    }
    return folder.scheme === 'file' ? folder.fsPath : folder.toString();
  }

  #targetIn({ folder, root }: TargetFolder, { fileName, original }: TargetOptions): SaveTarget {
    return {
      folder: inOneNotation(folder.toString()),
      root: inOneNotation(root.toString()),
      fileName: fileName ?? (original ? editedFileName : this.#settings.fileName(folder)),
    };
  }

  async #choose({ folder, original, asks }: TargetOptions): Promise<TargetFolder> {
    if (folder !== undefined) {
      return inItsWorkspace(resolveLocation(folder, await this.#folders.current(asks)));
    }
    if (original) {
      return inItsWorkspace(vscode.Uri.joinPath(original, '..'));
    }
    const root = await this.#folders.current(asks);
    if (root) {
      // Always relative: a setting that a workspace brings must not name other places.
      return { folder: vscode.Uri.joinPath(root, this.#settings.folder(root)), root };
    }
    throw refuse('save_failed', l10n.t('Open a folder first. Images are saved in the workspace.'), [
      commandAction(l10n.t('Open Folder…'), 'workbench.action.files.openFolder'),
    ]);
  }
}

interface TargetFolder {
  folder: vscode.Uri;
  /** The folder must not lead out of it. */
  root: vscode.Uri;
}

/** Asks for a folder to save images in; undefined when the user dismissed it. */
export async function pickFolder(): Promise<vscode.Uri | undefined> {
  const defaultUri = vscode.workspace.workspaceFolders?.[0]?.uri;
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: l10n.t('Select Folder for Images'),
      openLabel: l10n.t('Save Here'),
      canSelectFiles: false,
      canSelectFolders: true,
      ...(defaultUri && { defaultUri }),
    })) ?? [];
  return folder;
}

/** Asks where to save when no folder is open. */
export async function folderWithoutWorkspace(): Promise<vscode.Uri> {
  const choose = l10n.t('Choose Folder…');
  const open = l10n.t('Open Folder…');
  const chosen = await vscode.window.showInformationMessage(
    l10n.t('No folder is open. Where do you want to save images?'),
    { modal: true },
    choose,
    open,
  );
  if (chosen === open) {
    await vscode.commands.executeCommand('workbench.action.files.openFolder');
  }
  const folder = chosen === choose ? await pickFolder() : undefined;
  if (!folder) {
    throw new vscode.CancellationError();
  }
  return folder;
}

function inItsWorkspace(folder: vscode.Uri): TargetFolder {
  return { folder, root: vscode.workspace.getWorkspaceFolder(folder)?.uri ?? folder };
}

/** Tells the problem of a folder and lets the user choose another one for this run. */
async function chooseAnother(problem: string, isSetting: boolean): Promise<TargetFolder> {
  const choose = l10n.t('Save Elsewhere…');
  const change = l10n.t('Open Setting');
  const chosen = await vscode.window.showErrorMessage(
    plainText(problem),
    choose,
    ...(isSetting ? [change] : []),
  );
  if (chosen === change) {
    await vscode.commands.executeCommand('workbench.action.openSettings', settingNames.folder);
  }
  const folder = chosen === choose ? await pickFolder() : undefined;
  if (!folder) {
    throw new vscode.CancellationError();
  }
  return inItsWorkspace(folder);
}

/**
 * Says why nothing can be written to a folder, which may not exist yet; undefined when it can.
 *
 * @param probe of a folder on disk
 */
export async function targetProblem(
  target: SaveTarget,
  probe: (folder: string) => Promise<void> = checkRights,
): Promise<string | undefined> {
  const folder = vscode.Uri.parse(target.folder, true);
  if (wayInto(target.root, target.folder) === undefined) {
    return l10n.t("Images can't be saved in {0}: it's outside the workspace folder.", pathOf(folder));
  }
  return folder.scheme === 'file' ? problemOnDisk(folder.fsPath, probe) : problemElsewhere(folder);
}

async function problemOnDisk(
  folder: string,
  probe: (folder: string) => Promise<void>,
): Promise<string | undefined> {
  const name = unusableName(folder);
  if (name !== undefined) {
    return l10n.t(
      'Images can\'t be saved in {0}: Windows can\'t use "{1}" as the name of a folder.',
      folder,
      name,
    );
  }
  try {
    const problem = await folderProblem(folder, probe);
    return problem && problemText(problem.kind, problem.path);
  } catch (error) {
    return l10n.t("Images can't be saved in {0}: {1}", folder, told(asSaveError(error).message));
  }
}

/** Checks a folder, or the nearest one above it that exists, on the file system of an extension, which the call activates. */
async function problemElsewhere(folder: vscode.Uri): Promise<string | undefined> {
  const { fs } = vscode.workspace;
  for (let nearest = folder; ;) {
    const shown = nearest.toString(true);
    try {
      const { permissions = 0, type } = await fs.stat(nearest);
      if ((type & vscode.FileType.Directory) === 0) {
        return problemText('file', shown);
      }
      const isReadonly =
        (permissions & vscode.FilePermission.Readonly) !== 0 ||
        fs.isWritableFileSystem(nearest.scheme) === false;
      return isReadonly ? problemText('readOnly', shown) : undefined;
    } catch (error) {
      const parent = vscode.Uri.joinPath(nearest, '..');
      switch (fileTrouble(error)) {
        case 'gone':
          if (parent.path === nearest.path) {
            return problemText('noDisk', shown);
          }
          nearest = parent;
          break;
        case 'notFolder':
          return problemText('inFile', shown);
        case 'denied':
          return problemText('readOnly', shown);
        default:
          return l10n.t("Images can't be saved in {0}: {1}", shown, told(messageOf(error)));
      }
    }
  }
}

function problemText(kind: FolderProblem['kind'], folder: string): string {
  switch (kind) {
    case 'file':
      return l10n.t("Images can't be saved in {0}: it's a file.", folder);
    case 'inFile':
      return l10n.t("Images can't be saved in {0}: part of the path is a file.", folder);
    case 'noDisk':
      return l10n.t("Images can't be saved in {0}: the disk doesn't exist.", folder);
    case 'readOnly':
      return l10n.t("Images can't be saved in {0}: it's read-only.", folder);
  }
}
