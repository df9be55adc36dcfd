import type * as vscode from 'vscode';
import type { DemoServiceProcess } from './demoServiceProcess.ts';
import type { EngineHost } from './engineHost.ts';
import type { KeyStore } from './keyStore.ts';
import type { ServiceConnection } from './serviceConnection.ts';
import type { Settings } from './settings.ts';
import type { TaskNotices } from './taskNotices.ts';
import type { TaskTree } from './taskTree.ts';
import type { WorkspaceFolders } from './workspaceFolders.ts';

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
