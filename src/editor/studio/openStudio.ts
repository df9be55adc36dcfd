import * as vscode from 'vscode';
import type { Limner } from '../limner.ts';
import { studioViewType } from '../names.ts';
import { resolveLocation } from '../paint/paintArguments.ts';
import { passedFiles } from '../paint/passedFiles.ts';
import { reportFailure } from '../refusal.ts';
import { activeFile } from '../workspaceFolders.ts';
import { StudioPanel } from './studioPanel.ts';
import { startOn } from './startOn.ts';

/**
 * `limner.openStudio`: shows the studio; on images, they become its inputs.
 *
 * @param first an image, as URI or path; or what a menu passes
 * @param second the selected files, or what a menu passes
 */
export async function openStudio(limner: Limner, first?: unknown, second?: unknown): Promise<void> {
  const passed = isImagePreview(first) ? [activeFile()] : passedFiles(first, second);
  const root = await limner.folders.current(false);
  const images = passed.flatMap((file) => (file === undefined ? [] : resolveLocation(file, root)));
  const isOpen = limner.studio.panel !== undefined;
  const studio = await (limner.studio.panel ?? openPanel(limner));
  try {
    if (images.length > 0) {
      await startOn(studio, images);
    }
  } catch (error) {
    void reportFailure(limner, error);
  } finally {
    if (isOpen) {
      studio.reveal();
    } else {
      await studio.setPage();
    }
  }
}

/** Fills the panel that VS Code brings back after a reload; there is one a window. */
export async function restoreStudio(limner: Limner, panel: vscode.WebviewPanel): Promise<void> {
  if (limner.studio.panel) {
    panel.dispose();
  } else {
    await (await StudioPanel.open(limner, panel)).setPage();
  }
}

/** In the place of a tab from before a reload, which VS Code fills only when it is looked at. */
async function openPanel(limner: Limner): Promise<StudioPanel> {
  const column = vscode.ViewColumn.Active;
  const panel = vscode.window.createWebviewPanel(studioViewType, vscode.l10n.t('Studio'), column);
  const opening = StudioPanel.open(limner, panel);
  const dormant = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input, isActive }) => isStudio(input) && !isActive);
  await vscode.window.tabGroups.close(dormant, true);
  return opening;
}

function isStudio(input: unknown): boolean {
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(studioViewType);
}

/** What the context menu of the image preview passes, which does not name the file. */
function isImagePreview(passed: unknown): boolean {
  return typeof passed === 'object' && passed !== null && 'webview' in passed;
}
