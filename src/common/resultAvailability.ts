/** The part of an image that says whether it can still be saved. */
interface Picture {
  state: string;
  url?: string;
  stagedPath?: string;
  isText?: true;
  surplus?: true;
  error?: { code: string; phase?: string; status?: number; sent?: boolean };
}

/** The part of a task that says it of all its images. */
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

/** How many images a task was to bring. */
export interface ImageCounts {
  asked: number;
  /** Those whose bytes came; one that came twice in an answer counts once. */
  received: number;
  missing: number;
}

/** Counts the images of a task, without those that a service lists beyond what was asked for. */
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
 * How long a task may be worked on without news, or without a single response, in milliseconds; then it is stopped,
 * resumable.
 */
export const maxSilence = 24 * 60 * 60_000;

/** Whether the bytes of an image are here and may be saved. */
export function hasImage({ stagedPath, error }: Picture): boolean {
  return stagedPath !== undefined && error?.code !== 'unsupported_image';
}

/** Whether an image would have to be fetched. */
export function lacksBytes({ state, stagedPath, isText }: Picture): boolean {
  return state !== 'saved' && (stagedPath === undefined || isText === true);
}

/** Whether an image that isn't saved has a URL to be fetched from. */
export function canBeFetched({ state, url }: Picture): boolean {
  return state !== 'saved' && url !== undefined;
}

/** Whether an image that isn't saved can still be, without being paid for again. */
export function canBeSaved(picture: Picture): boolean {
  return canBeFetched(picture) || (picture.state !== 'saved' && hasImage(picture));
}

/** Returns the URL of an image whose host gives it to others, but not to Limner: a person may open it. */
export function urlToOpen({ state, url, error }: Picture): string | undefined {
  const isRefused = error?.code === 'protocol' && error.phase === 'download' && error.sent !== false;
  return state !== 'saved' && isRefused ? url : undefined;
}

/** Whether an image's host refuses it to those who bring no key. */
export function wantsKey({ state, error }: Picture): boolean {
  return state !== 'saved' && error?.code === 'protocol' && (error.status === 401 || error.status === 403);
}

/** Returns the path of data that came as an image, and that Limner can't process. */
export function unsupportedData({ stagedPath, error }: Picture): string | undefined {
  return error?.code === 'unsupported_image' ? stagedPath : undefined;
}

/** Whether an image is fetched without a person saying so. */
export function isAskedFor({ surplus }: Picture): boolean {
  return !surplus;
}

/** Whether images of an ended task can be saved, from here or from their URLs. */
export function canSaveAgain({ status, results }: EndedTask): boolean {
  return ['completed', 'failed', 'expired'].includes(status) && results.some(canBeSaved);
}

/**
 * Whether the service can be asked again about a task: it gave an id, and reported nothing final. Only a failure that
 * the service itself reported is final; what it failed it refunds.
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
 * Whether an ended task may still bring an image that would have to be fetched, without being paid for again: as long
 * as the service keeps it.
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

/** How long replaced and discarded images are kept, and what the service sent for finished ones, in milliseconds. */
export const filesKept = 30 * 24 * 3_600_000;

/** Returns what an image replaced, as long as it can be restored. */
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

/** Whether a file is kept that can only be restored from this image: what it replaced, or itself. */
export function keepsFile(
  image: { replacedOriginal?: { at: number }; discarded?: { at: number } },
  now = Date.now(),
): boolean {
  return restorable(image, now) !== undefined || isRecoverable(image, now);
}

function isKept({ at }: { at: number }, now: number): boolean {
  return now < at + filesKept;
}

/** The part of a task's image that says whether its file is whole. */
interface SavedImage {
  seemsCut?: true;
  damage?: string;
  finished?: { damage?: string } | { problem: string };
}

/** Whether an image was saved as received because processes ended over it: where there is more memory, it may be finished. */
export function canBeFinished(
  { request, status }: { request: { onBlack?: unknown }; status: string },
  { state, uri, finished, attempts = 0 }: SavedImage & { state: string; uri?: string; attempts?: number },
): boolean {
  const isSaved = status === 'completed' && state === 'saved' && uri?.startsWith('file:') === true;
  // Of two backgrounds, the second one would be paid for.
  const isProblem = finished !== undefined && 'problem' in finished && attempts > 0;
  return isSaved && isProblem && request.onBlack === undefined;
}

/** Whether nothing is known to be missing or wrong in the file of an image, or in the one that it was made of. */
export function isWhole(image: SavedImage): boolean {
  return !image.seemsCut && damageIn(image) === undefined;
}

/** Returns what is wrong with the file of an image, or with the one that it was made of, in English. */
export function damageIn({ damage, finished }: SavedImage): string | undefined {
  return damage ?? (finished && 'damage' in finished ? finished.damage : undefined);
}
