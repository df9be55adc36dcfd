import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { startOfDay, startOfYesterday } from '../../common/days.ts';
import { restorable, isRunning, type TaskStatus } from '../../common/taskStatus.ts';
import type { Task } from '../../engine/task/task.ts';
import { internalCommands, taskContext } from '../window/names.ts';
import {
  availableActions,
  cutoutActions,
  type TaskAction,
} from '../../engine/operations/availableActions.ts';
import { isBilledAgain } from '../../engine/operations/nextStep.ts';
import { nameOf } from '../window/files.ts';
import { rowLabel } from '../window/plainText.ts';
import type { ServiceNames } from '../window/serviceNames.ts';
import { originalOf } from './edits.ts';
import { isInInbox, statusText, waitReason } from '../../engine/messages/stateText.ts';
import type { RowFiles } from './rowFiles.ts';
import type { BatchRow, DayRow, ImageRow, TaskRow } from './taskNode.ts';
import { isLost, progressOf } from './batchProgress.ts';
import {
  areDiscarded,
  editedNames,
  endTime,
  flawOf,
  otherFolder,
  savedImages,
  taskDescription,
  taskTitle,
} from './taskLabels.ts';

export type Files = Pick<RowFiles, 'areGone' | 'picturedBy' | 'thumbnailOf'>;
type Services = Pick<ServiceNames, 'otherOf'>;

/** Actions that require existing files. */
const imageActions: ReadonlySet<TaskAction> = new Set(['images', 'oneImage', 'manyImages', 'oneEdit']);

/** Actions of a task on the row of an image whose file is missing. */
const goneActions: ReadonlySet<TaskAction> = new Set(['recover', 'remove', 'runAgain']);

const inInbox = new vscode.ThemeIcon('inbox', new vscode.ThemeColor('problemsWarningIcon.foreground'));

