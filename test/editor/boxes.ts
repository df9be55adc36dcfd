import * as vscode from 'vscode';

/** Notes each quick pick of the tests in a `describe`. @returns a function that returns the last one */
export function lastBox(): () => vscode.QuickPick<vscode.QuickPickItem> {
  let last: vscode.QuickPick<vscode.QuickPickItem> | undefined;
  const { createQuickPick } = vscode.window;
  before(() => {
    Object.defineProperty(vscode.window, 'createQuickPick', {
      configurable: true,
      value: () => (last = createQuickPick()),
    });
  });
  after(() => {
    last?.hide();
    Object.defineProperty(vscode.window, 'createQuickPick', { configurable: true, value: createQuickPick });
  });
  return () => {
    if (!last) {
      throw new Error('No quick pick was shown.');
    }
    return last;
  };
}
