import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type StudioImage, type StudioTask, studioTaskActions } from '../../studio/protocol/state.ts';
import { askedSize } from '../../common/requestValues.ts';
import { withoutExtension } from '../../engine/task/fileNames.ts';
import { asOrdered, cameWithoutBackground } from '../../engine/task/twoBackgrounds.ts';
import { roundedUp } from '../../images/formats/dimensions.ts';
import { restorable, standingOf } from '../../common/taskStatus.ts';
import {
  damageText,
  finishNotes,
  leftAloneText,
  reasonTexts,
  savedAsReceived,
} from '../../engine/messages/finishText.ts';
import type { Task, TaskRequest, TaskResult } from '../../engine/task/task.ts';
import type { ErrorAction } from '../window/offers.ts';
import { describeError, describeImageError } from '../window/errorText.ts';
import * as commands from '../window/commandIds.ts';
import { nameOf, statOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { inUsualSize } from '../../engine/operations/modelRules.ts';
import { availableActions, cutoutActions } from '../../engine/operations/availableActions.ts';
import { dimensionsOf } from '../generate/inputImages.ts';
import { originalOf, sentPath } from '../taskList/edits.ts';
import { statusText } from '../../engine/messages/stateText.ts';
import { taskDescription } from '../taskList/taskLabels.ts';
import type { StudioImages } from './studioImages.ts';

type Images = Pick<StudioImages, 'url' | 'windowUri'>;

/** Returns a task for the studio, with texts and URLs. */
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
    ...(request.style && { style: request.style.name }),
    model: request.model,
    status,
    standing: standingOf(task),
    ...(progress !== undefined && { progress }),
    statusText: statusText(task),
    createdAt,
    ...(finishedAt !== undefined && { finishedAt }),
    ...(size !== undefined && { size }),
    ...(request.batch && {
      batch: {
        ...request.batch,
        name: withoutExtension(asOrdered(request).target.fileName),
        ...(request.onBlack && !task.results.some(cameWithoutBackground) && { isOnWhite: true as const }),
      },
    }),
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
    errorActions: [...taskFixes(task).map(({ title }) => title), ...scaledTitle(task)],
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

/** Returns the fixes of a task's error, beside the actions on the task itself. */
export function taskFixes(task: Task): ErrorAction[] {
  const { actions } = task.error ? describeError(task.error, task) : { actions: [] };
  return actions.filter(
    ({ command = '' }) => !command.startsWith('limner.task.') && command !== commands.showLog,
  );
}

/** Returns the label of the button that requests a usual size and scales it, if the service refused the size. */
function scaledTitle(task: Task): string[] {
  const size = inUsualSize(task)?.size;
  return size === undefined ? [] : [l10n.t('Ask for {0} and Scale', size.replace('x', ' × '))];
}

/** Excess images aren't fetched: one stands for all of them. */
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

/** Whether an image has an unwanted size. A size that was rounded up or trimmed is wanted. */
function isOtherThan(asked: string | undefined, size: string, { finish }: TaskRequest): boolean {
  if (asked === undefined || (finish?.trim && !finish.size)) {
    return false;
  }
  const [width = 0, height = 0] = asked.split('x').map(Number);
  const wanted = roundedUp({ width, height }, finish?.multiples);
  return size !== `${wanted.width}x${wanted.height}`;
}

/** Describes the changes of an image between its arrival and its file. */
function finishOf({
  finished,
  lostCredentials,
}: TaskResult): Pick<StudioImage, 'received' | 'cutout' | 'cutoutActions' | 'finishNotes'> {
  if (!finished) {
    return lostCredentials ? { finishNotes: finishNotes({ lostCredentials }) } : {};
  }
  if ('problem' in finished) {
    return { finishNotes: [savedAsReceived(finished.problem)] };
  }
  const { damage: _, ...facts } = finished;
  const actions = cutoutActions({ finished });
  return {
    received: finished.got,
    ...(actions.length > 0 && { cutoutActions: actions }),
    ...(finished.cutout && {
      cutout: {
        verdict: finished.cutout.verdict,
        reasons: reasonTexts(finished.cutout),
        ...(finished.cutout.keptAnyway && { keptAnyway: true as const }),
      },
    }),
    finishNotes: finishNotes({ ...facts, ...(lostCredentials && { lostCredentials }) }),
  };
}

/** Explains why the pixels outside the mask aren't exactly the original's. */
function notKeptText(why: Exclude<TaskResult['keptOutside'], true | undefined>): string {
  switch (why) {
    case 'rounded':
      return l10n.t(
        'Everything outside the mask is from the original, but rounded from 16 to 8 bits per channel.',
      );
    case 'colours':
      return l10n.t(
        'Everything outside the mask is from the original. Inside it, colors may look different: the image from the service has another color profile.',
      );
    case 'size':
      return l10n.t('The image has a different size than the original.');
    case 'original':
      return l10n.t('The original can no longer be read.');
    case 'kind':
      return l10n.t('The original is damaged or in an unsupported format.');
    case 'mask':
      return l10n.t('The mask can no longer be read or has a different size.');
    case 'unreadable':
      return l10n.t("The image from the service can't be read.");
    case 'too_large':
      return l10n.t('The image has too many pixels.');
    case 'animated':
    case '16bit':
    case '12bit':
    case 'cmyk':
      return leftAloneText(why);
  }
}

function messageOf(task: Task): string | undefined {
  if (task.error) {
    return describeError(task.error, task).message;
  }
  return task.retryAt === undefined ? undefined : taskDescription(task);
}
