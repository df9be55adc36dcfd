import { pathOfUri } from '../../common/disk/fileUris.ts';
import type { ErrorRecord } from '../../common/limnerError.ts';
import type { Task } from '../../tasks/task.ts';

/** Formats a task's state in a few words: `in progress, 43%`. */
export function formatProgress(task: Task, now: number): string {
  const { status, retryAt, results, request, progress, held } = task;
  const wait = formatWait(task);
  if (held) {
    return wait;
  }
  if (retryAt !== undefined) {
    return `${wait}, next try in ${Math.max(0, Math.ceil((retryAt - now) / 1000))} s`;
  }
  switch (status) {
    case 'queued':
    case 'in_progress':
      return progress === undefined ? wait : `${wait}, ${progress}%`;
    case 'saving': {
      const saved = results.filter(({ state }) => state === 'saved').length;
      return request.n > 1 ? `${wait}, ${saved} of ${results.length}` : wait;
    }
    default:
      return wait;
  }
}

/** Formats what a task waits for, without what changes all the time: `in progress`. */
export function formatWait(task: Task): string {
  const { status, held, retryAt, remoteStatus } = task;
  if (held) {
    return 'not sent';
  }
  if (retryAt !== undefined) {
    return reasonToWait(task);
  }
  switch (status) {
    case 'submitting':
      return 'sending';
    case 'queued':
    case 'in_progress':
      return (remoteStatus ?? status).replaceAll('_', ' ');
    case 'needs_key':
      return 'waiting for an API key';
    default:
      return status;
  }
}

function reasonToWait({ status, error, results }: Task): string {
  const missing = results.find((result) => result.state === 'remote' && result.error);
  if (status === 'saving' && missing?.error) {
    return missing.error.message.replace(/\.$/u, '');
  }
  switch (error?.code) {
    case 'queue_full':
    case 'rate_limited':
      return 'service busy';
    case 'network':
    case 'timeout':
      return 'service unreachable';
    case 'task_not_found':
      return 'unknown to the service';
    case 'empty_result':
      return 'completed without an image';
    default:
      return 'service error';
  }
}

/**
 * Says what happened, what it may have cost and what to do next, in one sentence each.
 *
 * @param way how the image can still be fetched, if it can
 */
export function formatError(error: ErrorRecord, way?: string): string {
  const { message, billing } = error;
  return [
    message,
    ...(billing ? [costs[billing]] : []),
    ...(way === undefined ? nextSteps(error) : [way]),
  ].join(' ');
}

function nextSteps({ code, billing, sent }: ErrorRecord): string[] {
  if (code === 'outcome_unknown') {
    return ['Check your account at the service before you run it again. Running it again is billed again.'];
  }
  const isUnanswered = (code === 'network' || code === 'timeout') && sent !== false;
  const step = isUnanswered ? undefined : steps[code];
  const isPaid = billing === 'maybe' || billing === 'yes';
  return [...(step === undefined ? [] : [step]), ...(isPaid ? ['Running it again is billed again.'] : [])];
}

export function savedPaths(task: Task): string[] {
  return task.results.flatMap(({ state, uri }) =>
    state === 'saved' && uri !== undefined ? [pathOf(uri)] : [],
  );
}

/** Returns the path of a file URI; others, and those that are none on this system, stay as they are. */
export function pathOf(uri: string): string {
  try {
    return pathOfUri(uri);
  } catch {
    return uri;
  }
}

const costs = {
  no: 'Not billed.',
  refunded: 'Refunded.',
  maybe: 'May have been billed.',
  yes: 'Billed.',
};

const steps: Partial<Record<ErrorRecord['code'], string>> = {
  no_key: 'Set LIMNER_API_KEY to the API key of this service.',
  no_service:
    'Set LIMNER_BASE_URL to a URL that starts with https://, or run "limner service" and use its baseUrl.',
  unauthorized: 'Check LIMNER_API_KEY.',
  no_async_channel: 'Try --call-style sync.',
  queue_full: 'Try again later.',
  rate_limited: 'Try again later.',
  over_budget: 'Raise LIMNER_BUDGET, or use --over-budget to send it anyway.',
  quota_exceeded: 'Top up your account at the service.',
  content_rejected: 'Change the prompt.',
  network: 'Check your network connection and LIMNER_BASE_URL.',
  timeout: 'Check your network connection and LIMNER_BASE_URL.',
};
