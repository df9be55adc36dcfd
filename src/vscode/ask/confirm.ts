import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as commands from '../window/commandIds.ts';
import { commandAction, type ErrorAction } from '../window/offers.ts';
import { pathOf } from '../window/files.ts';

/** Asks how to continue; undefined if the user dismisses the question. */
export async function choice(
  question: string,
  buttons: readonly string[],
  detail?: string,
): Promise<string | undefined> {
  const options = { modal: true, ...(detail !== undefined && { detail }) };
  return vscode.window.showWarningMessage(question, options, ...buttons);
}

/** Asks whether to continue; false if the user dismisses the question. */
export async function confirmed(question: string, proceed: string, detail?: string): Promise<boolean> {
  return (await choice(question, [proceed], detail)) === proceed;
}

/** Asks whether to continue. @throws vscode.CancellationError if the user dismisses the question */
export async function requireConfirmation(...question: Parameters<typeof confirmed>): Promise<void> {
  if (!(await confirmed(...question))) {
    throw new vscode.CancellationError();
  }
}

/**
 * Asks before something that may be billed. Enter takes the way that costs nothing: the key may have been pressed before
 * the question was there.
 *
 * @returns the button that was chosen
 * @throws vscode.CancellationError if the user dismisses the question, or takes the other way
 */
export async function requireCharge(
  question: string,
  charges: readonly string[],
  free: ErrorAction,
  detail?: string,
): Promise<string> {
  const chosen = await choice(question, [free.title, ...charges], detail);
  if (chosen === free.title) {
    await free.run();
  }
  if (chosen === undefined || chosen === free.title) {
    throw new vscode.CancellationError();
  }
  return chosen;
}

/** Shows a task with what it was asked for, to be changed or sent from there. */
export function openInStudio(id: string): ErrorAction {
  return commandAction(l10n.t('Open in Studio'), commands.taskOpenInStudio, id);
}

export function openSetting(name: string): ErrorAction {
  return commandAction(l10n.t('Open Setting'), 'workbench.action.openSettings', name);
}

export function manageTrust(): ErrorAction {
  return commandAction(l10n.t('Manage Workspace Trust'), 'workbench.trust.manage');
}

/** Chooses a workspace folder for commands that don't name one. */
export class WorkspaceFolders {
  #picked: vscode.WorkspaceFolder | undefined;

  /**
   * Returns the folder of the active file, the only folder, or the user's choice, which is remembered until the window
   * closes. Without `asks`, uses the first folder. Undefined if no folder is open.
   *
   * @throws vscode.CancellationError if the user dismisses the question
   */
  async current(asks: boolean): Promise<vscode.Uri | undefined> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const { known } = this;
    if (known || folders.length === 0 || !asks) {
      return (known ?? folders[0])?.uri;
    }
    const items = folders.map((folder) => ({
      label: folder.name,
      description: pathOf(folder.uri),
      folder,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: l10n.t('Folder for Images'),
      placeHolder: l10n.t('Select the workspace folder to save images in until you close this window'),
      ignoreFocusOut: true,
    });
    if (!picked) {
      throw new vscode.CancellationError();
    }
    this.#picked = picked.folder;
    return picked.folder.uri;
  }

  /** The folder of the active file, the only folder, or the one that was chosen; undefined without these. */
  get known(): vscode.WorkspaceFolder | undefined {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const active = activeFile();
    const picked = this.#picked?.uri.toString();
    return (
      (active && vscode.workspace.getWorkspaceFolder(active)) ??
      folders.find(({ uri }) => folders.length === 1 || uri.toString() === picked)
    );
  }
}

export function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom
    ? input.uri
    : undefined;
}
