import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';

type Context = Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>;

/** User settings that the launcher passes to the MCP server. */
const names = [
  'baseUrl',
  'models',
  'model',
  'callStyle',
  'resultHosts',
  'budget',
  'confirmAbove',
  'agents.confirm',
  'agents.sessionLimit',
  'agents.dailyLimit',
];

export function launcherFolder({ globalStorageUri }: Pick<Context, 'globalStorageUri'>): string {
  return join(globalStorageUri.fsPath, 'mcp');
}

/** Returns a fingerprint of the launcher's inputs, which its file keeps. */
export function launcherSettings({ extensionUri }: Pick<Context, 'extensionUri'>): string {
  const settings = vscode.workspace.getConfiguration('limner');
  return JSON.stringify([
    extensionUri.fsPath,
    // Some editors are updated into a new folder.
    process.execPath,
    ...names.map((name) => settings.inspect(name)?.globalValue ?? null),
  ]);
}

/** Rewrites an existing launcher when its settings have changed, now or later. */
export function refreshLauncher(context: Context, write: () => Promise<void>): vscode.Disposable {
  const check = async (): Promise<void> => {
    const file = join(launcherFolder(context), 'launcher.json');
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined && !text.includes(JSON.stringify(launcherSettings(context)))) {
      await write();
    }
  };
  // One at a time: each sees the result of the one before.
  let last = check();
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('limner')) {
      last = last.then(check, check);
    }
  });
}
