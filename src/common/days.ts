/** Returns the midnight that a time's day began with, in Unix milliseconds. */
export function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** Returns the midnight that the day before began with: days around a clock change have 23 or 25 hours. */
export function startOfYesterday(now: number): number {
  return startOfDay(startOfDay(now) - 12 * 3_600_000);
}

/** Returns the time of day, "14:05", or with seconds, "14:05:30". */
export function clockTime(time: number, language?: string, second?: '2-digit'): string {
  const format = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Date(time).toLocaleTimeString(language, { ...format, ...(second && { second }) });
}
