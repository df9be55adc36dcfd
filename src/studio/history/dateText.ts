import * as l10n from '@vscode/l10n';
import { clockTime, startOfDay, startOfYesterday } from '../../common/days.ts';

/** Returns a time in words: of today and yesterday by the day's name, of other days by the date. */
export function dateText(time: number, now: number, language: string): string {
  const date = new Date(time);
  const hour = clockTime(time, language);
  switch (startOfDay(time)) {
    case startOfDay(now):
      return l10n.t('Today, {0}', hour);
    case startOfYesterday(now):
      return l10n.t('Yesterday, {0}', hour);
    default:
      return `${date.toLocaleDateString(language, { dateStyle: 'medium' })}, ${hour}`;
  }
}
