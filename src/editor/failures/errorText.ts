// Room: an error in words, with its buttons.
// Never: wire formats.

import * as vscode from 'vscode';
import { clockTime } from '../../common/days.ts';
import { asSentence } from '../../common/text.ts';
import { hasImage, retention, unsupportedData, urlToOpen } from '../../common/resultAvailability.ts';
import type { ErrorRecord } from '../../common/limnerError.ts';
import type { Task, TaskResult } from '../../tasks/task.ts';
import * as commands from '../commandIds.ts';
import { settingNames } from '../names.ts';
import { plainText } from '../window/plainText.ts';
import { availableActions, type TaskAction } from '../availableActions.ts';
import { billingText, isFree } from './billing.ts';
import { standingOf } from '../../common/taskStatus.ts';

/** A button under a message. */
export interface ErrorAction {
  title: string;
  /** The command that it runs; absent for other actions. */
  command?: string;
  run(): Thenable<unknown>;
}

/** A failure as a person reads it: what happened, what it may have cost, what to do next. */
export interface Failure {
  message: string;
  actions: readonly ErrorAction[];
}

export function commandAction(title: string, command: string, ...passed: readonly unknown[]): ErrorAction {
  return { title, command, run: () => vscode.commands.executeCommand(command, ...passed) };
}

/** Shows a failure with its buttons and runs the one that is pressed. */
export async function showFailure({ message, actions }: Failure): Promise<void> {
  await offer(vscode.window.showErrorMessage, message, ...actions);
}

/** Shows a message with buttons and runs the one that is pressed. */
export async function offer(
  show: (message: string, ...titles: string[]) => Thenable<string | undefined>,
  message: string,
  ...actions: readonly ErrorAction[]
): Promise<void> {
  const chosen = await show(message, ...actions.map(({ title }) => title));
  await actions.find(({ title }) => title === chosen)?.run();
}

/** Describes an error; of a task, also what is kept of it, with the buttons that continue it. */
export function describeError(error: ErrorRecord, task?: Task): Failure {
  const sentences = [
    whatHappened(error, task),
    whatItCost(error, task),
    ...(task ? [whatIsKept(task), whatNext(error, task), whatAgain(error, task)] : []),
  ];
  return {
    message: sentences.filter((sentence) => sentence !== '').join(' '),
    actions: errorActions(error, task),
  };
}

/** Describes the error of one image. */
export function describeImageError(error: ErrorRecord, task: Task, result: TaskResult): Failure {
  return describeError(error, { ...task, results: [result] });
}

/** Says what the service reported, with its status; where it said nothing, what Limner noticed. */
function whatHappened(error: ErrorRecord, task: Task | undefined): string {
  const { code, message, service, status } = error;
  if (code === 'stopped') {
    return whatStopped(error, task);
  }
  const head = headOf(error);
  if (head === undefined) {
    return asSentence(plainText(message));
  }
  const words = plainText(service ? (service.message ?? service.code ?? service.type ?? '') : message);
  const start = service && status !== undefined ? `${head} (HTTP ${status})` : head;
  return asSentence(words === '' ? start : `${start}: ${words}`);
}

