import * as vscode from 'vscode';
import { isLimnerError, LimnerError, type ErrorCode, type ErrorRecord } from '../../common/limnerError.ts';
import { messageOf } from '../../common/messageOf.ts';
import type { Task } from '../../tasks/task.ts';
import { commandAction, describeError, type ErrorAction, type Failure, showFailure } from './errorText.ts';
import { commands } from '../names.ts';
import { plainText } from '../window/plainText.ts';

/** Why Limner itself did not send something; its message is the one that people read. */
export interface Refusal extends LimnerError {
  readonly actions: readonly ErrorAction[];
}

/** Makes a refusal; nothing was sent and nothing is billed. */
export function refuse(code: ErrorCode, message: string, actions: readonly ErrorAction[] = []): Refusal {
  return Object.assign(new LimnerError(code, message, { billing: 'no', sent: false }), { actions });
}

/** Why a task ended without a file; what is kept of it, and how to go on, its task says. */
interface TaskFailure extends LimnerError {
  readonly task: Task;
}

/** Makes the failure of a task. */
export function failTask(task: Task, error: ErrorRecord): TaskFailure {
  return Object.assign(new LimnerError(error.code, error.message, error), { task });
}

/**
 * Puts a failure into words; what Limner did not expect goes to the log as well. A question that was dismissed and a
 * task that the person stopped are no failures, and have none.
 */
export function describeFailure(log: vscode.LogOutputChannel, error: unknown): Failure | undefined {
  if (error instanceof vscode.CancellationError) {
    return undefined;
  }
  if (isRefusal(error)) {
    return { message: plainText(error.message), actions: error.actions };
  }
  if (!isLimnerError(error)) {
    log.error(error instanceof Error ? error : String(error));
    const words = plainText(messageOf(error));
    return {
      message: vscode.l10n.t('Limner ran into an error: {0}', words),
      actions: [commandAction(vscode.l10n.t('Show Log'), commands.showLog)],
    };
  }
  return error.code === 'stopped' ? undefined : describeError(error.toRecord(), taskOf(error));
}

/** Shows why something failed, and runs the button that is pressed. */
export async function reportFailure(log: vscode.LogOutputChannel, error: unknown): Promise<void> {
  const failure = describeFailure(log, error);
  if (failure) {
    await showFailure(failure);
  }
}

/** Does something that may fail for a known reason, and then says which with the buttons that go on. */
export async function reported(log: vscode.LogOutputChannel, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!isLimnerError(error) && !(error instanceof vscode.CancellationError)) {
      throw error;
    }
    void reportFailure(log, error);
  }
}

/**
 * What a caller is given for an error: one with a code, in the words that a person reads, since VS Code shows them
 * after a key binding. A question that was dismissed becomes such an error too.
 */
export function asRejection(error: unknown): unknown {
  if (error instanceof vscode.CancellationError) {
    return refuse('stopped', vscode.l10n.t('A question was dismissed, so nothing was sent.'));
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
  return error instanceof Error && 'actions' in error;
}
