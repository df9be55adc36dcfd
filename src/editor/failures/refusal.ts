import * as vscode from 'vscode';
import { isLimnerError, LimnerError, type ErrorCode, type ErrorRecord } from '../../common/limnerError.ts';
import { messageOf } from '../../common/messageOf.ts';
import type { Task } from '../../tasks/task.ts';
import { describeError } from './errorText.ts';
import type { Limner } from '../limner.ts';
import { commands } from '../names.ts';
import { plainText } from '../window/plainText.ts';

/** A button that mends what stood in the way. */
export interface Mending {
  title: string;
  run(): Thenable<unknown>;
}

/** Why Limner itself did not send something; its message is the one that people read. */
export interface Refusal extends LimnerError {
  readonly mending: readonly Mending[];
}

/** Makes a refusal; nothing was sent and nothing is billed. */
export function refuse(code: ErrorCode, message: string, mending: readonly Mending[] = []): Refusal {
  return Object.assign(new LimnerError(code, message, { billing: 'no', sent: false }), { mending });
}

/** Why a task ended without a file; what is kept of it, and how to go on, its task says. */
interface TaskFailure extends LimnerError {
  readonly task: Task;
}

/** Makes the failure of a task. */
export function failTask(task: Task, error: ErrorRecord): TaskFailure {
  return Object.assign(new LimnerError(error.code, error.message, error), { task });
}

/** Why something failed, as a person reads it, with the buttons that mend it. */
export interface FailureText {
  message: string;
  mending: readonly Mending[];
}

/**
 * Puts a failure into words. A question that was dismissed and a task that the person stopped are no failures, and
 * have none.
 */
export async function describeFailure(limner: Limner, error: unknown): Promise<FailureText | undefined> {
  if (error instanceof vscode.CancellationError) {
    return undefined;
  }
  if (isRefusal(error)) {
    return { message: plainText(error.message), mending: error.mending };
  }
  if (!isLimnerError(error)) {
    limner.log.error(error instanceof Error ? error : String(error));
    const words = plainText(messageOf(error));
    const showLog = {
      title: vscode.l10n.t('Show Log'),
      run: () => vscode.commands.executeCommand(commands.showLog),
    };
    return { message: vscode.l10n.t('Limner could not do this: {0}', words), mending: [showLog] };
  }
  if (error.code === 'stopped') {
    return undefined;
  }
  const { message, remedies } = describeError(error.toRecord(), taskOf(error));
  return {
    message,
    mending: remedies.map(({ title, command, arguments: passed = [] }) => ({
      title,
      run: () => vscode.commands.executeCommand(command, ...passed),
    })),
  };
}

/** Shows why something failed, and runs the button that is pressed. */
export async function reportFailure(limner: Limner, error: unknown): Promise<void> {
  const failure = await describeFailure(limner, error);
  if (failure) {
    const titles = failure.mending.map(({ title }) => title);
    const chosen = await vscode.window.showErrorMessage(failure.message, ...titles);
    await failure.mending.find(({ title }) => title === chosen)?.run();
  }
}

/**
 * What a caller is given for an error: one with a code, in the words that a person reads, since VS Code shows them
 * after a key binding. A question that was dismissed becomes such an error too.
 */
export function asRejection(error: unknown): unknown {
  if (error instanceof vscode.CancellationError) {
    return refuse('stopped', vscode.l10n.t('A question of Limner was dismissed, so nothing was sent.'));
  }
  if (isRefusal(error) || !isLimnerError(error)) {
    return error;
  }
  const record = error.toRecord();
  return new LimnerError(error.code, describeError(record, taskOf(error)).message, {
    ...record,
    cause: error,
  });
}

function taskOf(error: LimnerError): Task | undefined {
  return isTaskFailure(error) ? error.task : undefined;
}

function isTaskFailure(error: LimnerError): error is TaskFailure {
  return 'task' in error;
}

function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'mending' in error;
}
