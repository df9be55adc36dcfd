import * as vscode from 'vscode';
import type { ErrorRecord } from '../service/limnerError.ts';
import { commands } from './names.ts';
import { plainText } from './plainText.ts';

/** A button under a message: what it says and which command it runs. */
export interface Remedy {
  title: string;
  command: string;
  arguments?: unknown[];
}

/** An error as a person reads it: what happened, what it may have cost, what to do next. */
export interface ErrorText {
  message: string;
  remedies: Remedy[];
}

/** Turns an error into words; `taskId` makes the buttons that continue that task possible. */
export function describeError(error: ErrorRecord, taskId?: string): ErrorText {
  const sentences = [whatHappened(error), whatItCost(error)].filter((sentence) => sentence !== '');
  return { message: sentences.join(' '), remedies: remediesFor(error, taskId) };
}

/** Shows the error with its buttons and runs the one that is pressed. */
export async function showError(error: ErrorRecord, taskId?: string): Promise<void> {
  const { message, remedies } = describeError(error, taskId);
  const chosen = await vscode.window.showErrorMessage(message, ...remedies.map((remedy) => remedy.title));
  const remedy = remedies.find(({ title }) => title === chosen);
  if (remedy) {
    await vscode.commands.executeCommand(remedy.command, ...(remedy.arguments ?? []));
  }
}

function whatHappened(error: ErrorRecord): string {
  const words = plainText(error.service?.message ?? error.message);
  switch (error.code) {
    case 'no_service':
      return words === ''
        ? vscode.l10n.t('No image service is set.')
        : vscode.l10n.t('The address of the service cannot be used: {0}', words);
    case 'no_key':
      return vscode.l10n.t('There is no API key for this service.');
    case 'unauthorized':
      return vscode.l10n.t('The service does not accept the API key: {0}', words);
    case 'invalid_request':
      return vscode.l10n.t('The service refused the request: {0}', words);
    case 'no_async_channel':
      return vscode.l10n.t('The service cannot run this model asynchronously: {0}', words);
    case 'queue_full':
      return vscode.l10n.t('The queue of the service is full: {0}', words);
    case 'rate_limited':
      return vscode.l10n.t('The service asks for fewer requests: {0}', words);
    case 'quota_exceeded':
      return vscode.l10n.t('The quota of this account is used up: {0}', words);
    case 'content_rejected':
      return vscode.l10n.t('The service rejected the content: {0}', words);
    case 'task_not_found':
      return vscode.l10n.t('The service does not know this task any more: {0}', words);
    case 'task_query_failed':
      return vscode.l10n.t('The service could not look up the task: {0}', words);
    case 'image_generation_failed':
      return vscode.l10n.t('The service could not make the image: {0}', words);
    case 'result_expired':
      return vscode.l10n.t('The service keeps images for 6 hours only, and this one is gone.');
    case 'result_refused':
      return vscode.l10n.t('The image was not fetched, to be safe: {0}', words);
    case 'result_too_large':
      return vscode.l10n.t('The image is larger than allowed: {0}', words);
    case 'unsupported_image':
      return words;
    case 'empty_result':
      return vscode.l10n.t('The service answered without an image.');
    case 'outcome_unknown':
      return vscode.l10n.t('The connection broke before the service answered: {0}', words);
    case 'timeout':
      return vscode.l10n.t('The service took too long: {0}', words);
    case 'network':
      return error.phase === 'download'
        ? vscode.l10n.t('The image could not be fetched: {0}', words)
        : vscode.l10n.t('The service could not be reached: {0}', words);
    case 'protocol':
      return vscode.l10n.t('The service gave an answer that Limner does not understand: {0}', words);
    case 'save_failed':
      return vscode.l10n.t('The image could not be saved: {0}', words);
    case 'stopped':
      return vscode.l10n.t('Limner stopped watching this task.');
  }
}

function whatItCost(error: ErrorRecord): string {
  if (error.code === 'no_service' || error.code === 'no_key') {
    return '';
  }
  switch (error.billing) {
    case 'no':
      return vscode.l10n.t('Nothing was billed.');
    case 'refunded':
      return vscode.l10n.t('What was reserved for it is refunded.');
    case 'maybe':
      return vscode.l10n.t('It may have been billed.');
    case 'yes':
      return vscode.l10n.t('It was billed; what arrived is kept.');
    default:
      return '';
  }
}

function remediesFor(error: ErrorRecord, taskId: string | undefined): Remedy[] {
  const setKey = { title: vscode.l10n.t('Set API Key…'), command: commands.setApiKey };
  const useDemo = { title: vscode.l10n.t('Use Demo Service'), command: commands.useDemoService };
  const showLog = { title: vscode.l10n.t('Show Log'), command: commands.showLog };
  const again =
    taskId === undefined
      ? []
      : [{ title: vscode.l10n.t('Run Again'), command: commands.runTaskAgain, arguments: [taskId] }];
  const save = (title: string): Remedy[] =>
    taskId === undefined ? [] : [{ title, command: commands.saveTaskAgain, arguments: [taskId] }];
  switch (error.code) {
    case 'no_service':
      return [{ title: vscode.l10n.t('Connect to a Service…'), command: commands.connect }, useDemo];
    case 'no_key':
    case 'unauthorized':
      return [setKey];
    case 'save_failed':
      return [...save(vscode.l10n.t('Save Again…')), showLog];
    case 'result_refused':
      return error.refusedHost === undefined
        ? [showLog]
        : [...save(vscode.l10n.t('Allow This Host and Fetch')), showLog];
    case 'no_async_channel':
      return taskId === undefined
        ? [showLog]
        : [
            {
              title: vscode.l10n.t('Run Synchronously'),
              command: commands.runTaskSynchronously,
              arguments: [taskId],
            },
            showLog,
          ];
    case 'stopped':
      return [];
    default:
      return [...again, showLog];
  }
}
