import * as l10n from '@vscode/l10n';
import { startOfDay, startOfYesterday } from '../../common/days.ts';

/** As in the task list. */
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Returns a time in words: of today and yesterday by the day's name, of other days by the date. */
export function dateText(time: number, now: number): string {
  const date = new Date(time);
  const hour = date.toLocaleTimeString(undefined, clock);
  switch (startOfDay(time)) {
    case startOfDay(now):
      return l10n.t('Today, {0}', hour);
    case startOfYesterday(now):
      return l10n.t('Yesterday, {0}', hour);
    default:
      return `${date.toLocaleDateString(undefined, { dateStyle: 'medium' })}, ${hour}`;
  }
}
