/** What of a picture says whether it can still become a file. */
interface Picture {
  state: string;
  url?: string;
  incoming?: string;
  isText?: true;
  surplus?: true;
  error?: { code: string };
}

/** What of a task says the same of all its pictures. */
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

/** How long a service keeps pictures from when they are made (docs/service.md, "Limits"), in milliseconds. */
export const retention = 6 * 60 * 60_000;

/** A task that nothing is heard of may be worked on for so long, in milliseconds. */
export const maxSilence = 24 * 60 * 60_000;

/** Whether the bytes of a picture are here, and may be saved. */
export function hasImage({ incoming, error }: Picture): boolean {
  return incoming !== undefined && error?.code !== 'unsupported_image';
}

/** Whether a picture would have to be fetched. */
export function lacksBytes({ state, incoming, isText }: Picture): boolean {
  return state !== 'saved' && (incoming === undefined || isText === true);
}

/** Whether a picture that is no file can be asked for where the service said that it is. */
export function canBeFetched({ state, url }: Picture): boolean {
  return state !== 'saved' && url !== undefined;
}

/** Whether a picture that is no file can become one without being paid for again. */
export function canBeSaved(picture: Picture): boolean {
  return canBeFetched(picture) || (picture.state !== 'saved' && hasImage(picture));
}

/** Whether a picture is fetched although no person says so. */
export function isAskedFor({ surplus }: Picture): boolean {
  return !surplus;
}

/** Whether pictures of an ended task can be saved, from here or from where the service said that they are. */
export function canSaveAgain({ status, results }: EndedTask): boolean {
  return ['completed', 'failed', 'expired'].includes(status) && results.some(canBeSaved);
}

/**
 * Whether the service can be asked again for what became of a task: it gave an id, and nothing final was heard of it.
 * Only a failure that the service itself told is; what it failed it refunds.
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
 * Whether an ended task may still bring a picture that would have to be fetched, without being paid for again: until
 * the service has kept it for as long as it does.
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
