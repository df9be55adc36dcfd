/** Returns the midnight at which the day of a time began, in Unix milliseconds. */
export function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** Returns the midnight at which yesterday began. Days with a clock change have 23 or 25 hours. */
export function startOfYesterday(now: number): number {
  return startOfDay(startOfDay(now) - 12 * 3_600_000);
}

export function startOfNextDay(time: number): number {
  return new Date(time).setHours(24, 0, 0, 0);
}

export function startOfMonth(time: number): number {
  return startOfDay(new Date(time).setDate(1));
}

/** Formatters by language, and by whether they show seconds. Creating one takes most of the time of a row. */
const clocks = new Map<string, Intl.DateTimeFormat>();

/** Returns the time of day, "14:05", or with seconds, "14:05:30". */
export function clockTime(time: number, language?: string, second?: '2-digit'): string {
  const name = `${language} ${second}`;
  let clock = clocks.get(name);
  if (!clock) {
    const format = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    clock = new Intl.DateTimeFormat(language, { ...format, ...(second && { second }) });
    clocks.set(name, clock);
  }
  const date = new Date(time);
  // A row that was edited by hand may hold any number.
  return Number.isNaN(date.getTime()) ? String(date) : clock.format(date);
}
