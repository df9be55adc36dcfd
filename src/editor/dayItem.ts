import * as vscode from 'vscode';
import type { DayRow } from './taskNode.ts';

/** The row of a day: Today, Yesterday or its date. */
export function dayItem({ start }: DayRow, now = Date.now()): vscode.TreeItem {
  const today = new Date(now).setHours(0, 0, 0, 0);
  // Half a day before midnight is yesterday, also when the clocks changed.
  const yesterday = new Date(today - 12 * 60 * 60_000).setHours(0, 0, 0, 0);
  const recent = start >= yesterday;
  const item = new vscode.TreeItem(
    dayLabel(start, today, yesterday),
    recent ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = `day/${start}`;
  return item;
}

/** Milliseconds until the labels of days change. */
export function untilTomorrow(now = Date.now()): number {
  return new Date(now).setHours(24, 0, 0, 0) - now;
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
