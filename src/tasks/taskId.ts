import { randomBytes } from 'node:crypto';

// Crockford's base 32 in lower case: no i, l, o, u; sorts as its numbers do.
const digits = '0123456789abcdefghjkmnpqrstvwxyz';

let last = 0;

/**
 * A new task id that sorts by time of creation: 9 digits of Unix milliseconds, then 8 random ones. Ids made in
 * one process always grow, also within a millisecond or when the clock is set back.
 */
export function newTaskId(now: number): string {
  last = Math.max(now, last + 1);
  let time = '';
  for (let rest = last; time.length < 9; rest = Math.floor(rest / 32)) {
    time = (digits[rest % 32] ?? '') + time;
  }
  const random = Array.from(randomBytes(8), (byte) => digits[byte % 32]).join('');
  return time + random;
}
