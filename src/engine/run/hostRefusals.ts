import * as english from '../../common/english.ts';
import type { ErrorRecord } from '../../common/limnerError.ts';

/** How many times in a row an image's host must ask for a sign-in (401) before that is final. */
const signInsBelieved = 5;
/** How long, in milliseconds, and how often a host must send something else than the image before that is final. */
export const refusalBelievedAfter = 10 * 60_000;
const leastTimes = 5;

/** Longest pauses between two tries, in milliseconds. Five sign-in requests are seen within two minutes. */
const maxSignInPause = 20_000;
const maxPause = 60_000;
const firstPause = 2000;

/** An image's host that has sent something else than the image since this time (Unix milliseconds). */
export interface Refusal {
  since: number;
  times: number;
  /** How many times in a row it asked for a sign-in. */
  signIns: number;
}

/**
 * Returns the state of an image's host after another answer; undefined if it refuses nothing. A network failure in
 * between says nothing about the host.
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

/** Whether a host sent something else than the image, rather than nothing at all. */
export function isRefusal({ code, status, sent }: ErrorRecord): boolean {
  return (code === 'protocol' && sent !== false) || (code === 'result_expired' && status === 403);
}

/** Whether a host is no longer asked automatically. */
export function isFinal({ since, times, signIns }: Refusal, now: number): boolean {
  return signIns >= signInsBelieved || (times >= leastTimes && now - since >= refusalBelievedAfter);
}

/** Returns the pause before the next try in milliseconds. The last try comes just when the refusal becomes final. */
export function pauseAfterRefusal({ since, signIns }: Refusal, now: number): number {
  const passed = now - since;
  const longest = signIns > 0 ? maxSignInPause : maxPause;
  return Math.max(firstPause, Math.min(passed, longest, refusalBelievedAfter - passed));
}

/** Adds the reason to the error from the second refusal in a row. */
export function explained(error: ErrorRecord, refusal: Refusal, now: number): ErrorRecord {
  const { status } = error;
  if (status === 401 || status === 403) {
    const message = english.t(
      "The image's host refuses access (HTTP {0}): results are fetched without the API key, which is sent to no image host.",
      status,
    );
    return refusal.times > 1 ? { ...error, code: 'protocol', message } : error;
  }
  return isFinal(refusal, now)
    ? { ...error, message: english.t('{0} Limner tried for 10 minutes.', error.message) }
    : error;
}
