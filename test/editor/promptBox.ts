import * as vscode from 'vscode';

/**
 * Sends what boxes are shown with, as someone does who has typed a space behind it: Enter alone, which may be that of the
 * command, sends no prompt that nobody typed.
 */
export class PromptBox implements Disposable {
  readonly #create = vscode.window.createQuickPick;
  readonly #boxes: vscode.QuickPick<vscode.QuickPickItem>[] = [];

  constructor() {
    const create = (): vscode.QuickPick<vscode.QuickPickItem> => {
      const box = this.#create();
      this.#boxes.push(box);
      return box;
    };
    Object.assign(vscode.window, { createQuickPick: create });
  }

  async accept(): Promise<void> {
    for (const box of this.#boxes) {
      if (box.value !== '' && !box.value.endsWith(' ')) {
        box.value += ' ';
      }
    }
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
  }

  [Symbol.dispose](): void {
    Object.assign(vscode.window, { createQuickPick: this.#create });
  }
}
