import { randomBytes } from 'node:crypto';

// Crockford's base 32 in lower case: no i, l, o, u; sorts like its numbers.
const digits = '0123456789abcdefghjkmnpqrstvwxyz';

let last = 0;

/**
 * Returns a new task ID that sorts by creation time: 9 digits of Unix milliseconds, then 8 random ones. IDs made in one
 * process always grow, even within a millisecond or when the clock is set back.
 */
export function newTaskId(now: number): string {
  last = Math.max(now, last + 1);
  const random = Array.from(randomBytes(8), (byte) => digits[byte % 32]).join('');
  return firstIdAt(last) + random;
}

/** Returns a lower bound for the IDs of all tasks created at this time or later. */
export function firstIdAt(time: number): string {
  let id = '';
  for (let rest = Math.max(0, Math.floor(time)); id.length < 9; rest = Math.floor(rest / 32)) {
    id = (digits[rest % 32] ?? '') + id;
  }
  return id;
}
