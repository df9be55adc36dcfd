// Room: puts the window together at activation.
// Never: rules.

import * as vscode from 'vscode';
import { Api, type LimnerApi } from './editor/api.ts';
import type { Commands, WindowServices } from './editor/commands/commands.ts';
import type { Documents } from './editor/documents/documents.ts';
import { DemoServiceProcess } from './editor/window/demoServiceProcess.ts';
import { markEdits } from './editor/taskList/edits.ts';
import { EngineHost } from './editor/window/engineHost.ts';
import { KeyStore } from './editor/window/keyStore.ts';
import { registerCommands } from './editor/registerCommands.ts';
import { registerTools } from './editor/registerTools.ts';
import { RunningStatus } from './editor/taskList/runningStatus.ts';
import { refreshLauncher } from './editor/window/launcherSettings.ts';
import { ServiceNames } from './editor/window/serviceNames.ts';
import { readWhenInSight } from './editor/window/readWhenInSight.ts';
import { setOwnFolders } from './editor/window/ownFiles.ts';
import { Settings, showWhetherConfigured } from './editor/window/settings.ts';
import { resumeOnStartup } from './editor/window/resumeOnStartup.ts';
import { TaskNotices } from './editor/taskList/taskNotices.ts';
import { checkOffWalkthrough } from './editor/taskList/walkthroughSteps.ts';
import { TaskTree } from './editor/taskList/taskTree.ts';
import type { Publisher } from './tasks/ports.ts';

// The bundles of commands and documents find these here instead of holding them again.
export * from './editor/failures/billing.ts';
export * from './editor/failures/errorText.ts';
export * from './editor/names.ts';
export * from './editor/window/documentLanguages.ts';
export * from './editor/window/files.ts';
export * from './editor/window/launcherSettings.ts';
export * from './editor/window/ownFiles.ts';
export * from './editor/window/plainText.ts';
export * from './editor/window/serviceNames.ts';
export * from './editor/failures/taskFailures.ts';
export * from './editor/availableActions.ts';
export * from './editor/taskList/batchProgress.ts';
export * from './editor/taskList/edits.ts';
export * from './editor/taskList/taskItem.ts';
export * from './editor/taskList/taskLabels.ts';

let engine: EngineHost | undefined;

async function loadPublisher(): Promise<Publisher> {
  const { WorkspacePublisher } = await import('./editor/commands/commands.ts');
  return new WorkspacePublisher();
}

/** Puts one window together, resumes the tasks that are still running, and returns the API for other extensions. */
export function activate(context: vscode.ExtensionContext): LimnerApi {
  const log = vscode.window.createOutputChannel('Limner', { log: true });
  const settings = new Settings(log);
  const keys = new KeyStore(context.secrets);
  const host = new EngineHost(async () => import('./engine.ts'), loadPublisher, context, settings, keys, log);
  engine = host;
  const demo = new DemoServiceProcess(context, log);
  context.subscriptions.push(showWhetherConfigured(settings));
  const { globalStorageUri, storageUri = globalStorageUri } = context;
  setOwnFolders([globalStorageUri, storageUri]);
  const names = new ServiceNames(settings, demo);
  let commands: Commands | undefined;
  const loadCommands = async (): Promise<Commands> => {
    const module = await import('./editor/commands/commands.ts');
    return (commands ??= new module.Commands(window));
  };
  const tree = new TaskTree(engine, names, context.workspaceState, loadCommands);
  const notices = new TaskNotices(engine, tree);
  let documents: Documents | undefined;
  const loadDocuments = async (): Promise<Documents> => {
    const module = await import('./editor/documents/documents.ts');
    if (!documents) {
      documents = new module.Documents(host, settings, context.workspaceState, log, loadCommands);
      context.subscriptions.push(documents);
    }
    return documents;
  };
  const services = { context, log, settings, keys, engine, demo, names, tree, notices };
  const window: WindowServices = { ...services, documents: loadDocuments };
  const api = new Api(engine);
  context.subscriptions.push(
    log,
    settings,
    keys,
    tree,
    api,
    registerCommands(context.extension, loadCommands),
  );
  registerTools(context.subscriptions, loadCommands);
  context.subscriptions.push(
    notices,
    new RunningStatus(tree),
    checkOffWalkthrough(engine, settings),
    markEdits(engine),
    resumeOnStartup(engine, log),
    readWhenInSight(loadDocuments),
    refreshLauncher(context, async () => (await loadCommands()).mcp.refresh()),
    host.onDidOpen(({ store }) => {
      if (store.withReference().length > 0) {
        void loadDocuments();
      }
    }),
  );
  return api;
}

/** Leaves unfinished tasks in their rows, to be resumed by the next window. */
export async function deactivate(): Promise<void> {
  await engine?.dispose();
}
