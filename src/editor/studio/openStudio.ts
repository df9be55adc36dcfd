import * as vscode from 'vscode';
import type { Limner } from '../limner.ts';
import { studioViewType } from '../names.ts';
import { DraftFile } from './draftFile.ts';
import { StudioPanel } from './studioPanel.ts';

/** `limner.openStudio`: shows the studio; with images, they are its inputs. */
export async function openStudio(limner: Limner): Promise<void> {
  if (limner.studio.panel) {
    limner.studio.panel.reveal();
    return;
  }
  await showIn(
    limner,
    vscode.window.createWebviewPanel(studioViewType, vscode.l10n.t('Studio'), vscode.ViewColumn.Active),
  );
}

/** Fills the panel that VS Code brings back after a reload; there is one a window. */
export async function restoreStudio(limner: Limner, panel: vscode.WebviewPanel): Promise<void> {
  if (limner.studio.panel) {
    panel.dispose();
    return;
  }
  await showIn(limner, panel);
}

async function showIn(limner: Limner, panel: vscode.WebviewPanel): Promise<void> {
  const draft = await DraftFile.open(vscode.Uri.joinPath(limner.workspaceStorage, 'studio').fsPath);
  const studio = new StudioPanel(limner, panel, draft);
  limner.studio.panel = studio;
  await studio.setPage();
}