/** Returns the row of a task. Its tooltip is made on demand. */
export function taskItem(row: TaskRow, files: Files, services: Services): vscode.TreeItem {
  const { task } = row;
  const [image] = savedImages(task);
  const areGone = files.areGone(row);
  const title = taskTitle(task);
  const outcome = areGone ? `${missing()} · ${endTime(task)}` : taskDescription(task);
  const edited = editedLabel(task);
  const words = isRunning(task) ? [outcome, ...edited] : [...edited, outcome];
  const service = services.otherOf(task.request);
  const places = [...folderLabel(task), ...(service === undefined ? [] : [service])];
  const description = [...words, ...places].join(' · ');
  const item = new vscode.TreeItem(
    rowLabel(title),
    image ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  item.id = task.id;
  item.description = description;
  item.iconPath = areGone || areDiscarded(task) ? goneIcon : (files.thumbnailOf(row) ?? iconOf(task));
  const isEdit = originalOf(task) !== undefined;
  const actions = availableActions(task).filter(
    (action) => !(areGone && imageActions.has(action)) && (isEdit || action !== 'oneEdit'),
  );
  const billed = task.error && isBilledAgain(task.error, task) ? ['billedAgain'] : [];
  const gone = areGone && savedImages(task).length === 1 ? ['gone'] : [];
  item.contextValue = [`${taskContext.task}.${task.status}`, ...actions, ...billed, ...gone].join(' ');
  item.accessibilityInformation = {
    label: spokenLabel(title, statusText(task), description),
  };
  if (image && !areGone) {
    item.command = openCommand(vscode.Uri.parse(image.uri, true));
  } else if (task.error && !isRunning(task)) {
    item.command = {
      command: internalCommands.explainTask,
      title: l10n.t('Show Reason'),
      arguments: [task.id],
    };
  }
  return item;
}

const goneIcon = new vscode.ThemeIcon('circle-slash');

/** Names the edited images, "photo.jpg" or "photo.jpg + 2". */
function editedLabel(task: Task): string[] {
  const [first, ...others] = editedNames(task);
  if (first === undefined) {
    return [];
  }
  return [others.length === 0 ? first : `${first} + ${others.length}`];
}

function folderLabel(task: Task): string[] {
  return otherFolder(task) ? [nameOf(vscode.Uri.parse(task.request.target.root))] : [];
}

function missing(): string {
  return l10n.t('missing');
}

/** Returns the text for a screen reader, with the status only once. */
function spokenLabel(label: string, status: string, description: string): string {
  return (description.startsWith(status) ? [label, description] : [label, status, description]).join(', ');
}

type Icon = [icon: string, color?: string];

const unreachable: Icon = ['debug-disconnect', 'problemsWarningIcon.foreground'];
const waits: Icon = ['clockface', 'problemsWarningIcon.foreground'];

const icons: Record<TaskStatus, Icon> = {
  waiting: ['clockface'],
  queued: ['clockface'],
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

function iconOf(task: Task): vscode.ThemeIcon {
  if (isInInbox(task)) {
    return inInbox;
  }
  const isUnanswered = task.error?.code === 'network' || task.error?.code === 'timeout';
  const retried = isUnanswered ? unreachable : waits;
  return themeIcon(waitReason(task) === undefined ? icons[task.status] : retried);
}

function themeIcon([icon, color]: Icon): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** Returns the row of a saved image. A missing file is marked and has no command. */
export function imageItem(row: ImageRow, files: Files): vscode.TreeItem {
  const { task, result } = row;
  const uri = vscode.Uri.parse(result.uri, true);
  const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.None);
  const isGone = files.areGone(row);
  const name = nameOf(uri);
  const label = imageLabel(row, isGone);
  item.id = `${task.id}/${result.index}`;
  item.label = label === '' ? name : label;
  item.description = label === '' ? '' : name;
  if (isGone) {
    item.iconPath = goneIcon;
    const actions = availableActions(task).filter((action) => goneActions.has(action));
    item.contextValue = [taskContext.goneImage, ...actions, ...(restorable(result) ? ['restore'] : [])].join(
      ' ',
    );
    return item;
  }
  const kind = restorable(result)
    ? taskContext.replacingImage
    : originalOf(task)
      ? taskContext.editedImage
      : taskContext.image;
  item.contextValue = [kind, ...cutoutActions(result)].join(' ');
  item.iconPath = files.thumbnailOf(row) ?? vscode.ThemeIcon.File;
  item.command = openCommand(uri);
  return item;
}

/** Describes an image by its number in the task, its size, and any damage: "1 of 3 · 1024 × 1024". */
export function imageLabel({ task, result }: ImageRow, isGone: boolean): string {
  const { index, width, height } = result;
  const images = task.results.length;
  const size = width === undefined || height === undefined ? '' : `${width} × ${height}`;
  const place = images > 1 ? l10n.t('{0} of {1}', index + 1, images) : '';
  const state = isGone ? [missing()] : [size, ...flawOf(result)];
  return [place, ...state].filter((part) => part !== '').join(' · ');
}

/** Returns the command of a click. As in the Explorer, the focus stays in the list. */
function openCommand(uri: vscode.Uri): vscode.Command {
  return { command: 'vscode.open', title: l10n.t('Open Image'), arguments: [uri] };
}

/** Whether a day is expanded by default: today and yesterday are. */
export function isRecent({ start }: DayRow, now = Date.now()): boolean {
  return start >= startOfYesterday(now);
}

/** Returns the row of a day: Today, Yesterday, or its date. */
export function dayItem(day: DayRow, now = Date.now()): vscode.TreeItem {
  const { start } = day;
  const item = new vscode.TreeItem(
    dayLabel(start, now),
    isRecent(day, now) ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = `day/${start}`;
  return item;
}

/** Returns the row of tasks that were started together, with their progress, or with a picture once all are saved. */
export function batchItem({ id, title, rows }: BatchRow, picture?: vscode.Uri): vscode.TreeItem {
  const { images, saved, open, paused, failed } = progressOf(rows.map(({ task }) => task));
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
  const lost = failed.filter(isLost).length;
  const unfetched = failed.length - lost;
  const unsent = paused.filter(({ held, status }) => held && status === 'waiting').length;
  const facts = [
    l10n.t('{0} of {1} saved', saved, images),
    ...(unsent > 0 ? [l10n.t('{0} not sent', unsent)] : []),
    ...(unfetched > 0 ? [l10n.t('{0} not fetched yet', unfetched)] : []),
    ...(lost > 0 ? [l10n.t('{0} not generated', lost)] : []),
  ];
  item.id = `batch/${id}`;
  item.description = facts.join(' · ');
  item.iconPath =
    open.length > paused.length
      ? themeIcon(icons.in_progress)
      : failed.length > 0
        ? themeIcon(icons.unknown)
        : paused.length > 0
          ? themeIcon(icons.waiting)
          : (picture ?? themeIcon(icons.completed));
  item.contextValue = [
    taskContext.batch,
    ...(open.length > 0 ? ['open'] : []),
    ...(paused.some((task) => availableActions(task).includes('resume')) ? ['resume'] : []),
    ...(failed.length > 0 ? [lost > 0 ? 'incomplete' : 'unfetched'] : []),
    ...(open.length === 0 ? ['remove'] : []),
  ].join(' ');
  item.accessibilityInformation = { label: [title, ...facts].join(', ') };
  return item;
}

/** Returns the milliseconds until the labels of days change. */
export function untilTomorrow(now = Date.now()): number {
  return new Date(now).setHours(24, 0, 0, 0) - now;
}

function dayLabel(start: number, now: number): string {
  if (start === startOfDay(now)) {
    return l10n.t('Today');
  }
  if (start === startOfYesterday(now)) {
    return l10n.t('Yesterday');
  }
  const thisYear = new Date(start).getFullYear() === new Date(now).getFullYear();
  return new Date(start).toLocaleDateString(vscode.env.language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(!thisYear && { year: 'numeric' }),
  });
}
