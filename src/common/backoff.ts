/** Returns how long to wait after a number of failures, in milliseconds: twice as long each time, up to a limit. */
export function backoff(failures: number, first = 2000, max = 60_000): number {
  return Math.min(first * 2 ** failures, max);
}
