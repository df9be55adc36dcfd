import * as v from 'valibot';
import { callStyles } from '../../common/callStyle.ts';
import { billings, errorCodes, type ErrorRecord, phases } from '../../common/limnerError.ts';
import { isLive, taskStatuses } from '../../common/taskStatus.ts';
import type { Task, TaskAnswer, TaskInput, TaskRequest, TaskResult } from '../task.ts';

/** A schema for every property: one that is forgotten here would be lost when it is read. */
type Schemas<T> = Record<keyof T, v.GenericSchema | v.ExactOptionalSchema<v.GenericSchema, undefined>>;

const error = v.object({
  code: v.picklist(errorCodes),
  message: v.string(),
  phase: v.exactOptional(v.picklist(phases)),
  billing: v.exactOptional(v.picklist(billings)),
  status: v.exactOptional(v.number()),
  service: v.exactOptional(
    v.object({
      message: v.exactOptional(v.string()),
      type: v.exactOptional(v.string()),
      code: v.exactOptional(v.string()),
    }),
  ),
  retryAfter: v.exactOptional(v.number()),
  sent: v.exactOptional(v.boolean()),
  refusedHost: v.exactOptional(v.string()),
} satisfies Schemas<ErrorRecord>);

const input = v.object({
  uri: v.string(),
  name: v.string(),
  size: v.number(),
  mediaType: v.string(),
  sha256: v.string(),
  path: v.string(),
} satisfies Schemas<TaskInput>);

const request = v.object({
  kind: v.picklist(['generate', 'edit']),
  prompt: v.string(),
  model: v.string(),
  family: v.picklist(['image', 'native']),
  callStyle: v.picklist(callStyles),
  size: v.exactOptional(v.string()),
  quality: v.exactOptional(v.string()),
  n: v.pipe(v.number(), v.integer(), v.minValue(1)),
  extra: v.exactOptional(v.record(v.string(), v.unknown())),
  images: v.exactOptional(v.array(input)),
  imageField: v.exactOptional(v.picklist(['image', 'image[]'])),
  mask: v.exactOptional(input),
  keepOutside: v.exactOptional(v.literal(true)),
  baseUrl: v.string(),
  target: v.object({ folder: v.string(), root: v.string(), fileName: v.string() }),
} satisfies Schemas<TaskRequest>);

const answer = v.object({
  path: v.string(),
  size: v.number(),
  mediaType: v.string(),
  sha256: v.string(),
} satisfies Schemas<TaskAnswer>);

const result = v.object({
  index: v.number(),
  state: v.picklist(['remote', 'incoming', 'saved', 'failed']),
  url: v.exactOptional(v.string()),
  incoming: v.exactOptional(v.string()),
  uri: v.exactOptional(v.string()),
  size: v.exactOptional(v.number()),
  mediaType: v.exactOptional(v.string()),
  width: v.exactOptional(v.number()),
  height: v.exactOptional(v.number()),
  sha256: v.exactOptional(v.string()),
  seemsCut: v.exactOptional(v.literal(true)),
  isText: v.exactOptional(v.literal(true)),
  revisedPrompt: v.exactOptional(v.string()),
  surplus: v.exactOptional(v.literal(true)),
  error: v.exactOptional(error),
  publishing: v.exactOptional(v.string()),
  keptOutside: v.exactOptional(
    v.union([
      v.literal(true),
      v.picklist(['rounded', 'size', 'original', 'kind', 'mask', 'unreadable', 'too_large']),
    ]),
  ),
  answer: v.exactOptional(answer),
  starred: v.exactOptional(v.literal(true)),
} satisfies Schemas<TaskResult>);

const state = v.object({
  createdAt: v.number(),
  submittedAt: v.exactOptional(v.number()),
  finishedAt: v.exactOptional(v.number()),
  completedAt: v.exactOptional(v.number()),
  origin: v.string(),
  keyFingerprint: v.exactOptional(v.string()),
  remoteId: v.exactOptional(v.string()),
  remoteStatus: v.exactOptional(v.string()),
  progress: v.exactOptional(v.number()),
  retryAt: v.exactOptional(v.number()),
  troubleSince: v.exactOptional(v.number()),
  held: v.exactOptional(v.literal(true)),
  error: v.exactOptional(error),
  results: v.array(result),
  remark: v.exactOptional(v.string()),
  usage: v.exactOptional(
    v.object({
      promptTokenCount: v.exactOptional(v.number()),
      candidatesTokenCount: v.exactOptional(v.number()),
      totalTokenCount: v.exactOptional(v.number()),
    }),
  ),
} satisfies Schemas<Omit<Task, 'id' | 'status' | 'request'>>);

const row = v.object({
  id: v.string(),
  status: v.picklist(taskStatuses),
  request: v.pipe(v.string(), v.parseJson(), request),
  state: v.pipe(v.string(), v.parseJson(), state),
});

/** The columns that a task needs to be read. */
export const taskColumns = 'id, status, request, state';

/** A task as columns; the order is that of `id, status, live, unsaved, prompt, request, state`. */
export function toRow(task: Task): [string, string, number, number, string, string, string] {
  const { id, status, request, ...state } = task;
  return [
    id,
    status,
    isLive(task) ? 1 : 0,
    task.results.some(({ state: at, incoming }) => at === 'incoming' || incoming !== undefined) ? 1 : 0,
    request.prompt,
    JSON.stringify(request),
    JSON.stringify(state),
  ];
}

/** The task that a row holds; undefined when the row is damaged or was written by hand. */
export function fromRow(columns: unknown): Task | undefined {
  const parsed = v.safeParse(row, columns);
  if (!parsed.success) {
    return undefined;
  }
  const { id, status, request, state } = parsed.output;
  return { id, status, request, ...state };
}

/** Most images of one run: more than any service makes at once, and no more than a person can look through. */
export const mostImages = 100;

const newRequest = v.object({
  ...request.entries,
  n: v.pipe(request.entries.n, v.maxValue(mostImages, `One run makes ${mostImages} images at most.`)),
});

/** Why a request that came from outside cannot be kept, in a sentence; undefined when it can. */
export function problemOf(value: unknown): string | undefined {
  const parsed = v.safeParse(newRequest, value);
  if (parsed.success) {
    return undefined;
  }
  const [issue] = parsed.issues;
  return `${v.getDotPath(issue) ?? 'request'}: ${issue.message}`;
}
