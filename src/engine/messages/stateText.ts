import * as l10n from '@vscode/l10n';
import type { ErrorRecord } from '../../common/limnerError.ts';
import { wantsKey } from '../../common/taskStatus.ts';
import { printable } from '../../common/text.ts';
import type { Task } from '../task/task.ts';
import { firstTold } from './told.ts';

/** Says in a few words where a task stands: `in progress`. */
export function statusText(task: Task): string {
  const { status, remoteStatus, held } = task;
  switch (status) {
    case 'waiting':
      return held ? l10n.t('not sent') : l10n.t('waiting');
    case 'submitting':
      return l10n.t('sending');
    case 'queued':
    case 'in_progress':
      if (remoteStatus !== undefined && remoteStatus !== status) {
        return remoteText(remoteStatus);
      }
      return status === 'queued' ? l10n.t('queued') : l10n.t('in progress');
    case 'needs_key':
      return l10n.t('waiting for an API key');
    case 'saving':
      return l10n.t('saving');
    case 'completed':
      return isInInbox(task) ? l10n.t('kept in the inbox') : l10n.t('completed');
    case 'failed':
      return l10n.t('failed');
    case 'unknown':
      return l10n.t('outcome unknown');
    case 'stopped':
      return l10n.t('stopped');
    case 'expired':
      return l10n.t('expired');
  }
}

/** Says what the service calls the state of a task: its usual words in the user's language, others as they are. */
function remoteText(word: string): string {
  switch (word.toLowerCase()) {
    case 'pending':
    case 'queued':
      return l10n.t('queued');
    case 'running':
    case 'processing':
    case 'in_progress':
      return l10n.t('in progress');
    case 'completed':
    case 'succeeded':
    case 'success':
      return l10n.t('completed');
    default:
      return printable(word.replaceAll('_', ' '));
  }
}

/** Whether all images of a task wait for an unreachable folder. */
export function isInInbox({ status, results }: Pick<Task, 'status' | 'results'>): boolean {
  return (
    status === 'completed' &&
    results.some(({ state }) => state === 'staged') &&
    !results.some(({ state }) => state === 'saved')
  );
}

/** Says in a few words why a running task waits for another try; undefined if it doesn't. */
export function waitReason({ status, error, retryAt, results }: Task): string | undefined {
  if (retryAt === undefined) {
    return undefined;
  }
  const missing = results.find(({ state, error }) => state === 'remote' && error)?.error;
  const lasting = [error, missing].find((one) => one?.lasting);
  if (lasting) {
    return printable(firstTold(lasting.message));
  }
  if (status === 'saving') {
    return results.some(wantsKey)
      ? l10n.t('the image host refuses access, and results are fetched without the API key')
      : l10n.t('image not available yet');
  }
  switch (error?.code) {
    case 'queue_full':
    case 'rate_limited':
      return l10n.t('service is busy');
    case 'network':
    case 'timeout':
      return error.sent === false
        ? l10n.t("can't reach the service")
        : l10n.t('no response from the service');
    case 'empty_result':
      return l10n.t('completed without an image');
    default:
      return (error && reasonText(error)) ?? l10n.t('service error');
  }
}

/** Says in a few words why a task failed; undefined if only the error itself can say that. */
export function reasonText({ code, sent, status, service }: ErrorRecord): string | undefined {
  switch (code) {
    case 'no_key':
      return l10n.t('no API key');
    case 'unauthorized':
      return l10n.t('API key rejected');
    case 'invalid_request':
      // A rejection by the service has a status or the service's words.
      return status === undefined && !service
        ? l10n.t('input file changed or missing')
        : l10n.t('request rejected');
    case 'no_async_channel':
      return l10n.t('asynchronous calls not supported');
    case 'queue_full':
      return l10n.t('queue full');
    case 'rate_limited':
      return l10n.t('too many requests');
    case 'quota_exceeded':
      return l10n.t('quota used up');
    case 'content_rejected':
      return l10n.t('content rejected');
    case 'task_not_found':
      return l10n.t('unknown to the service');
    case 'image_generation_failed':
      return l10n.t('not created');
    case 'result_refused':
      return l10n.t('host not allowed');
    case 'result_too_large':
      return l10n.t('image too large');
    case 'unsupported_image':
      return l10n.t('not a supported image');
    case 'empty_result':
      return l10n.t('no image received');
    case 'timeout':
      return l10n.t('timed out');
    case 'network':
      return sent === false ? l10n.t("can't reach the service") : l10n.t('connection lost');
    case 'save_failed':
      return l10n.t("couldn't be saved");
    default:
      return undefined;
  }
}
