import * as vscode from 'vscode';
import { registerCommands } from './editor/commands/index.ts';
import { DemoServiceProcess } from './editor/demoServiceProcess.ts';
import { EngineHost } from './editor/engineHost.ts';
import { askAboutHeldTasks } from './editor/heldTasks.ts';
import { KeyStore } from './editor/keyStore.ts';
import { ServiceConnection } from './editor/serviceConnection.ts';
import { Settings } from './editor/settings.ts';
import { TaskTree } from './editor/taskTree.ts';

let engine: EngineHost | undefined;

/** Composes the parts of one window, then takes up the tasks that are still running. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
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
  try {
    const opened = await engine.get();
    await tree.follow();
    await opened.runner.resumeUnfinished();
    context.subscriptions.push(
      vscode.workspace.onDidChangeWorkspaceFolders(() => void opened.runner.emptyInbox()),
    );
    void askAboutHeldTasks(opened);
  } catch (error) {
    log.error(error instanceof Error ? error : String(error));
    void vscode.window.showErrorMessage(
      vscode.l10n.t(
        'Limner could not open its task list: {0}',
        error instanceof Error ? error.message : String(error),
      ),
    );
  }
}

/** Leaves unfinished tasks in their rows, to be taken up by the next window. */
export async function deactivate(): Promise<void> {
  await engine?.dispose();
}
