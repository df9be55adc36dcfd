import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

/** How long something is waited for, and how often it is checked, in milliseconds. */
const limit = 60_000;
const interval = 20;

/**
 * Checks again and again until the value passes, and returns it.
 *
 * @throws Error that says what was seen last, when that takes more than a minute
 */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T>,
  isGood: (seen: T) => boolean,
): Promise<T> {
  let last: T | undefined;
  const look = async (): Promise<T> => {
    for (const end = performance.now() + limit; performance.now() < end; await sleep(interval)) {
      last = await probe();
      if (isGood(last)) {
        return last;
      }
    }
    throw notWithin(what, last);
  };
  return within(what, look(), () => last);
}

/**
 * Waits for something that tells of itself.
 *
 * @param seen what there is to see of it by now
 * @throws Error that says what was seen last, when that takes more than a minute
 */
export async function within<T>(what: string, event: Promise<T>, seen: () => unknown): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(notWithin(what, seen())), limit);
  // It may fail later, when nobody waits for it any more.
  event.catch(() => undefined);
  try {
    return await Promise.race([event, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function notWithin(what: string, seen: unknown): Error {
  return new Error(`${what}: not within ${limit / 1000} s. Seen last: ${inspect(seen)}`);
}
