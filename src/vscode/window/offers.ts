import * as vscode from 'vscode';

export interface ErrorAction {
  title: string;
  /** ID of the command to run; absent for other actions. */
  command?: string;
  run(): Thenable<unknown>;
}

/** Failure for the user: the cause, the possible cost, and the next step. */
export interface Failure {
  message: string;
  actions: readonly ErrorAction[];
}

export function commandAction(title: string, command: string, ...passed: readonly unknown[]): ErrorAction {
  return { title, command, run: () => vscode.commands.executeCommand(command, ...passed) };
}

export async function offer(
  show: (message: string, ...titles: string[]) => Thenable<string | undefined>,
  message: string,
  ...actions: readonly ErrorAction[]
): Promise<void> {
  const chosen = await show(message, ...actions.map(({ title }) => title));
  await actions.find(({ title }) => title === chosen)?.run();
}
