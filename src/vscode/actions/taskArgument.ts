import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { restorable } from '../../common/taskStatus.ts';
import { type TaskAction, availableActions } from '../../engine/operations/availableActions.ts';
import { statusText } from '../../engine/messages/stateText.ts';
import type { Task } from '../../engine/task/task.ts';
import { refuse, type Refusal } from '../ask/refusal.ts';
import type { BatchRow, ImageRow, TaskRow } from '../taskList/taskNode.ts';
import { type SavedResult, savedImages } from '../taskList/taskLabels.ts';
import { findImage } from '../taskList/movedImages.ts';
import { editAt, replacingImageAt } from '../taskList/edits.ts';
import * as commands from '../window/commandIds.ts';
import { nameOf, statOf } from '../window/files.ts';
import { plainText, taskName } from '../window/plainText.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { commandAction } from '../window/offers.ts';
import type { TaskImage } from './imageFileQueue.ts';

/**
 * Task as passed to commands: a row of the list, an ID from a message or key binding, or the file of an edit from its
 * editor's title.
 */
export type TaskArgument = TaskRow | ImageRow | string | vscode.Uri | undefined;

export interface SavedImage {
  task: Task;
  result: SavedResult;
  uri: vscode.Uri;
}

/**
 * Returns the tasks or images that a command acts on: the selected rows if the list passed them, else the command's own
 * argument. Any other argument is ignored.
 */
export function chosenRows(argument: unknown, selection?: unknown): readonly TaskArgument[] {
  const passed: readonly unknown[] = Array.isArray(selection) ? selection : [argument];
  return passed.flatMap((one) => (isBatch(one) ? one.rows : isTaskArgument(one) ? one : []));
}

/** Returns the ID of a batch, from its row or as is; undefined for anything else. */
export function batchIdOf(argument: unknown): string | undefined {
  return typeof argument === 'string' ? argument : isBatch(argument) ? argument.id : undefined;
}

function isBatch(value: unknown): value is BatchRow {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'batch';
}

/** Whether this is the row of an image below its task. */
export function isImageRow(argument: TaskArgument): argument is ImageRow {
  return typeof argument === 'object' && 'kind' in argument && argument.kind === 'image';
}

function isTaskArgument(value: unknown): value is TaskArgument {
  return (
    typeof value === 'string' ||
    value instanceof vscode.Uri ||
    (typeof value === 'object' &&
      value !== null &&
      'kind' in value &&
      (value.kind === 'task' || value.kind === 'image') &&
      'task' in value)
  );
}

export async function taskOf(
  engine: Pick<EngineHost, 'get'>,
  argument: TaskArgument,
): Promise<Task | undefined> {
  if (argument === undefined) {
    return undefined;
  }
  const { store } = await engine.get();
  if (argument instanceof vscode.Uri) {
    return editAt(store, argument)?.task;
  }
  const id = typeof argument === 'object' ? argument.task.id : argument;
  return store.get(id);
}

/**
 * Returns the tasks among these that offer one of the actions, or all that are listed if none is named.
 *
 * @throws LimnerError `invalid_request` when none does
 */
export async function offering(
  engine: Pick<EngineHost, 'get'>,
  chosen: readonly TaskArgument[],
  ...actions: readonly TaskAction[]
): Promise<Task[]> {
  const found = await Promise.all(chosen.map(async (one) => taskOf(engine, one)));
  const tasks = [...new Map(found.flatMap((task) => (task ? [[task.id, task] as const] : []))).values()];
  const able = tasks.filter(
    (task) => actions.length === 0 || availableActions(task).some((action) => actions.includes(action)),
  );
  if (able.length > 0) {
    return able;
  }
  const [task] = tasks;
  if (!task) {
    throw refuse('invalid_request', l10n.t('The task is no longer in the task list.'));
  }
  throw actions.includes('remove') && availableActions(task).includes('stop')
    ? refuse('invalid_request', l10n.t('"{0}" isn\'t done. Stop waiting for it first.', taskName(task)), [
        commandAction(l10n.t('Stop Waiting'), commands.taskStop, task.id),
      ])
    : refuse(
        'invalid_request',
        l10n.t('This does not apply to "{0}" now: {1}.', taskName(task), statusText(task)),
      );
}

/**
 * Returns the image of the row, or the first one of the task. One that was renamed or moved is followed.
 *
 * @throws LimnerError `invalid_request` if there is another file in its place
 */
export async function imageOf(
  engine: Pick<EngineHost, 'get'>,
  argument: TaskArgument,
): Promise<SavedImage | undefined> {
  const image = await listedImage(engine, argument);
  if (!image || argument instanceof vscode.Uri) {
    return image;
  }
  const uri = await findImage(engine, image.task, image.result);
  if (uri) {
    return { ...image, uri };
  }
  if (await statOf(image.uri)) {
    throw missing(image.uri);
  }
  return image;
}

export function missing(file: vscode.Uri): Refusal {
  return refuse(
    'invalid_request',
    l10n.t("{0} wasn't found. It may have been moved or deleted.", plainText(nameOf(file))),
  );
}

/** Returns the image of the row, or the first one of the task, as it is listed. */
export async function listedImage(
  engine: Pick<EngineHost, 'get'>,
  argument: TaskArgument,
): Promise<SavedImage | undefined> {
  if (argument instanceof vscode.Uri) {
    const edit = editAt((await engine.get()).store, argument);
    return edit && { ...edit, uri: argument };
  }
  const task = await taskOf(engine, argument);
  const images = task ? savedImages(task) : [];
  const result = isImageRow(argument)
    ? images.find(({ index }) => index === argument.result.index)
    : images[0];
  return task && result && { task, result, uri: vscode.Uri.parse(result.uri, true) };
}

/**
 * Returns the row's image, or else the task's or file's image that last replaced its original. Its own file may be
 * discarded.
 */
export async function replacingImageOf(
  engine: Pick<EngineHost, 'get'>,
  argument: TaskArgument,
): Promise<TaskImage | undefined> {
  if (argument instanceof vscode.Uri) {
    return replacingImageAt((await engine.get()).store, argument);
  }
  if (isImageRow(argument)) {
    return listedImage(engine, argument);
  }
  const task = await taskOf(engine, argument);
  const [result] = (task?.results ?? [])
    .filter((image) => restorable(image))
    .toSorted((one, other) => (other.replacedOriginal?.at ?? 0) - (one.replacedOriginal?.at ?? 0));
  return task && result && { task, result };
}
