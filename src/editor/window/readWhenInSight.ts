import * as vscode from 'vscode';
import { documentsThatShowImages, documentsWithImages } from './documentLanguages.ts';

/** Loads what reads documents for their images, and puts images into them, once such a one is in sight. */
export function readWhenInSight(load: () => Promise<unknown>): vscode.Disposable {
  const look = (): void => {
    const isInSight = vscode.window.visibleTextEditors.some(
      ({ document }) =>
        vscode.languages.match([...documentsWithImages, ...documentsThatShowImages], document) > 0,
    );
    if (isInSight) {
      subscription.dispose();
      void load();
    }
  };
  const subscription = vscode.window.onDidChangeVisibleTextEditors(look);
  // Once VS Code has finished the activation, which needn't wait for it.
  const timer = setTimeout(look);
  return vscode.Disposable.from(subscription, { dispose: () => clearTimeout(timer) });
}
