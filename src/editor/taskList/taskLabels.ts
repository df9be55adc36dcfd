import * as vscode from 'vscode';
import { clockTime } from '../../common/days.ts';
import type { ErrorRecord } from '../../common/limnerError.ts';
import { ellipsize, firstSentence, formatDuration } from '../../common/text.ts';
import type { Task, TaskResult } from '../../tasks/task.ts';
import { damageIn, isWhole, wantsKey } from '../../common/resultAvailability.ts';
import { oneLine } from '../window/plainText.ts';
import { isRunning } from '../../common/taskStatus.ts';

/** Most characters of a prompt in a row; VS Code cuts them to the width that there is. */
const labelLength = 400;
/** Most characters of a file name between other words. */
const nameLength = 40;

/** Returns the prompt as a label of one line. */
export function taskLabel({ request }: Task): string {
  return ellipsize(oneLine(request.prompt), labelLength);
}

/** Returns progress and elapsed time of a running task, "43% · 0:12"; the outcome and time of one that has ended. */
export function taskDescription(task: Task, now = Date.now()): string {
  if (isRunning(task)) {
    return runningDescription(task, now);
  }
  const time = endTime(task);
  const { saved, wanted } = outcomeOf(task);
  if (saved > 0 && saved < wanted) {
    return vscode.l10n.t('{0} of {1} images · {2}', saved, wanted, time);
  }
  const images = savedImages(task);
  if (images.length === 0) {
    return `${outcomeText(task)} · ${time}`;
  }
  const ended = images.every(isWhole) ? time : `${vscode.l10n.t('damaged')} · ${time}`;
  return images.length === 1
    ? vscode.l10n.t('1 image · {0}', ended)
    : vscode.l10n.t('{0} images · {1}', images.length, ended);
}

/** Returns the time of day at which a task ended. */
export function endTime({ finishedAt, createdAt }: Task): string {
  return clockTime(finishedAt ?? createdAt, vscode.env.language);
}

/** Returns how a task without images ended: why it failed, in a few words. */
function outcomeText(task: Task): string {
  if (areDiscarded(task)) {
    return vscode.l10n.t('deleted');
  }
  const reason = task.status === 'failed' && task.error ? reasonText(task.error) : undefined;
  return reason ?? statusText(task);
}

function reasonText({ code, sent, status, service }: ErrorRecord): string | undefined {
  switch (code) {
    case 'no_key':
      return vscode.l10n.t('no API key');
    case 'unauthorized':
      return vscode.l10n.t('API key rejected');
    case 'invalid_request':
      // What the service rejects has its status or words.
      return status === undefined && !service
        ? vscode.l10n.t('input file changed or missing')
        : vscode.l10n.t('request rejected');
    case 'no_async_channel':
      return vscode.l10n.t('asynchronous calls not supported');
    case 'queue_full':
      return vscode.l10n.t('queue full');
    case 'rate_limited':
      return vscode.l10n.t('too many requests');
    case 'quota_exceeded':
      return vscode.l10n.t('quota used up');
    case 'content_rejected':
      return vscode.l10n.t('content rejected');
    case 'task_not_found':
      return vscode.l10n.t('unknown to the service');
    case 'image_generation_failed':
      return vscode.l10n.t('not created');
    case 'result_refused':
      return vscode.l10n.t('host not allowed');
    case 'result_too_large':
      return vscode.l10n.t('image too large');
    case 'unsupported_image':
      return vscode.l10n.t('not a supported image');
    case 'empty_result':
      return vscode.l10n.t('no image received');
    case 'timeout':
      return vscode.l10n.t('timed out');
    case 'network':
      return sent === false ? vscode.l10n.t("can't reach the service") : vscode.l10n.t('connection lost');
    case 'save_failed':
      return vscode.l10n.t("couldn't be saved");
    default:
      return undefined;
  }
}

function runningDescription(task: Task, now: number): string {
  const trouble = troubleText(task);
  if (trouble !== undefined) {
    const { retryAt = now } = task;
    return retryAt > now
      ? vscode.l10n.t('{0}, retrying at {1}', trouble, clockTime(retryAt, vscode.env.language, '2-digit'))
      : vscode.l10n.t('{0}, retrying', trouble);
  }
  const elapsed = formatDuration(now - task.createdAt);
  return task.progress === undefined || task.status === 'saving'
    ? `${statusText(task)} · ${elapsed}`
    : vscode.l10n.t('{0}% · {1}', task.progress, elapsed);
}

/** Says why a running task waits for another try; undefined when it does not. */
export function troubleText({ status, error, retryAt, results }: Task): string | undefined {
  if (retryAt === undefined) {
    return undefined;
  }
  const missing = results.find(({ state, error }) => state === 'remote' && error)?.error;
  const lasting = [error, missing].find((one) => one?.lasting);
  if (lasting) {
    return oneLine(firstSentence(lasting.message));
  }
  if (status === 'saving') {
    return results.some(wantsKey)
      ? vscode.l10n.t('the image host refuses access, and results are fetched without the API key')
      : vscode.l10n.t('image not available yet');
  }
  switch (error?.code) {
    case 'queue_full':
    case 'rate_limited':
      return vscode.l10n.t('service is busy');
    case 'network':
    case 'timeout':
      return error.sent === false
        ? vscode.l10n.t("can't reach the service")
        : vscode.l10n.t('no response from the service');
    case 'empty_result':
      return vscode.l10n.t('completed without an image');
    default:
      return (error && reasonText(error)) ?? vscode.l10n.t('service error');
  }
}

