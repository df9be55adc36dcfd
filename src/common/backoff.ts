/** How long to wait before the next try, after so many that failed: twice as long each time, up to a limit. */
export function backoff(failures: number, first: number, max: number): number {
  return Math.min(first * 2 ** failures, max);
}
