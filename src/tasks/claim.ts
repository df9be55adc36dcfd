import { isSameFile } from '../common/disk/fileUris.ts';
import {
  canBeFetched,
  canBeResumed,
  canSaveAgain,
  hasImage,
  isAskedFor,
  isStillAvailable,
  maxSilence,
} from '../common/resultAvailability.ts';
import { isTerminal } from '../common/taskStatus.ts';
import type { SaveTarget, Task, TaskRequest } from './task.ts';
import { firstIdAt } from './taskId.ts';

/** Tells an image from others: by its place in a document, or else by its file. */
export interface Place {
  reference?: TaskRequest['reference'] | undefined;
  target: Pick<SaveTarget, 'folder' | 'fileName'>;
}

/** An image that is made once, whoever asks for it, and what the asker knows. Times are in Unix milliseconds. */
export type Claim =
  /** A call of an agent, by its digest. */
  | { call: string }
  /** An image that a document needs. At `askedAt`, the user was asked about ended tasks that can be resumed. */
  | { place: Place; readAt: number; askedAt?: number | undefined }
  /** The image of a task that failed; `lookedAt` is when the disk was last looked at for its file. */
  | { insteadOf: Pick<Task, 'id' | 'request'>; lookedAt: number };

/** How long after its end a task still stands for the same call, in milliseconds: agents repeat what they lost. */
const repeatTime = 60_000;

/** Returns the indexed column by which the tasks of a claim are found, and its value. */
export function keyOf(claim: Claim): readonly [column: 'call' | 'claim', value: string] {
  if ('call' in claim) {
    return ['call', claim.call];
  }
  const { reference, target } = placeOf(claim);
  // Many places share the address of a placeholder.
  return ['claim', reference ? `${reference.address}\n${reference.words ?? ''}` : target.fileName];
}

/**
 * Whether a task stands for a claim, so that no other one is sent: it is at work on it, waits to be saved, or has just
 * brought it.
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
    // An image saved earlier belongs to an earlier request, unless both are of one batch.
    const isOfBatch = request.batch !== undefined && request.batch.id === failed.request.batch?.id;
    const isSavedSince = place.reference ? id > failed.id || isOfBatch : endOf(task) >= lookedAt;
    return isOnTheWay || (isSaved && isSavedSince);
  }
  const { readAt, askedAt = Infinity } = claim;
  // The document, as it was read, doesn't show it yet.
  const isSavedSince = isSaved && endOf(task) >= readAt;
  const isResumable = canBeResumed(task) && isStillAvailable(task, now);
  return isOnTheWay || isSavedSince || (isResumable && endOf(task) > askedAt);
}

/** Whether an image that was asked for is here, or still at the service. */
function hasImageFor(task: Task, now: number): boolean {
  const isAvailable = isStillAvailable(task, now);
  return task.results.some(
    (one) =>
      one.state !== 'saved' && isAskedFor(one) && (hasImage(one) || (isAvailable && canBeFetched(one))),
  );
}

/**
 * Whether a task stands for the same call of an agent: it was begun within a day, and runs or ended just now and may have
 * been billed.
 */
function standsForCall(task: Task, now: number): boolean {
  const { id, status, error } = task;
  const wasFree = error?.billing === 'no' || error?.billing === 'refunded';
  const costNothing = (status === 'failed' || status === 'stopped') && wasFree;
  // A clock that was ahead then, and was set right, makes no time since.
  const isRecent = Math.abs(now - endOf(task)) < repeatTime;
  return id >= firstIdAt(now - maxSilence) && (!isTerminal(status) || (isRecent && !costNothing));
}

function placeOf(claim: Exclude<Claim, { call: string }>): Place {
  return 'place' in claim ? claim.place : placeAsked(claim.insteadOf.request);
}

/** An image on white is the first half of another. */
function placeAsked({ reference, target: { folder, fileName }, onBlack }: TaskRequest): Place {
  return { reference, target: { folder, fileName: onBlack?.fileName ?? fileName } };
}

function isFor(request: TaskRequest, place: Place): boolean {
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
