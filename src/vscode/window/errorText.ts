import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sentencesText } from '../../common/text.ts';
import type { ErrorCode, ErrorRecord } from '../../common/limnerError.ts';
import type { Task, TaskResult } from '../../engine/task/task.ts';
import { clockTime } from '../../common/days.ts';
import { retention, standingOf } from '../../common/taskStatus.ts';
import { isBilledAgain, nextStepOf } from '../../engine/operations/nextStep.ts';
import {
  billedAgain,
  checkAccount,
  isFree,
  ofImage,
  whatHappened,
  whatIsKept,
  whatItCost,
} from '../../engine/messages/failureText.ts';
import { commandAction, type ErrorAction, type Failure, offer } from './offers.ts';
import * as commands from './commandIds.ts';
import { plainText, taskName } from './plainText.ts';
import { availableActions, type TaskAction } from '../../engine/operations/availableActions.ts';

export async function showFailure({ message, actions }: Failure): Promise<void> {
  await offer(vscode.window.showErrorMessage, message, ...actions);
}

/**
 * Describes an error. For a task, also says what is kept of it, with buttons to continue.
 *
 * @param isFetched whether the task is fetched next, so that running it again is not the question
 */
export function describeError(error: ErrorRecord, task?: Task, isFetched = false): Failure {
  const sentences = [
    whatHappened(error, task, plainText),
    whatItCost(error, task),
    ...(task
      ? [
          whatIsKept(task, plainText),
          whatNext(error, task),
          !isFetched && isBilledAgain(error, task) ? billedAgain() : '',
        ]
      : []),
  ];
  return {
    message: sentencesText(sentences.filter((sentence) => sentence !== '')),
    actions: errorActions(error, task),
  };
}

export function describeImageError(error: ErrorRecord, task: Task, result: TaskResult): Failure {
  return describeError(error, ofImage(task, result));
}

function whatNext(error: ErrorRecord, task: Task): string {
  if (task.status === 'needs_key') {
    return l10n.t('The task continues at the service. Limner resumes it once its API key is set.');
  }
  if (standingOf(task) !== 'ended') {
    return task.retryAt === undefined ? '' : whenRetried(task.retryAt);
  }
  switch (nextStepOf(error, task)) {
    case 'saveAgain':
      return l10n.t('Select "Save Again" to save them at no extra cost.');
    case 'fetchAgain':
      return l10n.t('Select "Fetch Again" to try once more at no extra cost.');
    case 'allowHost':
      return l10n.t('Allow the host if you trust it. Fetching costs nothing.');
    case 'resume':
      return l10n.t(
        'Select "Resume" to ask the service for the image at no extra cost; the service keeps images for 6 hours.',
      );
    case 'checkAccount':
      return isFree(task) ? '' : checkAccount();
    default:
      return isPastRetention(task) ? l10n.t('The service keeps images for 6 hours.') : '';
  }
}

function whenRetried(retryAt: number, now = Date.now()): string {
  return retryAt > now
    ? l10n.t('Limner retries automatically at {0}.', clockTime(retryAt, vscode.env.language, '2-digit'))
    : l10n.t('Limner retries automatically.');
}

function isPastRetention({
  createdAt,
  submittedAt = createdAt,
  completedAt,
  finishedAt = createdAt,
}: Task): boolean {
  return finishedAt - (completedAt ?? submittedAt) >= retention;
}

/** Returns the buttons, free actions first. Nothing billed is beside them, since the row offers that. */
function errorActions(error: ErrorRecord, task: Task | undefined): ErrorAction[] {
  const actions = task ? availableActions(task) : [];
  const offer = (action: TaskAction, title: string, command: string): ErrorAction[] =>
    task && actions.includes(action) ? [commandAction(title, command, task.id)] : [];
  const showLog = commandAction(l10n.t('Show Log'), commands.showLog);
  const setKey = commandAction(l10n.t('Set API Key…'), commands.setApiKey, ...(task ? [task.id] : []));
  if (task?.status === 'needs_key') {
    return [setKey];
  }
  const free = task && freeAction(error, task);
  switch (error.code) {
    case 'no_service':
      return [
        commandAction(l10n.t('Connect to a Service…'), commands.connect),
        commandAction(l10n.t('Use Demo Service'), commands.useDemoService),
      ];
    case 'no_key':
    case 'unauthorized':
      return [...(free ? [free] : []), setKey];
    case 'content_rejected':
      return [
        ...(free ? [free] : []),
        ...offer('runAgain', l10n.t('Edit the Prompt…'), commands.taskRunWithChanges),
        showLog,
      ];
    case 'over_budget':
      return [setBudget()];
    case 'no_async_channel':
      return [
        ...offer('runSynchronously', l10n.t('Run Synchronously'), commands.taskRunSynchronously),
        showLog,
      ];
    default:
      return [
        ...(free ? [free] : offer('runAgain', runAgainTitle(error, task), commands.taskRunAgain)),
        showLog,
      ];
  }
}

/** Returns the button that gets the images at no extra cost. */
export function freeAction(error: ErrorRecord, task: Task): ErrorAction | undefined {
  switch (nextStepOf(error, task)) {
    case 'saveAgain':
      return commandAction(l10n.t('Save Again…'), commands.taskSaveAgain, task.id);
    case 'fetchAgain':
      return commandAction(l10n.t('Fetch Again'), commands.taskFetchAgain, task.id);
    case 'allowHost':
      return commandAction(l10n.t('Allow This Host and Fetch'), commands.taskFetchAgain, task.id);
    case 'resume':
      return commandAction(l10n.t('Resume'), commands.taskResume, task.id);
    default:
      return undefined;
  }
}

export function setBudget(): ErrorAction {
  return commandAction(l10n.t('Set Budget…'), commands.setBudget);
}

function runAgainTitle(error: ErrorRecord, task: Task | undefined): string {
  return isBilledAgain(error, task) ? l10n.t('Run Again (Billed Again)') : l10n.t('Run Again');
}

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

export function describeTaskFailure(error: ErrorRecord, task: Task): Failure {
  const { message, actions } = describeError(error, task);
  return { message: l10n.t('"{0}": {1}', taskName(task), message), actions };
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
