import * as vscode from 'vscode';
import { type StudioImage, type StudioTask, studioTaskActions } from '../../studio/protocol/state.ts';
import { askedSize } from '../../common/askedSize.ts';
import { roundedUp } from '../../images/formats/roundedUp.ts';
import { restorable } from '../../common/resultAvailability.ts';
import { finishNotes } from '../paint/finishNotes.ts';
import type { Task, TaskRequest, TaskResult } from '../../tasks/task.ts';
import { describeError, describeImageError, type ErrorAction } from '../failures/errorText.ts';
import * as commands from '../commandIds.ts';
import { nameOf, statOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { availableActions } from '../availableActions.ts';
import { standingOf } from '../../common/taskStatus.ts';
import { dimensionsOf } from '../paint/inputImages.ts';
import { originalOf, sentPath } from '../taskList/edits.ts';
import { damageText, statusText, taskDescription } from '../taskList/taskLabels.ts';
import type { StudioImages } from './studioImages.ts';

type Images = Pick<StudioImages, 'url' | 'windowUri'>;

/** Returns a task as the studio shows it: everything in words and URLs. */
export async function studioTask(images: Images, task: Task): Promise<StudioTask> {
  const { id, request, status, createdAt, finishedAt, progress } = task;
  const size = askedSize(request);
  const original = await sentPath(task);
  const originalUrl = original === undefined ? undefined : await images.url(vscode.Uri.file(original));
  const originalSize =
    original !== undefined && originalUrl !== undefined
      ? await dimensionsOf(original).catch(() => undefined)
      : undefined;
  const maskUrl = request.mask && (await images.url(vscode.Uri.file(request.mask.path)));
  const message = messageOf(task);
  const possible: readonly string[] = availableActions(task);
  return {
    id,
    kind: request.kind,
    prompt: request.prompt,
    model: request.model,
    status,
    standing: standingOf(task),
    ...(progress !== undefined && { progress }),
    statusText: statusText(task),
    createdAt,
    ...(finishedAt !== undefined && { finishedAt }),
    ...(size !== undefined && { size }),
    count: request.n,
    images: await Promise.all(
      task.results.filter(isShown).map(async (result) => studioImage(images, task, result)),
    ),
    ...(originalUrl !== undefined && { originalUrl }),
    ...(originalSize && { originalSize }),
    ...(maskUrl !== undefined && { maskUrl }),
    hasOriginal: originalOf(task) !== undefined,
    ...(message !== undefined && { message }),
    actions: studioTaskActions.filter((action) => possible.includes(action)),
    errorActions: taskFixes(task).map(({ title }) => title),
    ...(task.error?.code === 'content_rejected' && { isRejected: true as const }),
    ...(task.retryAt !== undefined && { retryAt: task.retryAt }),
    ...(request.socialCard && { socialCard: cardOf(request.socialCard) }),
  };
}

function cardOf({
  document,
  title,
  siteName,
}: NonNullable<TaskRequest['socialCard']>): NonNullable<StudioTask['socialCard']> {
  return { page: nameOf(vscode.Uri.parse(document, true)), title, siteName };
}

/** Returns what fixes the error of a task, beside the actions on the task itself. */
export function taskFixes(task: Task): ErrorAction[] {
  const { actions } = task.error ? describeError(task.error, task) : { actions: [] };
  return actions.filter(
    ({ command = '' }) => !command.startsWith('limner.task.') && command !== commands.showLog,
  );
}

/** Images beyond what was asked for are not fetched: one stands for all of them. */
function isShown({ surplus }: TaskResult, index: number, results: readonly TaskResult[]): boolean {
  return !surplus || !results[index - 1]?.surplus;
}

async function studioImage(images: Images, task: Task, result: TaskResult): Promise<StudioImage> {
  const asked = askedSize(task.request);
  const { index, uri, width, height, mediaType, revisedPrompt, error } = result;
  const { discarded } = result;
  const isFile = result.state === 'saved' && uri !== undefined && !discarded;
  const file = isFile ? vscode.Uri.parse(uri, true) : undefined;
  const isDiscarded = discarded && (await statOf(vscode.Uri.file(discarded.path))) !== undefined;
  const url = file && (await images.url(file));
  const outputUrl = result.answer && (await images.url(vscode.Uri.file(result.answer.path)));
  const isKnownSize = width !== undefined && height !== undefined;
  const damage = damageText(result);
  return {
    index,
    ...(url !== undefined && { url }),
    name: file ? nameOf(file) : '',
    path: file ? vscode.workspace.asRelativePath(file, false) : '',
    ...(file && { uri: images.windowUri(file) }),
    ...(isDiscarded && { isDiscarded }),
    ...(isKnownSize && { width, height }),
    ...(mediaType !== undefined && { mediaType }),
    starred: result.starred === true,
    ...(restorable(result) && { replacesOriginal: true as const }),
    ...(result.keptOutside !== undefined && {
      keptOutside: result.keptOutside === true ? true : notKeptText(result.keptOutside),
    }),
    ...(outputUrl !== undefined && { outputUrl }),
    isOtherSize: isKnownSize && isOtherThan(asked, `${width}x${height}`, task.request),
    ...(damage !== undefined && { damage }),
    ...finishOf(result),
    ...(revisedPrompt !== undefined && { revisedPrompt: plainText(revisedPrompt) }),
    ...(error && { error: describeImageError(error, task, result).message }),
  };
}

/** Whether an image has another size than the person asked for: one that is rounded up, or trimmed, has what they wanted. */
function isOtherThan(asked: string | undefined, size: string, { finish }: TaskRequest): boolean {
  if (asked === undefined || (finish?.trim && !finish.size)) {
    return false;
  }
  const [width = 0, height = 0] = asked.split('x').map(Number);
  const wanted = roundedUp({ width, height }, finish?.multiples);
  return size !== `${wanted.width}x${wanted.height}`;
}

/** Returns what was done to an image between its arrival and its file. */
function finishOf({
  finished,
  lostCredentials,
}: TaskResult): Pick<StudioImage, 'received' | 'cutout' | 'finishNotes'> {
  if (!finished) {
    return lostCredentials ? { finishNotes: finishNotes({ lostCredentials }) } : {};
  }
  if ('problem' in finished) {
    return { finishNotes: [vscode.l10n.t('Saved as received: {0}', finished.problem)] };
  }
  const { damage: _, ...facts } = finished;
  return {
    received: finished.got,
    ...(finished.cutout && {
      cutout: {
        verdict: finished.cutout.verdict,
        reasons: finished.cutout.reasons.map(({ text }) => text),
      },
    }),
    finishNotes: finishNotes({ ...facts, ...(lostCredentials && { lostCredentials }) }),
  };
}

/** Says why the pixels outside the mask are not the original's, or not exactly. */
function notKeptText(why: Exclude<TaskResult['keptOutside'], true | undefined>): string {
  switch (why) {
    case 'rounded':
      return vscode.l10n.t(
        'Everything outside the mask is from the original, but rounded from 16 to 8 bits per channel.',
      );
    case 'colours':
      return vscode.l10n.t(
        'Everything outside the mask is from the original. Inside it, colors may look different: the image from the service has another color profile.',
      );
    case 'size':
      return vscode.l10n.t('The image has a different size than the original.');
    case 'original':
      return vscode.l10n.t('The original can no longer be read.');
    case 'kind':
      return vscode.l10n.t('The original is damaged or in an unsupported format.');
    case 'mask':
      return vscode.l10n.t('The mask can no longer be read or has a different size.');
    case 'unreadable':
      return vscode.l10n.t("The image from the service can't be read.");
    case 'too_large':
      return vscode.l10n.t('The image has too many pixels.');
    case 'animated':
    case '16bit':
    case '12bit':
    case 'cmyk':
      return finishNotes({ untouched: why }).join(' ');
  }
}

function messageOf(task: Task): string | undefined {
  if (task.error) {
    return describeError(task.error, task).message;
  }
  return task.retryAt === undefined ? undefined : taskDescription(task);
}
