import * as vscode from 'vscode';
import { isSameFile } from '../../common/disk/fileUris.ts';
import { canBeResumed, canSaveAgain, isStillAvailable } from '../../common/resultAvailability.ts';
import { LimnerError, notSent } from '../../common/limnerError.ts';
import { standingOf } from '../../common/taskStatus.ts';
import { askedFormat } from '../../tasks/files/fileNames.ts';
import type { TaskStore } from '../../tasks/store/taskStore.ts';
import type { Task, TaskRequest } from '../../tasks/task.ts';
import { statOf } from '../window/files.ts';

/** Among so many tasks, the newest, one is looked for that has an image, or whose image the service keeps. */
export const newestTasks = 1000;

/** What says which image is meant: the place that it is to take in a document, else its file. */
export interface Wanted {
  folder: string;
  /** The file's own name, with its extension, or a template of names. */
  fileName: string;
  reference?: TaskRequest['reference'];
}

/** As `newestTasks`, right after these were looked at. */
const newestSince = 100;

/** Returns the tasks among which one is looked for that makes an image: all that still may, and the newest. */
export function tasksThatMayMake(store: TaskStore, limit = newestTasks): Task[] {
  return [...store.unfinished(), ...store.unsaved(), ...store.list({ limit })];
}

/** As `tasksThatMayMake`, right after it: only what has begun or was resumed meanwhile counts, and less is read. */
export function tasksSince(store: TaskStore): Task[] {
  return tasksThatMayMake(store, newestSince);
}

/**
 * Returns the task that makes an image, or that the service has one for which could not be saved yet.
 *
 * @param tasks to look among
 */
export function taskThatMakes(wanted: Wanted, tasks: readonly Task[]): Task | undefined {
  return tasks.find(
    (task) => isFor(task.request, wanted) && (standingOf(task) !== 'ended' || canSaveAgain(task)),
  );
}

/**
 * Whether a task has saved an image since a document was read, which may still show what that takes the place of.
 *
 * @param tasks to look among
 * @param readAt in Unix milliseconds
 */
export function isSavedSince(wanted: Wanted, tasks: readonly Task[], readAt: number): boolean {
  return tasks.some(
    (task) => isFor(task.request, wanted) && endOf(task) >= readAt && task.results.some(isSaved),
  );
}

/**
 * Throws unless an image is still needed: of two windows that send at once, each looks before the other has its task.
 *
 * @throws LimnerError `invalid_request`
 */
export function requireNeed(isNeeded: boolean): void {
  if (!isNeeded) {
    throw new LimnerError(
      'invalid_request',
      vscode.l10n.t('Another window makes this image already.'),
      notSent,
    );
  }
}

/**
 * Returns the ended task that may still bring an image: to watch it again costs nothing more.
 *
 * @param tasks to look among
 * @param since it ended after that, in Unix milliseconds
 */
export function resumableTask(wanted: Wanted, tasks: readonly Task[], since = 0): Task | undefined {
  const now = Date.now();
  return tasks.find(
    (task) =>
      isFor(task.request, wanted) &&
      standingOf(task) === 'ended' &&
      canBeResumed(task) &&
      isStillAvailable(task, now) &&
      endOf(task) > since,
  );
}

/**
 * Whether another task makes the image of one that failed, or has made it. One that another task made earlier is none of
 * those that were asked for since; where a file is to be, it counts instead.
 *
 * @param tasks to look among
 */
export function isMadeByAnother({ id, request }: Task, tasks: readonly Task[]): boolean {
  const { target, reference, batch } = request;
  const wanted = { ...target, ...(reference && { reference }) };
  const others = tasks.filter((other) => other.id !== id);
  return (
    taskThatMakes(wanted, others) !== undefined ||
    (reference !== undefined &&
      others.some(
        (other) =>
          isFor(other.request, wanted) &&
          other.results.some(isSaved) &&
          (other.id > id || (batch !== undefined && other.request.batch?.id === batch.id)),
      ))
  );
}

/**
 * Whether the image of a task that failed is there: as its file, or by another task.
 *
 * @param tasks to look among
 */
export async function isMade(task: Task, tasks: readonly Task[]): Promise<boolean> {
  const { target, reference } = task.request;
  if (isMadeByAnother(task, tasks)) {
    return true;
  }
  const isName = !reference && askedFormat(target.fileName) !== undefined && !target.fileName.includes('{');
  const file = vscode.Uri.joinPath(vscode.Uri.parse(target.folder, true), target.fileName);
  return isName && (await statOf(file)) !== undefined;
}

function isFor({ target, reference }: TaskRequest, wanted: Wanted): boolean {
  return wanted.reference
    ? reference !== undefined &&
        reference.address === wanted.reference.address &&
        reference.words === wanted.reference.words &&
        isSameFile(reference.document, wanted.reference.document)
    : !reference && target.fileName === wanted.fileName && isSameFile(target.folder, wanted.folder);
}

function endOf({ createdAt, finishedAt = createdAt }: Task): number {
  return finishedAt;
}

function isSaved({ state }: Task['results'][number]): boolean {
  return state === 'saved';
}
