import * as vscode from 'vscode';
import type { DayRow } from './taskNode.ts';

/** Whether the rows of a day show by default: today and yesterday. */
export function isRecent({ start }: DayRow, now = Date.now()): boolean {
  return start >= yesterdayOf(new Date(now).setHours(0, 0, 0, 0));
}

/** Returns the row of a day: Today, Yesterday or its date. */
export function dayItem(day: DayRow, now = Date.now()): vscode.TreeItem {
  const { start } = day;
  const today = new Date(now).setHours(0, 0, 0, 0);
  const item = new vscode.TreeItem(
    dayLabel(start, today, yesterdayOf(today)),
    isRecent(day, now) ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = `day/${start}`;
  return item;
}

/** Returns the milliseconds until the labels of days change. */
export function untilTomorrow(now = Date.now()): number {
  return new Date(now).setHours(24, 0, 0, 0) - now;
}

/** Returns the midnight of yesterday: half a day before midnight is yesterday even when the clocks changed. */
function yesterdayOf(today: number): number {
  return new Date(today - 12 * 60 * 60_000).setHours(0, 0, 0, 0);
}

function dayLabel(start: number, today: number, yesterday: number): string {
  if (start === today) {
    return vscode.l10n.t('Today');
  }
  if (start === yesterday) {
    return vscode.l10n.t('Yesterday');
  }
  const thisYear = new Date(start).getFullYear() === new Date(today).getFullYear();
  return new Date(start).toLocaleDateString(vscode.env.language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(!thisYear && { year: 'numeric' }),
  });
}
