import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  isLimnerError,
  LimnerError,
  type ErrorCode,
  type ErrorRecord,
  messageOf,
} from '../../common/limnerError.ts';
import { told } from '../../engine/messages/told.ts';
import type { Task } from '../../engine/task/task.ts';
import { commandAction, type ErrorAction, type Failure } from '../window/offers.ts';
import { describeError, showFailure, showTaskFailure } from '../window/errorText.ts';
import * as commands from '../window/commandIds.ts';
import { plainText, taskName } from '../window/plainText.ts';

/** Reason for which Limner itself didn't send a request; its message is shown as is. */
export interface Refusal extends LimnerError {
  readonly actions: readonly ErrorAction[];
}

export function refuse(code: ErrorCode, message: string, actions: readonly ErrorAction[] = []): Refusal {
  return Object.assign(new LimnerError(code, message, { billing: 'no', sent: false }), { actions });
}

/** Reason for which a task ended without a file. The task says what is kept and how to continue. */
interface TaskFailure extends LimnerError {
  readonly task: Task;
}

export function failTask(task: Task, error: ErrorRecord): TaskFailure {
  return Object.assign(new LimnerError(error.code, error.message, error), { task });
}

/**
 * Describes a failure, and logs unexpected ones. Returns undefined for a dismissed question and a task that the user
 * stopped, which aren't failures.
 */
export function describeFailure(
  log: Pick<vscode.LogOutputChannel, 'error'>,
  error: unknown,
): Failure | undefined {
  if (error instanceof vscode.CancellationError) {
    return undefined;
  }
  if (isRefusal(error)) {
    return { message: plainText(told(error.message)), actions: error.actions };
  }
  if (!isLimnerError(error)) {
    log.error(error instanceof Error ? error : String(error));
    const words = plainText(messageOf(error));
    return {
      message: l10n.t('Limner ran into an error: {0}', words),
      actions: [commandAction(l10n.t('Show Log'), commands.showLog)],
    };
  }
  return error.code === 'stopped' ? undefined : describeError(error.toRecord(), taskOf(error));
}

export async function reportFailure(
  log: vscode.LogOutputChannel,
  error: unknown,
  { failed, started } = { failed: 1, started: 1 },
): Promise<void> {
  const failure = describeFailure(log, error);
  const task = isLimnerError(error) ? taskOf(error) : undefined;
  if (failure && isLimnerError(error) && task) {
    const record = error.toRecord();
    await showTaskFailure(
      record,
      task,
      failed === 1
        ? undefined
        : {
            message: l10n.t(
              '"{0}", {1} of {2} images: {3}',
              taskName(task),
              failed,
              started,
              failure.message,
            ),
            // The others concern one task alone.
            actions: describeError(record).actions,
          },
    );
  } else if (failure) {
    await showFailure(failure);
  }
}

/** Reports failures of tasks that were started together: each reason once. @param started number of these tasks */
export async function reportFailures(
  log: vscode.LogOutputChannel,
  errors: readonly unknown[],
  started: number,
): Promise<void> {
  const reasons = Map.groupBy(errors, (error) => {
    const task = isLimnerError(error) ? taskOf(error) : undefined;
    return isLimnerError(error) && task ? describeError(error.toRecord(), task).message : error;
  });
  await Promise.all(
    [...reasons.values()].map(async (alike) =>
      reportFailure(log, alike[0], { failed: alike.length, started }),
    ),
  );
}

/** Runs an action, and shows known failures. */
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
 * Returns an error for callers: with a code, and in the user's words, since VS Code shows them after a key binding. A
 * dismissed question becomes such an error too.
 */
export function asRejection(error: unknown): unknown {
  if (error instanceof vscode.CancellationError) {
    return refuse('stopped', l10n.t('Canceled. Nothing was sent.'));
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
