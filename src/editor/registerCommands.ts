// Room: what VS Code and other extensions call: the commands and the API.
// Never: wire formats, code that activation doesn't need.

import * as vscode from 'vscode';
import type { Commands } from './commands/commands.ts';
import { type CommandId, studioViewType } from './names.ts';

/** What package.json contributes, as far as it is read here. */
interface Contributing {
  packageJSON: { contributes: { commands: readonly { command: CommandId }[] } };
}

/**
 * Registers every command that package.json contributes, and what brings the studio back when VS Code restores its tab.
 *
 * @param load gives what runs them; called once one runs
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
  );
}
