import * as vscode from 'vscode';

/** Asks in which way to continue; undefined when the person dismissed it. */
export async function choice(
  question: string,
  buttons: readonly string[],
  detail?: string,
): Promise<string | undefined> {
  const options = { modal: true, ...(detail !== undefined && { detail }) };
  return vscode.window.showWarningMessage(question, options, ...buttons);
}

/** Asks whether to continue; false when the person dismissed it. */
export async function confirmed(question: string, proceed: string, detail?: string): Promise<boolean> {
  return (await choice(question, [proceed], detail)) === proceed;
}

/** Asks whether to continue. @throws vscode.CancellationError when the person dismissed it */
export async function requireConfirmation(...question: Parameters<typeof confirmed>): Promise<void> {
  if (!(await confirmed(...question))) {
    throw new vscode.CancellationError();
  }
}
