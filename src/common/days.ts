/** Returns the midnight that a time's day began with, in Unix milliseconds. */
export function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** Returns the midnight that the day before began with: days around a clock change have 23 or 25 hours. */
export function startOfYesterday(now: number): number {
  return startOfDay(startOfDay(now) - 12 * 3_600_000);
}