/** Says in a few words what went wrong; undefined where the message says it as well. */
function headOf({ code, phase, billing, message, sent, service, status }: ErrorRecord): string | undefined {
  if (code === 'result_expired' || (phase === 'download' && code !== 'result_refused')) {
    return vscode.l10n.t("Couldn't fetch the image");
  }
  switch (code) {
    case 'no_service':
      return message === '' ? vscode.l10n.t('No image service is configured') : undefined;
    case 'unauthorized':
      return vscode.l10n.t('The service rejected the API key');
    case 'invalid_request':
      return service && vscode.l10n.t('The service rejected the request');
    case 'no_async_channel':
      return vscode.l10n.t("The service can't run this model asynchronously");
    case 'queue_full':
      return vscode.l10n.t("The service's queue is full");
    case 'rate_limited':
      return vscode.l10n.t('The service reports too many requests');
    case 'quota_exceeded':
      return vscode.l10n.t('Your quota or balance at the service is used up');
    case 'content_rejected':
      return vscode.l10n.t('The service rejected the content');
    case 'task_not_found':
      return vscode.l10n.t("The service doesn't recognize this task with the current API key");
    case 'task_query_failed':
      return vscode.l10n.t("The service couldn't look up the task");
    case 'image_generation_failed':
      return vscode.l10n.t("The service couldn't create the image");
    case 'outcome_unknown':
      return service && vscode.l10n.t("The response doesn't say what happened to the request");
    case 'network':
      return sent === false ? vscode.l10n.t("Couldn't reach the service") : undefined;
    case 'protocol':
      return status !== undefined
        ? vscode.l10n.t(
            'The service responded with a redirect; the URL it points to may be the correct service URL',
          )
        : vscode.l10n.t("Limner couldn't interpret the response");
    case 'save_failed':
      return billing === 'no' ? undefined : vscode.l10n.t("Couldn't save the image");
    default:
      return undefined;
  }
}

function whatStopped({ billing }: ErrorRecord, task: Task | undefined): string {
  if (billing === 'no') {
    return vscode.l10n.t('The task was stopped before it was sent.');
  }
  return task?.remoteId === undefined
    ? vscode.l10n.t(
        'Limner stopped waiting for the response, which can no longer be fetched. The service may still finish the call.',
      )
    : vscode.l10n.t(
        "Limner stopped watching this task. The service can't cancel it and may still finish it.",
      );
}

function whatItCost({ code, phase, billing }: ErrorRecord, task: Task | undefined): string {
  if (task && isFree(task)) {
    // Nobody asks what a request costs that was never sent or was rejected.
    return billing === 'no' || billing === 'refunded' ? '' : asSentence(billingText('yes', task));
  }
  if (task?.status === 'needs_key' || (code === 'stopped' && billing === 'maybe')) {
    return vscode.l10n.t('It may still be billed.');
  }
  const isPartOfAnswer = phase !== 'download' && phase !== 'save';
  const images = task?.results.filter(({ state }) => state === 'saved' || state === 'staged').length ?? 0;
  if (isPartOfAnswer && task && images > 0 && images < task.request.n) {
    return billing === 'no'
      ? vscode.l10n.t('The missing images were not billed.')
      : vscode.l10n.t('The missing images may have been billed.');
  }
  return billing === undefined ? '' : asSentence(billingText(billing, task));
}

/** Says what is kept of images that are not files yet. */
function whatIsKept({ results, keptResponse }: Task): string {
  if (results.some(hasBytes)) {
    return vscode.l10n.t('The image data is kept.');
  }
  if (keptResponse !== undefined) {
    return vscode.l10n.t('The response is kept in {0}.', plainText(keptResponse));
  }
  const [other] = results.flatMap((result) => unsupportedData(result) ?? []);
  if (other !== undefined) {
    return vscode.l10n.t('The received data is kept in {0}.', plainText(other));
  }
  const [url] = results.flatMap((result) => urlToOpen(result) ?? []);
  // Whole: a signature is part of it.
  return url === undefined ? '' : vscode.l10n.t('The image is at {0} for 6 hours.', plainText(url, Infinity));
}

/** Whether an image is on disk, but not saved yet. */
function hasBytes(result: TaskResult): boolean {
  return result.state !== 'saved' && hasImage(result);
}

/** Says how to continue. */
function whatNext(error: ErrorRecord, task: Task): string {
  const { status, retryAt } = task;
  if (status === 'needs_key') {
    return vscode.l10n.t('The task continues at the service. Limner resumes it once its API key is set.');
  }
  if (standingOf(task) !== 'ended') {
    return retryAt === undefined ? '' : whenRetried(retryAt);
  }
  const actions = availableActions(task);
  if (actions.includes('saveAgain')) {
    return vscode.l10n.t('Select "Save Again" to save them at no extra cost.');
  }
  if (actions.includes('fetchAgain')) {
    return error.refusedHost === undefined
      ? vscode.l10n.t('Select "Fetch Again" to try once more at no extra cost.')
      : vscode.l10n.t('If you trust the host, allow it. The image is then fetched at no extra cost.');
  }
  if (actions.includes('resume')) {
    return vscode.l10n.t(
      'Select "Resume" to ask the service for the image at no extra cost; the service keeps images for 6 hours.',
    );
  }
  if (status === 'unknown' && !isFree(task)) {
    return vscode.l10n.t('Check your account at the service before you run it again.');
  }
  return isPastRetention(task) ? vscode.l10n.t('The service keeps images for 6 hours.') : '';
}

