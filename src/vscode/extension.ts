import * as vscode from 'vscode';
import { Api, type LimnerApi } from './api.ts';
import type { Commands, WindowServices } from './commands.ts';
import type { Documents } from './documents/documents.ts';
import { DemoServiceProcess } from './window/demoServiceProcess.ts';
import { markEdits } from './taskList/edits.ts';
import { EngineHost } from './window/engineHost.ts';
import { KeyStore, ServiceNames } from './window/serviceNames.ts';
import { registerCommands } from './registerCommands.ts';
import { registerTools } from './registerTools.ts';
import { RunningStatus } from './taskList/runningStatus.ts';
import { refreshLauncher } from './window/launcherSettings.ts';
import { setOwnFolders } from './window/files.ts';
import { Settings, showWhetherConfigured } from './window/settings.ts';
import { resumeOnStartup } from './window/resumeOnStartup.ts';
import { TaskNotices } from './taskList/taskNotices.ts';
import { checkOffWalkthrough } from './window/walkthroughSteps.ts';
import { TaskTree } from './taskList/taskTree.ts';
import { languageBy, languageOf } from '../pages/find/languages.ts';
import type { Publisher } from '../engine/task/ports.ts';
export * from './window/names.ts';
export * from './window/offers.ts';
export * from './window/files.ts';
export * from './window/launcherSettings.ts';
export * from './window/plainText.ts';
export * from './window/serviceNames.ts';
export * from '../engine/operations/availableActions.ts';
export * from './taskList/batchProgress.ts';
export * from './taskList/edits.ts';
export * from './taskList/rowFiles.ts';
export * from './taskList/taskItem.ts';
export * from './taskList/taskLabels.ts';

// Shared with the bundles of commands and documents, which don't contain these again.

let engine: EngineHost | undefined;

async function loadPublisher(): Promise<Publisher> {
  const { WorkspacePublisher } = await import('./commands.ts');
  return new WorkspacePublisher();
}

/** Creates one window's services, resumes the running tasks, and returns the API for other extensions. */
export function activate(context: vscode.ExtensionContext): LimnerApi {
  const log = vscode.window.createOutputChannel('Limner', { log: true });
  const settings = new Settings(log);
  const keys = new KeyStore(context.secrets);
  const host = new EngineHost(
    async () => import('../engine/run/engine.ts'),
    loadPublisher,
    context,
    settings,
    keys,
    log,
  );
  engine = host;
  const demo = new DemoServiceProcess(context, log);
  context.subscriptions.push(showWhetherConfigured(settings));
  const { globalStorageUri, storageUri = globalStorageUri } = context;
  setOwnFolders([globalStorageUri, storageUri]);
  const names = new ServiceNames(settings, demo);
  let commands: Commands | undefined;
  const loadCommands = async (): Promise<Commands> => {
    const module = await import('./commands.ts');
    return (commands ??= new module.Commands(window));
  };
  const tree = new TaskTree(engine, names, context.workspaceState, loadCommands);
  const notices = new TaskNotices(engine, tree, loadCommands);
  let documents: Documents | undefined;
  const loadDocuments = async (): Promise<Documents> => {
    const module = await import('./documents/documents.ts');
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

/** Leaves unfinished tasks to the next window. */
export async function deactivate(): Promise<void> {
  await engine?.dispose();
}

/** Loads support for documents once a supported one is visible. */
function readWhenInSight(load: () => Promise<unknown>): vscode.Disposable {
  const look = (): void => {
    const isInSight = vscode.window.visibleTextEditors.some(
      ({ document: { languageId, uri } }) => languageBy(languageId) ?? languageOf(languageId, uri.path),
    );
    if (isInSight) {
      subscription.dispose();
      void load();
    }
  };
  const subscription = vscode.window.onDidChangeVisibleTextEditors(look);
  // VS Code finishes the activation first, which needn't wait for this.
  const timer = setTimeout(look);
  return vscode.Disposable.from(subscription, { dispose: () => clearTimeout(timer) });
}
