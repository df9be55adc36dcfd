import * as vscode from 'vscode';
import type { ErrorCode, ErrorRecord } from '../../common/limnerError.ts';
import { ellipsize } from '../../common/text.ts';
import type { Task } from '../../engine/task/task.ts';
import { oneLine, plainText } from './plainText.ts';
import { describeError, type Failure, showFailure } from './errorText.ts';

const nameLength = 40;

/** Errors that affect all tasks of a service alike. */
const commonCodes: ReadonlySet<ErrorCode> = new Set([
  'no_key',
  'unauthorized',
  'quota_exceeded',
  'rate_limited',
  'queue_full',
  'network',
]);

/** Open messages about such errors, and when they were shown, in Unix milliseconds. */
const open = new Map<string, number>();

/** Names a task in messages by the beginning of its prompt. */
export function taskName({ request }: Task): string {
  return plainText(ellipsize(oneLine(request.prompt), nameLength));
}

export function describeTaskFailure(error: ErrorRecord, task: Task): Failure {
  const { message, actions } = describeError(error, task);
  return { message: vscode.l10n.t('"{0}": {1}', taskName(task), message), actions };
}

/**
 * Shows why a task failed. Older tasks with the same common error show no further message while one is open.
 */
export async function showTaskFailure(
  error: ErrorRecord,
  task: Task,
  failure = describeTaskFailure(error, task),
): Promise<void> {
  if (!commonCodes.has(error.code)) {
    await showFailure(failure);
    return;
  }
  const cause = [task.origin, task.status, error.code, error.billing].join(' ');
  const since = open.get(cause);
  if (since !== undefined && task.createdAt <= since) {
    return;
  }
  const now = Date.now();
  open.set(cause, now);
  try {
    await showFailure(failure);
  } finally {
    if (open.get(cause) === now) {
      open.delete(cause);
    }
  }
}
