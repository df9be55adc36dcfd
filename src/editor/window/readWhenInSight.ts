import * as vscode from 'vscode';
import { documentsWithImages } from './documentLanguages.ts';

/** Loads what reads documents for their images once such a one is in sight, in a workspace that is trusted. */
export function readWhenInSight(load: () => Promise<unknown>): vscode.Disposable {
  const look = (): void => {
    const isInSight = vscode.window.visibleTextEditors.some(
      ({ document }) => vscode.languages.match(documentsWithImages, document) > 0,
    );
    if (isInSight && vscode.workspace.isTrusted) {
      subscriptions.dispose();
      void load();
    }
  };
  const subscriptions = vscode.Disposable.from(
    vscode.window.onDidChangeVisibleTextEditors(look),
    vscode.workspace.onDidGrantWorkspaceTrust(look),
  );
  // Once VS Code has finished the activation, which needn't wait for it.
  const timer = setTimeout(look);
  return vscode.Disposable.from(subscriptions, { dispose: () => clearTimeout(timer) });
}
