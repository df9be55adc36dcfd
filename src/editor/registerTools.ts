import * as vscode from 'vscode';
import type { Commands } from './commands/commands.ts';

/**
 * Registers the tools of agents, once the workspace is trusted.
 *
 * @param subscriptions get what unregisters them
 * @param load gives what runs them; called once one is called
 */
export function registerTools(subscriptions: vscode.Disposable[], load: () => Promise<Commands>): void {
  const register = (): void => {
    for (const name of ['generate_image', 'edit_image', 'list_tasks', 'finish_image'] as const) {
      const tool = `limner_${name}` as const;
      subscriptions.push(
        vscode.lm.registerTool(tool, {
          prepareInvocation: async (options) => (await load()).agents.prepare(tool, options),
          invoke: async (options, token) => (await load()).agents.invoke(tool, options, token),
        }),
      );
    }
  };
  if (vscode.workspace.isTrusted) {
    register();
  } else {
    subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(register));
  }
}
