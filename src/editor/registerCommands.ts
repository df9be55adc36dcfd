import * as vscode from 'vscode';
import type { Limner } from './limner.ts';
import { commands } from './names.ts';

/**
 * Registers every command of the table in `names.ts`.
 *
 * @param load imports the bundle of the commands; called once one runs
 */
export function registerCommands(
  limner: Limner,
  load: () => Promise<typeof import('./commands/index.ts')>,
): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.values(commands).map((id) =>
      vscode.commands.registerCommand(id, async (...passed: unknown[]) => {
        const { runCommand } = await load();
        return runCommand(limner, id, passed);
      }),
    ),
  );
}
