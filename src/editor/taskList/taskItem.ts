import * as vscode from 'vscode';
import type { TaskStatus } from '../../common/taskStatus.ts';
import { taskContext } from '../names.ts';
import { availableActions } from '../availableActions.ts';
import { oneLine } from '../window/plainText.ts';
import type { DayRow, ImageRow, TaskRow } from './taskNode.ts';
import { isInInbox, savedImages, statusText, taskDescription, taskDetails, taskLabel } from './taskLabels.ts';

const inInbox = new vscode.ThemeIcon('inbox', new vscode.ThemeColor('problemsWarningIcon.foreground'));

/** Returns the row of a task, without its tooltip, which is made on demand. */
export function taskItem({ task }: TaskRow): vscode.TreeItem {
  const [image] = savedImages(task);
  const label = taskLabel(task);
  const description = taskDescription(task);
  const item = new vscode.TreeItem(
    label,
    image ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  item.id = task.id;
  item.description = description;
  item.iconPath = isInInbox(task) ? inInbox : iconOf(task.status);
  item.contextValue = [`${taskContext.task}.${task.status}`, ...availableActions(task)].join(' ');
  item.accessibilityInformation = {
    label: spokenLabel(oneLine(task.request.prompt), statusText(task), description),
  };
  if (image) {
    item.command = openCommand(vscode.Uri.parse(image.uri, true));
  }
  return item;
}

/** Returns the text for a screen reader; many descriptions start with the status, which is said once. */
function spokenLabel(label: string, status: string, description: string): string {
  return (description.startsWith(status) ? [label, description] : [label, status, description]).join(', ');
}

/** Returns the tooltip of a task: all that is known, as plain text. */
export function taskTooltip({ task }: TaskRow): vscode.MarkdownString {
  // A string would replace the row's accessible name.
  const tooltip = new vscode.MarkdownString();
  for (const [index, paragraph] of taskDetails(task).split('\n\n').entries()) {
    if (index > 0) {
      tooltip.appendMarkdown('\n\n');
    }
    for (const [position, line] of paragraph.split('\n').entries()) {
      if (position > 0) {
        tooltip.appendMarkdown('\\\n');
      }
      appendLine(tooltip, oneLine(line));
    }
  }
  return tooltip;
}

/**
 * Appends plain text that may wrap between its words, which `appendText` alone does not allow. The first space stays
 * non-breaking: a number before an ordinary one would start a list.
 */
function appendLine(tooltip: vscode.MarkdownString, line: string): void {
  const [first = '', second, ...words] = line.split(' ');
  tooltip.appendText(second === undefined ? first : `${first} ${second}`);
  for (const word of words) {
    tooltip.appendMarkdown(' ').appendText(word);
  }
}

/** Icons by status, with their colors. */
const icons: Record<TaskStatus, [icon: string, color?: string]> = {
  waiting: ['watch'],
  queued: ['watch'],
  submitting: ['loading~spin'],
  in_progress: ['loading~spin'],
  saving: ['loading~spin'],
  needs_key: ['key', 'problemsWarningIcon.foreground'],
  completed: ['pass', 'testing.iconPassed'],
  failed: ['error', 'problemsErrorIcon.foreground'],
  unknown: ['question', 'problemsWarningIcon.foreground'],
  stopped: ['eye-closed'],
  expired: ['circle-slash'],
};

function iconOf(status: TaskStatus): vscode.ThemeIcon {
  const [icon, color] = icons[status];
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** Returns the row of a saved image below its task; one whose file is missing says so and does nothing. */
export function imageItem(row: ImageRow): vscode.TreeItem {
  const { task, result, gone } = row;
  const uri = vscode.Uri.parse(result.uri, true);
  const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.None);
  item.id = `${task.id}/${result.index}`;
  if (gone) {
    item.description = vscode.l10n.t('missing');
    item.iconPath = new vscode.ThemeIcon('circle-slash');
    item.contextValue = taskContext.goneImage;
    return item;
  }
  item.description =
    result.width === undefined || result.height === undefined ? '' : `${result.width} × ${result.height}`;
  item.contextValue = task.request.kind === 'edit' ? taskContext.editedImage : taskContext.image;
  item.iconPath = vscode.ThemeIcon.File;
  item.command = openCommand(uri);
  return item;
}

/** Returns the command of a click: as in the Explorer it shows the image and leaves the focus in the list. */
function openCommand(uri: vscode.Uri): vscode.Command {
  return { command: 'vscode.open', title: vscode.l10n.t('Open Image'), arguments: [uri] };
}

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
