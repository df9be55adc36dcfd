import * as vscode from 'vscode';
import { restorable } from '../../common/resultAvailability.ts';
import type { Task } from '../../tasks/task.ts';
import type { BatchRow, ImageRow, TaskRow } from '../taskList/taskNode.ts';
import { type SavedResult, savedImages } from '../taskList/taskLabels.ts';
import { editAt, replacingImageAt } from '../taskList/edits.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { TaskImage } from './imageActs.ts';

/**
 * A task as commands are given it: a row of the list, an ID from a message or a key binding, or the file of an edit from
 * the title of its editor.
 */
export type TaskArgument = TaskRow | ImageRow | string | vscode.Uri | undefined;

export interface SavedImage {
  task: Task;
  result: SavedResult;
  uri: vscode.Uri;
}

/**
 * Returns the tasks or images that a command is for: the selected rows when the list passed some, else its own
 * argument. Anything else that a key binding passes is ignored.
 */
export function chosenRows(argument: unknown, selection?: unknown): readonly TaskArgument[] {
  const passed: readonly unknown[] = Array.isArray(selection) ? selection : [argument];
  return passed.flatMap((one) => (isBatch(one) ? one.rows : isTaskArgument(one) ? one : []));
}

/** Returns the ID of tasks that were made together, from their row or as it is; undefined for anything else. */
export function batchIdOf(argument: unknown): string | undefined {
  return typeof argument === 'string' ? argument : isBatch(argument) ? argument.id : undefined;
}

function isBatch(value: unknown): value is BatchRow {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'batch';
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

/** Returns the task as it is now; undefined when there is none. */
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

/** Returns the image of the row, or the first one of the task. */
export async function imageOf(
  engine: Pick<EngineHost, 'get'>,
  argument: TaskArgument,
): Promise<SavedImage | undefined> {
  if (argument instanceof vscode.Uri) {
    const edit = editAt((await engine.get()).store, argument);
    return edit && { ...edit, uri: argument };
  }
  const task = await taskOf(engine, argument);
  const images = task ? savedImages(task) : [];
  const result =
    typeof argument === 'object' && argument.kind === 'image'
      ? images.find(({ index }) => index === argument.result.index)
      : images[0];
  return task && result && { task, result, uri: vscode.Uri.parse(result.uri, true) };
}

/**
 * Returns the image of the row, or that which replaced its original last: of its task, or of the file. Its own file may
 * be discarded.
 */
export async function replacingImageOf(
  engine: Pick<EngineHost, 'get'>,
  argument: TaskArgument,
): Promise<TaskImage | undefined> {
  if (argument instanceof vscode.Uri) {
    return replacingImageAt((await engine.get()).store, argument);
  }
  if (typeof argument === 'object' && argument.kind === 'image') {
    return imageOf(engine, argument);
  }
  const task = await taskOf(engine, argument);
  const [result] = (task?.results ?? [])
    .filter((image) => restorable(image))
    .toSorted((one, other) => (other.replacedOriginal?.at ?? 0) - (one.replacedOriginal?.at ?? 0));
  return task && result && { task, result };
}
