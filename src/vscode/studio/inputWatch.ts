import * as vscode from 'vscode';
import { isSame } from '../window/files.ts';

/** Reports possible changes of files: by watchers, and when the window gets the focus. */
export class InputWatch implements vscode.Disposable {
  readonly #changed: () => void;
  readonly #focus: vscode.Disposable;
  #files: readonly vscode.Uri[] = [];
  readonly #watchers = new Map<string, vscode.Disposable>();

  constructor(changed: () => void) {
    this.#changed = changed;
    this.#focus = vscode.window.onDidChangeWindowState(({ focused }) => {
      // Some file systems can't be watched.
      if (focused && this.#files.length > 0) {
        changed();
      }
    });
  }

  watch(files: readonly vscode.Uri[]): void {
    this.#files = files;
    const folders = new Map(
      files.map((file) => vscode.Uri.joinPath(file, '..')).map((uri) => [uri.toString(), uri]),
    );
    for (const [folder, watcher] of this.#watchers) {
      if (!folders.has(folder)) {
        watcher.dispose();
        this.#watchers.delete(folder);
      }
    }
    for (const [name, folder] of folders) {
      if (!this.#watchers.has(name)) {
        this.#watchers.set(name, this.#watchFolder(folder));
      }
    }
  }

  dispose(): void {
    vscode.Disposable.from(this.#focus, ...this.#watchers.values()).dispose();
  }

  #watchFolder(folder: vscode.Uri): vscode.Disposable {
    // A file name isn't a pattern: it may contain brackets.
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
    const notice = (file: vscode.Uri): void => {
      if (this.#files.some((one) => isSame(one, file))) {
        this.#changed();
      }
    };
    return vscode.Disposable.from(
      watcher,
      watcher.onDidChange(notice),
      watcher.onDidCreate(notice),
      watcher.onDidDelete(notice),
    );
  }
}
