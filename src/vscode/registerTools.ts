import * as vscode from 'vscode';
import type { Commands } from './commands.ts';

const toolNames = [
  'generate_image',
  'generate_set',
  'edit_image',
  'list_tasks',
  'resume_task',
  'finish_image',
  'find_missing_images',
  'replace_placeholder',
  'describe',
] as const;

/**
 * Registers the agents' tools once the workspace is trusted.
 *
 * @param subscriptions collect the registrations
 * @param load imports the tools; called when one first runs
 */
export function registerTools(subscriptions: vscode.Disposable[], load: () => Promise<Commands>): void {
  const register = (): void => {
    for (const name of toolNames) {
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
