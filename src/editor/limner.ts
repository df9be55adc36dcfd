/* oxlint-disable eslint/no-restricted-imports */
import type * as vscode from 'vscode';
import type { DemoServiceProcess } from './window/demoServiceProcess.ts';
import type { EngineHost } from './window/engineHost.ts';
import type { KeyStore } from './window/keyStore.ts';
import type { ServiceConnection } from './window/serviceConnection.ts';
import type { Settings } from './window/settings.ts';
import type { TaskNotices } from './taskList/taskNotices.ts';
import type { TaskTree } from './taskList/taskTree.ts';
import type { WorkspaceFolders } from './window/workspaceFolders.ts';

/** What commands and views work with: the parts of one window, made once at activation. */
export interface Limner {
  /** Where Limner keeps its own files. */
  storage: vscode.Uri;
  /** Where it keeps what belongs to this workspace. */
  workspaceStorage: vscode.Uri;
  /** The extension's own folder. */
  extension: vscode.Uri;
  tree: TaskTree;
  notices: TaskNotices;
  log: vscode.LogOutputChannel;
  settings: Settings;
  keys: KeyStore;
  engine: EngineHost;
  service: ServiceConnection;
  demo: DemoServiceProcess;
  folders: WorkspaceFolders;
}
