import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { askedSize } from '../../common/requestValues.ts';
import { clockTime } from '../../common/days.ts';
import { ellipsize, formatDuration, sizeText } from '../../common/text.ts';
import { costOf } from '../../engine/task/spending.ts';
import type { Task, TaskResult } from '../../engine/task/task.ts';
import { describeError, describeImageError } from '../window/errorText.ts';
import { billingText, isFree } from '../../engine/messages/failureText.ts';
import { spentText } from './costText.ts';
import { statusText } from '../../engine/messages/stateText.ts';
import { editedNames, imageProblem } from './taskLabels.ts';
import { serviceName } from '../window/serviceNames.ts';

/** Maximum length of a model's remark, in UTF-16 units. */
const maxRemarkLength = 1000;

/** Returns everything about a task, one fact per line. Plain text, since prompts and the service's words are data. */
export function taskDetails(task: Task): string {
  const { request, results, remark, usage } = task;
  const received = sizesOf(results.map((result) => receivedSize(result) ?? result));
  const saved = sizesOf(results);
  const facts = [
    ...known(editedNames(task).join(', '), (names) => l10n.t('Edited: {0}', names)),
    l10n.t('Model: {0}', request.model),
    ...known(request.style?.name, (style) => l10n.t('Style: {0}', style)),
    l10n.t('Service: {0}', serviceName(request.baseUrl, isFree(task))),
    l10n.t('Status: {0}', statusText(task)),
    ...known(costText(task), (text) => text),
    ...priceText(task),
    ...known(task.remoteId, (id) => l10n.t('Task ID at the service: {0}', id)),
    ...known(askedSize(request), (size) => l10n.t('Requested size: {0}', size.replace('x', ' × '))),
    ...known(received, (sizes) => l10n.t('Received size: {0}', sizes)),
    ...known(saved === received ? '' : saved, (sizes) => l10n.t('Saved size: {0}', sizes)),
    timeText(task),
    ...(usage?.totalTokenCount === undefined ? [] : [l10n.t('Tokens: {0}', usage.totalTokenCount)]),
  ];
  const words = [
    ...known(remark, (text) => l10n.t('The service says: {0}', ellipsize(text, maxRemarkLength))),
    ...problemsOf(task),
  ];
  return [request.prompt.trim(), facts.join('\n'), ...words].join('\n\n');
}

/** Returns the size in which the service sent an image that Limner finished. */
function receivedSize({ finished }: TaskResult): { width: number; height: number } | undefined {
  return finished && 'got' in finished ? finished.got : undefined;
}

/** Returns the problems of each image, and of the task itself, without duplicates. */
function problemsOf(task: Task): string[] {
  const { error, results } = task;
  const ofImages = results.flatMap((result) => {
    const { error } = result;
    return [...(error ? [describeImageError(error, task, result).message] : []), ...imageProblem(result)];
  });
  const isOfImage = results.some(({ error: other }) => error && other?.message === error.message);
  return [...new Set([...(error && !isOfImage ? [describeError(error, task).message] : []), ...ofImages])];
}

function known(value: string | undefined, text: (value: string) => string): string[] {
  return value === undefined || value === '' ? [] : [text(value)];
}

/** Returns when a task started and, once it has ended, how long it took. */
function timeText({ createdAt, finishedAt }: Task): string {
  const start = moment(createdAt);
  return finishedAt === undefined
    ? l10n.t('Started: {0}', start)
    : l10n.t('Time: {0}, {1}', durationText(finishedAt - createdAt), start);
}

function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  return seconds < 60 ? l10n.t('{0} s', seconds) : formatDuration(seconds * 1000);
}

/** Formats a time, "today 14:05". */
function moment(time: number): string {
  const isToday = new Date(time).toDateString() === new Date().toDateString();
  const day = isToday
    ? l10n.t('today')
    : new Date(time).toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
  return `${day} ${clockTime(time, vscode.env.language)}`;
}

/** Describes the cost of a task, unless its error already does. */
function costText(task: Task): string | undefined {
  const errors = [task, ...task.results].flatMap(({ error }) => error ?? []);
  if (task.status === 'needs_key' || errors.some(({ billing }) => billing !== undefined || isFree(task))) {
    return undefined;
  }
  switch (task.status) {
    case 'saving':
    case 'completed':
    case 'expired':
      return billingText('yes', task);
    case 'waiting':
      return billingText('no', task);
    default:
      return billingText('maybe', task);
  }
}

function priceText(task: Task): string[] {
  const cost = costOf(task);
  if (!task.request.price || cost.atMost === 0) {
    return [];
  }
  const text = spentText(cost);
  return [isFree(task) ? l10n.t('Counted as: {0}', text) : l10n.t('Cost: {0}', text)];
}

function sizesOf(images: readonly Pick<TaskResult, 'width' | 'height'>[]): string {
  const sizes = images.flatMap(({ width, height }) =>
    width === undefined || height === undefined ? [] : [sizeText({ width, height })],
  );
  return [...new Set(sizes)].join(', ');
}