function whenRetried(retryAt: number, now = Date.now()): string {
  return retryAt > now
    ? vscode.l10n.t(
        'Limner retries automatically at {0}.',
        clockTime(retryAt, vscode.env.language, '2-digit'),
      )
    : vscode.l10n.t('Limner retries automatically.');
}

function isPastRetention({
  createdAt,
  submittedAt = createdAt,
  completedAt,
  finishedAt = createdAt,
}: Task): boolean {
  return finishedAt - (completedAt ?? submittedAt) >= retention;
}

/** Warns that another run is billed where this one was, or may have been. */
function whatAgain({ billing }: ErrorRecord, task: Task): string {
  const isPaid = billing === 'maybe' || billing === 'yes';
  const isOver = availableActions(task).includes('runAgain');
  return isPaid && isOver && !isFree(task) ? vscode.l10n.t('"Run Again" is billed again.') : '';
}

/** Returns the buttons: what is free comes first, and nothing billed beside it, since the row offers that, too. */
function errorActions(error: ErrorRecord, task: Task | undefined): ErrorAction[] {
  const actions = task ? availableActions(task) : [];
  const offer = (action: TaskAction, title: string, command: string): ErrorAction[] =>
    task && actions.includes(action) ? [commandAction(title, command, task.id)] : [];
  const showLog = commandAction(vscode.l10n.t('Show Log'), commands.showLog);
  const setKey = commandAction(vscode.l10n.t('Set API Key…'), commands.setApiKey, ...(task ? [task.id] : []));
  if (task?.status === 'needs_key') {
    return [setKey];
  }
  const fetch =
    error.refusedHost === undefined
      ? vscode.l10n.t('Fetch Again')
      : vscode.l10n.t('Allow This Host and Fetch');
  const [free] = [
    ...offer('saveAgain', vscode.l10n.t('Save Again…'), commands.saveTaskAgain),
    ...offer('fetchAgain', fetch, commands.fetchTaskAgain),
    ...offer('resume', vscode.l10n.t('Resume'), commands.resumeTask),
  ];
  switch (error.code) {
    case 'no_service':
      return [
        commandAction(vscode.l10n.t('Connect to a Service…'), commands.connect),
        commandAction(vscode.l10n.t('Use Demo Service'), commands.useDemoService),
      ];
    case 'no_key':
    case 'unauthorized':
      return [...(free ? [free] : []), setKey];
    case 'content_rejected':
      return [
        ...(free ? [free] : []),
        ...offer('runAgain', vscode.l10n.t('Edit the Prompt…'), commands.runTaskWithChanges),
        showLog,
      ];
    case 'over_budget':
      return [openBudget()];
    case 'no_async_channel':
      return [
        ...offer('runSynchronously', vscode.l10n.t('Run Synchronously'), commands.runTaskSynchronously),
        showLog,
      ];
    default:
      return [
        ...(free ? [free] : offer('runAgain', runAgainTitle(error, task), commands.runTaskAgain)),
        showLog,
      ];
  }
}

/** Leads to the budget. */
export function openBudget(): ErrorAction {
  return commandAction(vscode.l10n.t('Open Settings'), 'workbench.action.openSettings', settingNames.budget);
}

function runAgainTitle({ billing }: ErrorRecord, task: Task | undefined): string {
  const paysTwice = (billing === 'maybe' || billing === 'yes') && task && !isFree(task);
  return paysTwice ? vscode.l10n.t('Run Again (Billed Again)') : vscode.l10n.t('Run Again');
}
