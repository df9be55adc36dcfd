import * as v from 'valibot';
import * as english from '../../common/english.ts';
import { inOneNotation } from '../../common/fileUris.ts';
import { isLive, taskStatuses } from '../../common/taskStatus.ts';
import { type Task, taskRequest, type TaskResult, taskResult, taskState } from '../task/task.ts';

/**
 * An image as stored in rows, where staged images are called incoming. Properties that a newer version wrote are kept
 * when this version writes the row.
 */
const storedResult = v.looseObject({
  ...v.omit(taskResult, ['stagedPath']).entries,
  state: v.picklist(['remote', 'incoming', 'saved', 'failed']),
  incoming: v.exactOptional(v.string()),
});

function fromStored({ state, incoming, ...result }: v.InferOutput<typeof storedResult>): TaskResult {
  return {
    ...result,
    state: state === 'incoming' ? 'staged' : state,
    ...(incoming !== undefined && { stagedPath: incoming }),
  };
}

function toStored({ state, stagedPath, ...result }: TaskResult): v.InferOutput<typeof storedResult> {
  return {
    ...result,
    state: state === 'staged' ? 'incoming' : state,
    ...(stagedPath !== undefined && { incoming: stagedPath }),
  };
}

const storedState = v.object({
  ...taskState.entries,
  results: v.array(v.pipe(storedResult, v.transform(fromStored))),
});

const row = v.object({
  id: v.string(),
  status: v.picklist(taskStatuses),
  request: v.pipe(v.string(), v.parseJson(), taskRequest),
  state: v.pipe(v.string(), v.parseJson(), storedState),
});

/** Properties that are URIs of files and folders. */
const uriNames = new Set(['uri', 'folder', 'root', 'document', 'publishing']);

function inNotation(name: string, value: unknown): unknown {
  return typeof value === 'string' && uriNames.has(name) ? inOneNotation(value) : value;
}

export const taskColumns = 'id, status, request, state';

/** Returns a task as columns, in the order `id, status, live, unsaved, prompt, request, state`. */
export function toRow(task: Task): [string, string, number, number, string, string, string] {
  const { id, status, request, ...state } = task;
  return [
    id,
    status,
    isLive(task) ? 1 : 0,
    task.results.some(({ state: at, stagedPath }) => at === 'staged' || stagedPath !== undefined) ? 1 : 0,
    request.prompt,
    JSON.stringify(request, inNotation),
    JSON.stringify({ ...state, results: task.results.map(toStored) }, inNotation),
  ];
}

/** Returns the task in a row; undefined if the row is damaged or was written by hand. */
export function fromRow(columns: unknown): Task | undefined {
  const parsed = v.safeParse(row, columns);
  if (!parsed.success) {
    return undefined;
  }
  const { id, status, request, state } = parsed.output;
  return { id, status, request, ...state };
}

/** Most images of one run: more than any service makes at once, and no more than a user can look through. */
export const maxImages = 100;

const newRequest = v.object({
  ...taskRequest.entries,
  n: v.pipe(
    taskRequest.entries.n,
    v.maxValue(maxImages, english.t('One run generates at most {0} images.', maxImages)),
  ),
});

/** Returns why a request from outside can't be stored, in a sentence; undefined if it can. */
export function problemOf(value: unknown): string | undefined {
  const parsed = v.safeParse(newRequest, value);
  if (parsed.success) {
    return undefined;
  }
  const [issue] = parsed.issues;
  return `${v.getDotPath(issue) ?? 'request'}: ${issue.message}`;
}
