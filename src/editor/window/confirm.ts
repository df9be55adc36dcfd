import * as vscode from 'vscode';

/** Asks whether to continue; false when the person dismissed it. */
export async function confirmed(question: string, proceed: string, detail?: string): Promise<boolean> {
  const options = { modal: true, ...(detail !== undefined && { detail }) };
  return (await vscode.window.showWarningMessage(question, options, proceed)) === proceed;
}

/** Asks whether to continue. @throws vscode.CancellationError when the person dismissed it */
export async function requireConfirmation(...question: Parameters<typeof confirmed>): Promise<void> {
  if (!(await confirmed(...question))) {
    throw new vscode.CancellationError();
  }
}
