import * as vscode from 'vscode';
import type { ErrorCode, ErrorRecord } from '../../common/limnerError.ts';
import { ellipsize } from '../../common/text.ts';
import type { Task } from '../../tasks/task.ts';
import { oneLine, plainText } from '../window/plainText.ts';
import { describeError, type Failure, showFailure } from './errorText.ts';

/** Most characters of a prompt in a message. */
const nameLength = 40;

/** What befalls all tasks of a service alike. */
const commonCodes: ReadonlySet<ErrorCode> = new Set([
  'no_key',
  'unauthorized',
  'quota_exceeded',
  'rate_limited',
  'queue_full',
  'network',
]);

/** Messages about such a cause that are still open, and since when, in Unix milliseconds. */
const open = new Map<string, number>();

/** Returns the beginning of a task's prompt, by which messages name it. */
export function taskName({ request }: Task): string {
  return plainText(ellipsize(oneLine(request.prompt), nameLength));
}

/** Describes why a task failed, named by its prompt. */
export function describeTaskFailure(error: ErrorRecord, task: Task): Failure {
  const { message, actions } = describeError(error, task);
  return { message: vscode.l10n.t('"{0}": {1}', taskName(task), message), actions };
}

/**
 * Shows why a task failed, named by its prompt. Tasks that were already there when a message about the same cause was
 * shown add none while it is open.
 */
export async function showTaskFailure(error: ErrorRecord, task: Task): Promise<void> {
  const failure = describeTaskFailure(error, task);
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
