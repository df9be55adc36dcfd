import * as vscode from 'vscode';
import { registerCommands } from './editor/commands/index.ts';
import { DemoServiceProcess } from './editor/demoServiceProcess.ts';
import { EngineHost } from './editor/engineHost.ts';
import { KeyStore } from './editor/keyStore.ts';
import { ServiceConnection } from './editor/serviceConnection.ts';
import { Settings } from './editor/settings.ts';
import { takeUpTasks } from './editor/takeUp.ts';
import { TaskTree } from './editor/taskTree.ts';

let engine: EngineHost | undefined;

/** Composes the parts of one window, then takes up the tasks that are still running. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Limner', { log: true });
  const settings = new Settings(log);
  const keys = new KeyStore(context.secrets);
  engine = new EngineHost(async () => import('./engine.ts'), context, settings, keys, log);
  const demo = new DemoServiceProcess(context, log);
  const service = new ServiceConnection(engine, settings, keys, demo);
  const tree = new TaskTree(engine);
  context.subscriptions.push(
    log,
    keys,
    service,
    tree,
    registerCommands({ log, settings, keys, engine, service, demo }),
  );
  context.subscriptions.push(takeUpTasks(engine, log));
}

/** Leaves unfinished tasks in their rows, to be taken up by the next window. */
export async function deactivate(): Promise<void> {
  await engine?.dispose();
}
