import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';

type Context = Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>;

/** The settings of the person that the launcher of the MCP server passes on. */
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

/** Returns the folder on disk where MCP clients find the launcher. */
export function launcherFolder({ globalStorageUri }: Pick<Context, 'globalStorageUri'>): string {
  return join(globalStorageUri.fsPath, 'mcp');
}

/** Returns in one text what a launcher is written from, which its file keeps. */
export function launcherSettings({ extensionUri }: Pick<Context, 'extensionUri'>): string {
  const settings = vscode.workspace.getConfiguration('limner');
  return JSON.stringify([
    extensionUri.fsPath,
    // Some editors are updated into a new folder.
    process.execPath,
    ...names.map((name) => settings.inspect(name)?.globalValue ?? null),
  ]);
}

/** Has a launcher that was written before written again when its settings are other ones, now or later. */
export function refreshLauncher(context: Context, write: () => Promise<void>): vscode.Disposable {
  const check = async (): Promise<void> => {
    const file = join(launcherFolder(context), 'launcher.json');
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined && !text.includes(JSON.stringify(launcherSettings(context)))) {
      await write();
    }
  };
  // One after the other: each sees what the one before it wrote.
  let last = check();
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('limner')) {
      last = last.then(check, check);
    }
  });
}
