import { isSameFile } from '../../common/fileUris.ts';
import {
  canBeFetched,
  canBeResumed,
  canSaveAgain,
  hasImage,
  isAskedFor,
  isStillAvailable,
  maxSilence,
  retention,
  isTerminal,
} from '../../common/taskStatus.ts';
import type { SaveTarget, Task, TaskRequest } from './task.ts';
import { firstIdAt } from './taskId.ts';

/** Identifies an image by its place in a document, or else by its file. */
export interface ImagePlace {
  reference?: TaskRequest['reference'] | undefined;
  target: Pick<SaveTarget, 'folder' | 'fileName'>;
}

/** An image that is made only once, whoever asks for it. Times are in Unix milliseconds. */
export type Claim =
  /** A call of an agent, by its digest. */
  | { call: string }
  /** An image that a document needs. At `askedAt`, the user was asked about ended tasks that can be resumed. */
  | { place: ImagePlace; readAt: number; askedAt?: number | undefined }
  /** The image of a failed task; `lookedAt` is when the disk was last searched for its file. */
  | { insteadOf: Pick<Task, 'id' | 'request'>; lookedAt: number };

/**
 * How long a task still stands for the same call once its outcome was delivered, in milliseconds: agents repeat calls
 * whose replies they lost.
 */
const repeatTime = 60_000;

/** Returns the indexed column that finds the tasks of a claim, and its value. */
export function keyOf(claim: Claim): readonly [column: 'call' | 'claim', value: string] {
  if ('call' in claim) {
    return ['call', claim.call];
  }
  const { reference, target } = placeOf(claim);
  // Many places share the address of a placeholder.
  return ['claim', reference ? `${reference.address}\n${reference.words ?? ''}` : target.fileName];
}

/**
 * Whether a task stands for a claim, so that no other one is sent: it is running, waits to be saved, or has just
 * delivered.
 *
 * @param task has the value of `keyOf`
 * @param now in Unix milliseconds
 */
export function standsFor(claim: Claim, task: Task, now: number): boolean {
  if ('call' in claim) {
    return standsForCall(task, now);
  }
  const { id, request, results } = task;
  const place = placeOf(claim);
  if (!isFor(request, place)) {
    return false;
  }
  const isOnTheWay = !isTerminal(task.status) || (canSaveAgain(task) && hasImageFor(task, now));
  const isSaved = results.some(({ state }) => state === 'saved');
  if ('insteadOf' in claim) {
    const { insteadOf: failed, lookedAt } = claim;
    if (id === failed.id) {
      return !isTerminal(task.status) || isSaved;
    }
    // An image that was saved earlier belongs to an earlier request, unless both are of one batch.
    const isOfBatch = request.batch !== undefined && request.batch.id === failed.request.batch?.id;
    const isSavedSince = place.reference ? id > failed.id || isOfBatch : endOf(task) >= lookedAt;
    return isOnTheWay || (isSaved && isSavedSince);
  }
  const { readAt, askedAt = Infinity } = claim;
  // The document may not have shown it when it was read.
  const isSavedSince = isSaved && endOf(task) >= readAt;
  const isResumable = canBeResumed(task) && isStillAvailable(task, now);
  return isOnTheWay || isSavedSince || (isResumable && endOf(task) > askedAt);
}

/** Whether an ended task can still bring an image that was paid for. @param now in Unix milliseconds */
export function bringsImages(task: Task, now: number): boolean {
  const { createdAt, submittedAt = createdAt, completedAt = submittedAt, error, results } = task;
  const images = results.filter((one) => one.state !== 'saved' && isAskedFor(one));
  const isKept = now < completedAt + retention && error?.code !== 'task_not_found';
  return (
    images.some(hasImage) ||
    (isKept &&
      (canBeResumed(task) ||
        images.some((one) => canBeFetched(one) && one.error?.code !== 'unsupported_image')))
  );
}

/** Whether a requested image is here, or still at the service. */
function hasImageFor(task: Task, now: number): boolean {
  const isAvailable = isStillAvailable(task, now);
  return task.results.some(
    (one) =>
      one.state !== 'saved' && isAskedFor(one) && (hasImage(one) || (isAvailable && canBeFetched(one))),
  );
}

/**
 * Whether a task stands for the same call of an agent: it began within a day, and runs, can still bring its images, or
 * may have been billed and was not delivered before now.
 */
function standsForCall(task: Task, now: number): boolean {
  const { id, status, error, deliveredAt } = task;
  const wasFree = error?.billing === 'no' || error?.billing === 'refunded';
  const costNothing = (status === 'failed' || status === 'stopped') && wasFree;
  // An image that was saved after a delivery was not delivered. The clock may have been ahead at that time.
  const isRecent =
    deliveredAt === undefined || deliveredAt < endOf(task)
      ? now - endOf(task) < retention
      : Math.abs(now - deliveredAt) < repeatTime;
  return (
    id >= firstIdAt(now - maxSilence) &&
    (!isTerminal(status) || (!costNothing && (isRecent || bringsImages(task, now))))
  );
}

function placeOf(claim: Exclude<Claim, { call: string }>): ImagePlace {
  return 'place' in claim ? claim.place : placeAsked(claim.insteadOf.request);
}

/** An image on white is only the first half of a request. */
function placeAsked({ reference, target: { folder, fileName }, onBlack }: TaskRequest): ImagePlace {
  return { reference, target: { folder, fileName: onBlack?.fileName ?? fileName } };
}

function isFor(request: TaskRequest, place: ImagePlace): boolean {
  const { target, reference } = placeAsked(request);
  return place.reference
    ? reference !== undefined &&
        reference.address === place.reference.address &&
        reference.words === place.reference.words &&
        isSameFile(reference.document, place.reference.document)
    : !reference &&
        target.fileName === place.target.fileName &&
        isSameFile(target.folder, place.target.folder);
}

function endOf({ createdAt, finishedAt = createdAt }: Task): number {
  return finishedAt;
}
