import type { ErrorRecord } from '../../common/limnerError.ts';

/** How often in a row an image's host must want a sign-in (401) until it is believed. */
const signInsBelieved = 5;
/** How long it must give something else than the image until it is believed, in milliseconds, and at least how often. */
export const refusalBelievedAfter = 10 * 60_000;
const leastTimes = 5;

/** The longest pauses between two tries, in milliseconds: five sign-ins are seen within two minutes. */
const maxSignInPause = 20_000;
const maxPause = 60_000;
const firstPause = 2000;

/** An image's host that has given something else than the image since then (Unix milliseconds), in a row. */
export interface Refusal {
  since: number;
  times: number;
  /** How often in a row it wanted a sign-in. */
  signIns: number;
}

/**
 * Returns what is known of an image's host after one more answer: undefined when it refuses nothing. A network that
 * fails in between says nothing about the host.
 */
export function refusalAfter(
  before: Refusal | undefined,
  error: ErrorRecord,
  now: number,
): Refusal | undefined {
  if (!isRefusal(error)) {
    return error.code === 'result_expired' ? undefined : before;
  }
  const { since = now, times = 0, signIns = 0 } = before ?? {};
  return { since, times: times + 1, signIns: error.status === 401 ? signIns + 1 : 0 };
}

/** Whether a host gave something else than the image, rather than nothing at all. */
export function isRefusal({ code, status, sent }: ErrorRecord): boolean {
  return (code === 'protocol' && sent !== false) || (code === 'result_expired' && status === 403);
}

/** Whether a host is not asked again by itself. */
export function isFinal({ since, times, signIns }: Refusal, now: number): boolean {
  return signIns >= signInsBelieved || (times >= leastTimes && now - since >= refusalBelievedAfter);
}

/** Returns how long to wait before the next try, in milliseconds: the last one comes when the patience ends. */
export function pauseAfterRefusal({ since, signIns }: Refusal, now: number): number {
  const passed = now - since;
  const longest = signIns > 0 ? maxSignInPause : maxPause;
  return Math.max(firstPause, Math.min(passed, longest, refusalBelievedAfter - passed));
}

/** Returns the error with the reason, once it is plain: from the second refusal in a row. */
export function explained(error: ErrorRecord, refusal: Refusal, now: number): ErrorRecord {
  const { status } = error;
  if (status === 401 || status === 403) {
    const message = `The image's host refuses access (HTTP ${status}): results are fetched without the API key, which is sent to no image host.`;
    return refusal.times > 1 ? { ...error, code: 'protocol', message } : error;
  }
  return isFinal(refusal, now)
    ? { ...error, message: `${error.message} Limner tried for 10 minutes.` }
    : error;
}
