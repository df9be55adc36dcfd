/** The statuses of a task, with the service's own words where it has them. */
export const taskStatuses = [
  'waiting',
  'submitting',
  'queued',
  'in_progress',
  'needs_key',
  'saving',
  'completed',
  'failed',
  'unknown',
  'stopped',
  'expired',
] as const;

export type TaskStatus = (typeof taskStatuses)[number];

/** Groups of statuses, in the order of the task list. */
export type Standing = 'running' | 'paused' | 'ended';

interface Task {
  status: TaskStatus;
  held?: true;
}

const standings: Record<TaskStatus, Standing> = {
  waiting: 'running',
  submitting: 'running',
  queued: 'running',
  in_progress: 'running',
  needs_key: 'paused',
  saving: 'running',
  completed: 'ended',
  failed: 'ended',
  unknown: 'ended',
  stopped: 'ended',
  expired: 'ended',
};

/** Returns the group of a task; `TaskStore.unfinished` returns those that run or are paused. */
export function standingOf({ status, held }: Task): Standing {
  return held && !isTerminal(status) ? 'paused' : standings[status];
}

/** Returns the statuses that belong to a group, for tasks that are not held. */
export function statusesOf(standing: Standing): TaskStatus[] {
  return taskStatuses.filter((status) => standings[status] === standing);
}

export function isTerminal(status: TaskStatus): boolean {
  return standings[status] === 'ended';
}

export function isRunning(task: Task): boolean {
  return standingOf(task) === 'running';
}

/** Whether a window holds the task's lease: it works on the task, or waits for its key. */
export function isLive({ status, held }: Task): boolean {
  return !isTerminal(status) && !held;
}

interface Picture {
  state: string;
  url?: string;
  stagedPath?: string;
  isText?: true;
  surplus?: true;
  error?: { code: string; phase?: string; status?: number; sent?: boolean };
}

interface EndedTask {
  status: string;
  createdAt: number;
  submittedAt?: number;
  completedAt?: number;
  finishedAt?: number;
  remoteId?: string;
  error?: { billing?: string };
  results: readonly Picture[];
}

/** How many images a task was expected to bring. */
export interface ImageCounts {
  asked: number;
  /** Images whose bytes arrived. An image that a response contains twice counts once. */
  received: number;
  missing: number;
}

/** Counts the images of a task, without extra ones that the service returned beyond the request. */
export function imageCounts({
  request: { n },
  results,
}: {
  request: { n: number };
  results: readonly Picture[];
}): ImageCounts {
  const received = results.filter(
    (result) => isAskedFor(result) && (result.state === 'saved' || hasImage(result)),
  ).length;
  return { asked: n, received, missing: Math.max(0, n - received) };
}

/** How long a service keeps images (docs/service.md, "Limits"), in milliseconds. */
export const retention = 6 * 60 * 60_000;

/**
 * How long a task may be worked on without news, or without any response, in milliseconds. After that it is stopped,
 * and can be resumed.
 */
export const maxSilence = 24 * 60 * 60_000;

/** Whether the bytes of an image are on disk and may be saved. */
export function hasImage({ stagedPath, error }: Picture): boolean {
  return stagedPath !== undefined && error?.code !== 'unsupported_image';
}

export function lacksBytes({ state, stagedPath, isText }: Picture): boolean {
  return state !== 'saved' && (stagedPath === undefined || isText === true);
}

export function canBeFetched({ state, url }: Picture): boolean {
  return state !== 'saved' && url !== undefined;
}

/** Whether an unsaved image can still be saved without paying again. */
export function canBeSaved(picture: Picture): boolean {
  return canBeFetched(picture) || (picture.state !== 'saved' && hasImage(picture));
}

/** Returns the URL of an image whose host refuses Limner but may serve a browser, for the user to open. */
export function urlToOpen({ state, url, error }: Picture): string | undefined {
  const isRefused = error?.code === 'protocol' && error.phase === 'download' && error.sent !== false;
  return state !== 'saved' && isRefused ? url : undefined;
}

export function wantsKey({ state, error }: Picture): boolean {
  return state !== 'saved' && error?.code === 'protocol' && (error.status === 401 || error.status === 403);
}

/** Returns the path of data that arrived as an image but that Limner can't process. */
export function unsupportedData({ stagedPath, error }: Picture): string | undefined {
  return error?.code === 'unsupported_image' ? stagedPath : undefined;
}

/** Whether an image is fetched automatically. */
export function isAskedFor({ surplus }: Picture): boolean {
  return !surplus;
}

/** Whether images of an ended task can be saved, from disk or from their URLs. */
export function canSaveAgain({ status, results }: EndedTask): boolean {
  return ['completed', 'failed', 'stopped', 'expired'].includes(status) && results.some(canBeSaved);
}

