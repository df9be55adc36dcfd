import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { clockTime } from '../../common/days.ts';
import type { ErrorRecord } from '../../common/limnerError.ts';
import { ellipsize, formatDuration } from '../../common/text.ts';
import type { Task, TaskResult } from '../../engine/task/task.ts';
import { isRunning, isWhole } from '../../common/taskStatus.ts';
import { cutoutNote, damageText, savedAsReceived } from '../../engine/messages/finishText.ts';
import { reasonText, statusText, waitReason } from '../../engine/messages/stateText.ts';
import { isOwn, nameOf } from '../window/files.ts';
import { oneLine } from '../window/plainText.ts';

const nameLength = 40;

/** Returns the name of a task's row, before it is shortened. */
export function taskTitle({ request: { prompt, socialCard } }: Task): string {
  return socialCard
    ? l10n.t('Social card: {0}', nameOf(vscode.Uri.parse(socialCard.document)))
    : oneLine(prompt);
}

/** Returns progress and elapsed time of a running task, "43% · 0:12", or the outcome and end time of an ended one. */
export function taskDescription(task: Task, now = Date.now()): string {
  if (isRunning(task)) {
    return runningDescription(task, now);
  }
  const time = endTime(task);
  const { saved, wanted } = outcomeOf(task);
  if (saved > 0 && saved < wanted) {
    return l10n.t('{0} of {1} images · {2}', saved, wanted, time);
  }
  const images = savedImages(task);
  if (images.length === 0) {
    return `${outcomeText(task)} · ${time}`;
  }
  const ended = [...new Set(images.flatMap(flawOf)), time].join(' · ');
  return images.length === 1
    ? l10n.t('1 image · {0}', ended)
    : l10n.t('{0} images · {1}', images.length, ended);
}

/** Says in a word why an image needs a look: it is damaged, or the check of its background failed. */
export function flawOf(image: SavedResult): string[] {
  if (!isWhole(image)) {
    return [l10n.t('damaged')];
  }
  const { finished } = image;
  const cutout = finished && 'cutout' in finished ? finished.cutout : undefined;
  return cutout && cutout.verdict !== 'good' ? [l10n.t('needs a look')] : [];
}

export function endTime({ finishedAt, createdAt }: Task): string {
  return clockTime(finishedAt ?? createdAt, vscode.env.language);
}

/** Describes in a few words how a task without images ended. */
function outcomeText(task: Task): string {
  if (areDiscarded(task)) {
    return l10n.t('deleted');
  }
  const reason = task.status === 'failed' && task.error ? reasonText(task.error) : undefined;
  return reason ?? statusText(task);
}

function runningDescription(task: Task, now: number): string {
  const trouble = waitReason(task);
  if (trouble !== undefined) {
    const { retryAt = now } = task;
    return retryAt > now
      ? l10n.t('{0}, retrying at {1}', trouble, clockTime(retryAt, vscode.env.language, '2-digit'))
      : l10n.t('{0}, retrying', trouble);
  }
  const elapsed = formatDuration(now - task.createdAt);
  return task.progress === undefined || task.status === 'saving'
    ? `${statusText(task)} · ${elapsed}`
    : l10n.t('{0}% · {1}', task.progress, elapsed);
}

export type SavedResult = TaskResult & { uri: string };

/** Returns the saved images that weren't discarded. */
export function savedImages({ results }: Task): SavedResult[] {
  return results.filter(
    (result): result is SavedResult =>
      result.state === 'saved' && result.uri !== undefined && !result.discarded,
  );
}

/** Whether all saved images of a task were discarded. */
export function areDiscarded(task: Task): boolean {
  return savedImages(task).length === 0 && task.results.some(({ discarded }) => discarded);
}

/** Returns the number of images that a task saved, including discarded ones, and the number it should have. */
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

export function savedFiles(task: Task): vscode.Uri[] {
  return savedImages(task).map(({ uri }) => vscode.Uri.parse(uri, true));
}

export function damagedFiles(task: Task): vscode.Uri[] {
  return savedImages(task)
    .filter((image) => !isWhole(image))
    .map(({ uri }) => vscode.Uri.parse(uri, true));
}

/** Describes why an image is damaged or differs from the request. */
export function imageProblem(result: TaskResult): string[] {
  const { finished } = result;
  const problem =
    finished && 'problem' in finished
      ? savedAsReceived(finished.problem)
      : finished?.cutout?.verdict === 'bad' && !finished.cutout.keptAnyway
        ? cutoutNote(finished.cutout)
        : undefined;
  return [damageText(result), problem].filter((text) => text !== undefined);
}

/** Returns the names of the edited files as they are now; those of pasted images as they were given. */
export function editedNames({ request: { images = [] } }: Task): string[] {
  return images.map(({ uri, name }) => {
    const file = vscode.Uri.parse(uri);
    return ellipsize(oneLine(isOwn(file) ? name : nameOf(file)), nameLength);
  });
}

/** Returns the folder of a task's images, unless it is in the open workspace. */
export function otherFolder({ request }: Task): vscode.Uri | undefined {
  const { folder } = request.target;
  return isInWorkspace(folder) ? undefined : vscode.Uri.parse(folder);
}

/** Whether a folder, a URI string, is in the open workspace. */
export function isInWorkspace(folder: string): boolean {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(folder)) !== undefined;
}
