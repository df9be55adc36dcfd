import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';

/** How long something is waited for, and how often it is looked at, in milliseconds. */
const limit = 30_000;
const interval = 20;

/**
 * Looks again and again until what is seen will do, and returns it.
 *
 * @throws Error that says what was seen last, when that takes more than 30 s
 */
export async function eventually<T>(
  what: string,
  look: () => Promise<T>,
  isGood: (seen: T) => boolean,
): Promise<T> {
  for (const end = performance.now() + limit; ;) {
    const seen = await look();
    if (isGood(seen)) {
      return seen;
    }
    if (performance.now() > end) {
      throw new Error(`${what}: not within ${limit / 1000} s. Seen last: ${inspect(seen)}`);
    }
    await setTimeout(interval);
  }
}