/**
 * Whether the service can be asked again about a task: it returned an id, and reported no final outcome. Only a
 * failure that the service itself reported is final; it refunds those.
 */
export function canBeResumed({ status, remoteId, error, results }: EndedTask): boolean {
  if (remoteId === undefined) {
    return false;
  }
  switch (status) {
    case 'stopped':
    case 'needs_key':
    case 'expired':
      return true;
    case 'failed':
      return error?.billing !== 'refunded' && (results.length === 0 || results.some(lacksBytes));
    default:
      return false;
  }
}

/**
 * Whether an ended task may still bring an image that has to be fetched, without paying again: as long as the service
 * keeps it.
 *
 * @param now in Unix milliseconds
 */
export function isStillAvailable(task: EndedTask, now: number): boolean {
  const { createdAt, submittedAt = createdAt, finishedAt = createdAt, completedAt, results } = task;
  const until =
    completedAt === undefined
      ? Math.max(submittedAt + maxSilence, finishedAt + retention)
      : completedAt + retention;
  return now < until && (canBeResumed(task) || results.some(canBeFetched));
}

/** Returns how many images of a task are not files yet, although they were or may have been paid for. */
export function imagesToCome(
  task: EndedTask & { status: TaskStatus; held?: true; request: { n: number } },
  now: number,
): number {
  const { status, held, results, request } = task;
  const saved = results.filter(({ state }) => state === 'saved').length;
  const here = results.filter((result) => result.state !== 'saved' && hasImage(result)).length;
  const isExpected = isTerminal(status) ? isStillAvailable(task, now) : !held;
  return Math.max(here, isExpected ? request.n - saved : 0);
}

/** How long to keep replaced and discarded images, and the originals of finished ones, in milliseconds. */
export const filesKept = 30 * 24 * 3_600_000;

/** Returns the file that an image replaced, while it can be restored. */
export function restorable<T extends { at: number }>(
  { replacedOriginal }: { replacedOriginal?: T },
  now = Date.now(),
): T | undefined {
  return replacedOriginal && isKept(replacedOriginal, now) ? replacedOriginal : undefined;
}

/** Whether an image is discarded and can be restored. */
export function isRecoverable({ discarded }: { discarded?: { at: number } }, now = Date.now()): boolean {
  return discarded !== undefined && isKept(discarded, now);
}

/** Whether this image is the only way to restore a kept file: the image itself, or the one it replaced. */
export function keepsFile(
  image: { replacedOriginal?: { at: number }; discarded?: { at: number } },
  now = Date.now(),
): boolean {
  return restorable(image, now) !== undefined || isRecoverable(image, now);
}

function isKept({ at }: { at: number }, now: number): boolean {
  return now < at + filesKept;
}

interface SavedImage {
  seemsCut?: true;
  damage?: string;
  finished?: { damage?: string } | { problem: string };
}

/** Whether an image was saved as received for lack of memory. It may be finished where there is more. */
export function canBeFinished(
  { request, status }: { request: { onBlack?: unknown }; status: string },
  { state, uri, finished, attempts = 0 }: SavedImage & { state: string; uri?: string; attempts?: number },
): boolean {
  const isSaved = status === 'completed' && state === 'saved' && uri?.startsWith('file:') === true;
  // An image on two backgrounds would need a second paid request.
  const isProblem = finished !== undefined && 'problem' in finished && attempts > 0;
  return isSaved && isProblem && request.onBlack === undefined;
}

/** Whether no damage is known in the file of an image or in its original. */
export function isWhole(image: SavedImage): boolean {
  return !image.seemsCut && damageIn(image) === undefined;
}

/** Returns the damage in the file of an image or in its original, in English. */
export function damageIn({ damage, finished }: SavedImage): string | undefined {
  return damage ?? (finished && 'damage' in finished ? finished.damage : undefined);
}

interface Cutout {
  verdict: string;
  reasons: readonly { flaw: string }[];
  keptAnyway?: true;
}

/** Flaws of images from which nothing was cut out, so that there is nothing to keep. */
const nothingCut = new Set(['opaque', 'no_ground', 'same_ground', 'size', 'subject', 'full']);

/** Whether a cutout that was refused, because its check failed, can be kept nevertheless. */
export function canBeKept({ verdict, reasons, keptAnyway }: Cutout): boolean {
  return verdict === 'bad' && !keptAnyway && reasons.every(({ flaw }) => !nothingCut.has(flaw));
}

/** Whether a cutout is there, and may have see-through areas that are meant to be solid. */
export function mayBeSolid({ verdict, reasons, keptAnyway }: Cutout): boolean {
  const isThere = verdict !== 'bad' || keptAnyway === true;
  return isThere && reasons.some(({ flaw }) => flaw === 'half' || flaw === 'uncertain');
}
