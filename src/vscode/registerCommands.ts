import * as vscode from 'vscode';
import type { Commands } from './commands.ts';
import { type CommandId, compareViewType, studioViewType } from './window/names.ts';

interface Contributing {
  packageJSON: { contributes: { commands: readonly { command: CommandId }[] } };
}

/**
 * Registers all commands of package.json, and the serializers that restore the studio's tab and comparisons.
 *
 * @param load imports the commands; called when one first runs
 */
export function registerCommands(
  { packageJSON }: Contributing,
  load: () => Promise<Commands>,
): vscode.Disposable {
  return vscode.Disposable.from(
    ...packageJSON.contributes.commands.map(({ command }) =>
      vscode.commands.registerCommand(command, async (...passed: unknown[]): Promise<unknown> =>
        (await load()).handlers[command](...passed),
      ),
    ),
    vscode.window.registerWebviewPanelSerializer(studioViewType, {
      deserializeWebviewPanel: async (panel) => (await load()).studio.restore(panel),
    }),
    vscode.window.registerWebviewPanelSerializer(compareViewType, {
      deserializeWebviewPanel: async (panel, kept) => (await load()).comparisons.restore(panel, kept),
    }),
  );
}
