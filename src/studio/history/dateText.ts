import * as l10n from '@vscode/l10n';

/** Returns a time in words: of today and yesterday by the day's name, of other days by the date. */
export function dateText(time: number, now: number): string {
  const today = new Date(now).setHours(0, 0, 0, 0);
  // Days around a clock change have 23 or 25 hours.
  const yesterday = new Date(today - 12 * 3_600_000).setHours(0, 0, 0, 0);
  const date = new Date(time);
  const hour = date.toLocaleTimeString(undefined, { timeStyle: 'short' });
  switch (new Date(time).setHours(0, 0, 0, 0)) {
    case today:
      return l10n.t('Today, {0}', hour);
    case yesterday:
      return l10n.t('Yesterday, {0}', hour);
    default:
      return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  }
}
