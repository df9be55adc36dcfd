import * as vscode from 'vscode';
import type { Limner } from './limner.ts';
import { studioViewType } from './names.ts';

/**
 * Has the studio brought back when VS Code restores its tab.
 *
 * @param load imports the bundle of the commands; called once there is such a tab
 */
export function registerStudio(
  limner: Limner,
  load: () => Promise<typeof import('./commands/index.ts')>,
): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(studioViewType, {
    async deserializeWebviewPanel(panel) {
      const { restoreStudio } = await load();
      await restoreStudio(limner, panel);
    },
  });
}
