import * as l10n from '@vscode/l10n';
import type { Billing, ErrorRecord } from '../../common/limnerError.ts';
import { hasImage, unsupportedData, urlToOpen } from '../../common/taskStatus.ts';
import { asSentence, sentencesText } from '../../common/text.ts';
import type { Task, TaskResult } from '../task/task.ts';
import { told } from './told.ts';

/** Makes foreign text safe for display. @param longest most characters to keep */
export type Plain = (text: string, longest?: number) => string;

const asItIs: Plain = (text) => text;

export function isFree({ request }: Task): boolean {
  return request.free === true;
}

/** Returns a task reduced to one image, so that messages are about that image. */
export function ofImage(task: Task, result: TaskResult): Task {
  return { ...task, request: { ...task.request, n: 1 }, results: [result] };
}

/** Says what something cost, in the one wording that users read. */
export function billingText(billing: Billing, task?: Task): string {
  if (task && isFree(task)) {
    return l10n.t('Free (demo)');
  }
  switch (billing) {
    case 'no':
      return l10n.t('Not billed');
    case 'refunded':
      return l10n.t('Refunded');
    case 'maybe':
      return l10n.t('May have been billed');
    case 'yes':
      return l10n.t('Billed');
  }
}

/** Says what the service reported, with its status; if it said nothing, what Limner noticed. */
export function whatHappened(error: ErrorRecord, task?: Task, plain = asItIs): string {
  const { code, service, status } = error;
  const message = told(error.message);
  if (code === 'stopped' && task) {
    return whatStopped(error, task);
  }
  const head = headOf(error);
  if (head === undefined) {
    return asSentence(plain(message));
  }
  const words = plain(service ? (service.message ?? service.code ?? service.type ?? '') : message);
  const start = service && status !== undefined ? `${head} (HTTP ${status})` : head;
  return asSentence(words === '' ? start : l10n.t('{0}: {1}', start, words));
}

/** Says in a few words what went wrong; undefined if the message says it as well. */
function headOf({ code, phase, billing, message, sent, service, status }: ErrorRecord): string | undefined {
  const isNamed = code === 'result_refused' || code === 'unsupported_image';
  if (code === 'result_expired' || (phase === 'download' && !isNamed)) {
    return l10n.t("Couldn't fetch the image");
  }
  switch (code) {
    case 'no_service':
      return message === '' ? l10n.t('No image service is configured') : undefined;
    case 'unauthorized':
      return l10n.t('The service rejected the API key');
    case 'invalid_request':
      return service && l10n.t('The service rejected the request');
    case 'no_async_channel':
      return l10n.t("The service can't run this model asynchronously");
    case 'queue_full':
      return l10n.t("The service's queue is full");
    case 'rate_limited':
      return l10n.t('The service reports too many requests');
    case 'quota_exceeded':
      return l10n.t('Your quota or balance at the service is used up');
    case 'content_rejected':
      return l10n.t('The service rejected the content');
    case 'task_not_found':
      return l10n.t("The service doesn't recognize this task with the current API key");
    case 'task_query_failed':
      return l10n.t("The service couldn't look up the task");
    case 'image_generation_failed':
      return l10n.t("The service couldn't create the image");
    case 'outcome_unknown':
      return service && l10n.t("The response doesn't say what happened to the request");
    case 'network':
      return sent === false ? l10n.t("Couldn't reach the service") : undefined;
    case 'protocol':
      return status !== undefined
        ? l10n.t('The service responded with a redirect; the URL it points to may be the correct service URL')
        : l10n.t("Limner couldn't interpret the response");
    case 'save_failed':
      return billing === undefined || billing === 'no' ? undefined : l10n.t("Couldn't save the image");
    default:
      return undefined;
  }
}

function whatStopped({ billing }: ErrorRecord, { remoteId }: Task): string {
  if (billing === 'no') {
    return l10n.t('The task was stopped before it was sent.');
  }
  if (billing === 'yes') {
    return l10n.t("You stopped waiting for the image, which its host didn't send.");
  }
  return remoteId === undefined
    ? l10n.t(
        'Limner stopped waiting for the response, which can no longer be fetched. The service may still finish the call.',
      )
    : l10n.t("Limner stopped watching this task. The service can't cancel it and may still finish it.");
}

export function whatItCost({ code, phase, billing }: ErrorRecord, task?: Task): string {
  if (task && isFree(task)) {
    // A request that was never sent or was rejected obviously costs nothing.
    return billing === 'no' || billing === 'refunded' ? '' : asSentence(billingText('yes', task));
  }
  if (task?.status === 'needs_key' || (code === 'stopped' && billing === 'maybe')) {
    return l10n.t('It may still be billed.');
  }
  const isPartOfAnswer = phase !== 'download' && phase !== 'save';
  const images = task?.results.filter(({ state }) => state === 'saved' || state === 'staged').length ?? 0;
  if (isPartOfAnswer && task && images > 0 && images < task.request.n) {
    return billing === 'no'
      ? l10n.t('The missing images were not billed.')
      : l10n.t('The missing images may have been billed.');
  }
  return billing === undefined ? '' : asSentence(billingText(billing, task));
}

/** Says what is kept of images that are not files yet; empty if nothing is. */
export function whatIsKept({ results, keptResponse }: Task, plain = asItIs): string {
  const image = results.find((result) => result.state !== 'saved' && hasImage(result))?.stagedPath;
  if (image !== undefined) {
    return l10n.t('The image data is kept in {0}.', plain(image));
  }
  const [other] = results.flatMap((result) => unsupportedData(result) ?? []);
  const [url] = results.flatMap((result) => urlToOpen(result) ?? []);
  return sentencesText([
    ...(keptResponse === undefined ? [] : [l10n.t('The response is kept in {0}.', plain(keptResponse))]),
    ...(other === undefined ? [] : [l10n.t('The received data is kept in {0}.', plain(other))]),
    // Not shortened: the signature is part of it.
    ...(url === undefined ? [] : [imageAddress(plain(url, Infinity))]),
  ]);
}

export function imageAddress(url: string): string {
  return l10n.t('The image is at {0} for 6 hours.', url);
}

export function billedAgain(): string {
  return l10n.t('Running it again is billed again.');
}

/** Advises users to check their account if it is unknown whether a request was billed. */
export function checkAccount(): string {
  return l10n.t('Check your account at the service before you run it again.');
}