export type SavedResult = TaskResult & { uri: string };

/** Returns the images that were saved and not discarded since. */
export function savedImages({ results }: Task): SavedResult[] {
  return results.filter(
    (result): result is SavedResult =>
      result.state === 'saved' && result.uri !== undefined && !result.discarded,
  );
}

/** Whether a person discarded all images that a task saved. */
export function areDiscarded(task: Task): boolean {
  return savedImages(task).length === 0 && task.results.some(({ discarded }) => discarded);
}

/** Returns how many images a task saved, those that were discarded since among them, and how many it should have. */
export function outcomeOf({ results, request }: Task): { saved: number; wanted: number } {
  return {
    saved: results.filter(({ state }) => state === 'saved').length,
    wanted: Math.max(results.length, request.n),
  };
}

/** Returns why a task has fewer images than it should: its own error, else that of its first image. */
export function firstError({ error, results }: Task): ErrorRecord | undefined {
  return error ?? results.find((result) => result.error)?.error;
}

/** Returns the files that a task has saved, in the order of its images. */
export function savedFiles(task: Task): vscode.Uri[] {
  return savedImages(task).map(({ uri }) => vscode.Uri.parse(uri, true));
}

/** Returns the files that a task has saved although they are truncated or damaged. */
export function damagedFiles(task: Task): vscode.Uri[] {
  return savedImages(task)
    .filter((image) => !isWhole(image))
    .map(({ uri }) => vscode.Uri.parse(uri, true));
}

/** Whether all images of a task wait for a folder that cannot be reached. */
export function isInInbox(task: Task): boolean {
  return (
    task.status === 'completed' &&
    outcomeOf(task).saved === 0 &&
    task.results.some(({ state }) => state === 'staged')
  );
}

/** Says why an image is not whole, or not what was asked for, in the place where it is. */
export function imageProblem(result: TaskResult): string[] {
  const damage = damageText(result);
  return [...(damage === undefined ? [] : [damage]), ...finishProblem(result.finished)];
}

/** Says that the file of a saved image, or the one that it was made of, is not whole; undefined when it is. */
export function damageText(result: TaskResult): string | undefined {
  const damage = damageIn(result);
  if (result.state !== 'saved' || isWhole(result)) {
    return undefined;
  }
  return damage === undefined
    ? vscode.l10n.t('The image appears to be truncated. It was saved as received.')
    : result.damage === undefined
      ? vscode.l10n.t('The original is damaged: {0}.', damage)
      : vscode.l10n.t('The image appears to be damaged: {0}. It was saved as received.', damage);
}

function finishProblem(finished: TaskResult['finished']): string[] {
  if (!finished || 'problem' in finished) {
    return finished ? [vscode.l10n.t('Saved as received: {0}', finished.problem)] : [];
  }
  const { verdict, reasons = [] } = finished.cutout ?? {};
  return verdict === 'bad'
    ? [vscode.l10n.t('The background is not transparent: {0}', reasons.map(({ text }) => text).join(' '))]
    : [];
}

/** Returns the names of the images that a task edits. */
export function editedNames({ request: { images = [] } }: Task): string[] {
  return images.map(({ name }) => ellipsize(oneLine(name), nameLength));
}

/** Returns where the images of a task are saved, unless it is in the workspace that is open. */
export function otherFolder({ request }: Task): vscode.Uri | undefined {
  const { folder } = request.target;
  return isInWorkspace(folder) ? undefined : vscode.Uri.parse(folder);
}

/** Whether a folder, a URI string, is in the workspace that is open. */
export function isInWorkspace(folder: string): boolean {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(folder)) !== undefined;
}

/** Returns the status of a task in a few words. */
export function statusText(task: Task): string {
  const { status, remoteStatus, held } = task;
  switch (status) {
    case 'waiting':
      return held ? vscode.l10n.t('not sent') : vscode.l10n.t('waiting');
    case 'submitting':
      return vscode.l10n.t('sending');
    case 'queued':
      return vscode.l10n.t('queued');
    case 'in_progress':
      return remoteStatus === undefined || remoteStatus === 'in_progress'
        ? vscode.l10n.t('in progress')
        : remoteStatus;
    case 'needs_key':
      return vscode.l10n.t('waiting for an API key');
    case 'saving':
      return vscode.l10n.t('saving');
    case 'completed':
      return isInInbox(task) ? vscode.l10n.t('kept in the inbox') : vscode.l10n.t('completed');
    case 'failed':
      return vscode.l10n.t('failed');
    case 'unknown':
      return vscode.l10n.t('outcome unknown');
    case 'stopped':
      return vscode.l10n.t('stopped');
    case 'expired':
      return vscode.l10n.t('expired');
  }
}
