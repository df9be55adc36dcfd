import * as vscode from 'vscode';
import type { Task, TaskResult, TaskStatus } from '../tasks/task.ts';
import { describeError } from './errorText.ts';
import { commands, taskContext } from './names.ts';

/** A row of the task list: a task, or one of its saved images. */
export type TaskNode = { kind: 'task'; task: Task } | { kind: 'image'; task: Task; result: TaskResult };

/** Short enough that the progress behind it shows in a sidebar of ordinary width; the tooltip has it all. */
const labelLength = 32;

/** Whether a window works on the task, as `TaskStore.running` has it: such rows stand first. */
export function isRunning({ status, held }: Task): boolean {
  switch (status) {
    case 'waiting':
    case 'submitting':
    case 'queued':
    case 'in_progress':
    case 'saving':
      return held !== true;
    case 'needs_key':
    case 'completed':
    case 'failed':
    case 'unknown':
    case 'stopped':
    case 'expired':
      return false;
  }
}

/** The row of a task. */
export function taskItem(task: Task): vscode.TreeItem {
  const images = task.results.filter(({ state }) => state === 'saved').length;
  const label = oneLine(task.request.prompt);
  const description = descriptionOf(task, images);
  const item = new vscode.TreeItem(
    label,
    images > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  item.id = task.id;
  item.description = description;
  item.iconPath = iconOf(task.status);
  item.contextValue = contextOf(task, images);
  item.tooltip = tooltipOf(task);
  item.accessibilityInformation = { label: `${label}, ${statusText(task)}, ${description}` };
  if (images > 0) {
    item.command = {
      command: commands.openTask,
      title: vscode.l10n.t('Open Image'),
      arguments: [{ kind: 'task', task } satisfies TaskNode],
    };
  }
  return item;
}

/** The row of a saved image below its task. */
export function imageItem(node: Extract<TaskNode, { kind: 'image' }>): vscode.TreeItem {
  const { task, result } = node;
  const uri = vscode.Uri.parse(result.uri ?? '', true);
  const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.None);
  item.id = `${task.id}/${result.index}`;
  item.description =
    result.width === undefined || result.height === undefined ? '' : `${result.width} × ${result.height}`;
  item.contextValue = taskContext.image;
  item.iconPath = vscode.ThemeIcon.File;
  item.command = { command: commands.openTask, title: vscode.l10n.t('Open Image'), arguments: [node] };
  return item;
}

function oneLine(prompt: string): string {
  const line = prompt.replaceAll(/\s+/g, ' ').trim();
  return line.length > labelLength ? `${line.slice(0, labelLength - 1)}…` : line;
}

function descriptionOf(task: Task, images: number): string {
  if (isRunning(task)) {
    const elapsed = duration(Date.now() - task.createdAt);
    if (task.status === 'waiting' && task.retryAt !== undefined) {
      const wait = Math.max(0, Math.ceil((task.retryAt - Date.now()) / 1000));
      return vscode.l10n.t('service busy, next try in {0} s', wait);
    }
    return task.progress === undefined
      ? `${statusText(task)} · ${elapsed}`
      : vscode.l10n.t('{0} % · {1}', task.progress, elapsed);
  }
  const time = new Date(task.finishedAt ?? task.createdAt).toLocaleTimeString(vscode.env.language, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  if (images === 0) {
    return `${statusText(task)} · ${time}`;
  }
  return images === 1
    ? vscode.l10n.t('1 image · {0}', time)
    : vscode.l10n.t('{0} images · {1}', images, time);
}

/** `m:ss`, with hours once there are any. */
function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const clock = [Math.floor(seconds / 60) % 60, seconds % 60];
  const hours = Math.floor(seconds / 3600);
  const parts = hours > 0 ? [hours, ...clock] : clock;
  return parts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

function statusText({ status, remoteStatus, held }: Task): string {
  switch (status) {
    case 'waiting':
      return held ? vscode.l10n.t('not sent') : vscode.l10n.t('waiting');
    case 'submitting':
      return vscode.l10n.t('sending');
    case 'queued':
      return vscode.l10n.t('queued');
    case 'in_progress':
      return remoteStatus === undefined || remoteStatus === 'in_progress'
        ? vscode.l10n.t('in progress')
        : remoteStatus;
    case 'needs_key':
      return vscode.l10n.t('needs its API key');
    case 'saving':
      return vscode.l10n.t('saving');
    case 'completed':
      return vscode.l10n.t('completed');
    case 'failed':
      return vscode.l10n.t('failed');
    case 'unknown':
      return vscode.l10n.t('outcome unknown');
    case 'stopped':
      return vscode.l10n.t('stopped watching');
    case 'expired':
      return vscode.l10n.t('expired');
  }
}

function iconOf(status: TaskStatus): vscode.ThemeIcon {
  switch (status) {
    case 'waiting':
    case 'queued':
      return new vscode.ThemeIcon('clock');
    case 'submitting':
    case 'in_progress':
    case 'saving':
      return new vscode.ThemeIcon('loading~spin');
    case 'needs_key':
      return new vscode.ThemeIcon('key', new vscode.ThemeColor('list.warningForeground'));
    case 'completed':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'unknown':
      return new vscode.ThemeIcon('question', new vscode.ThemeColor('list.warningForeground'));
    case 'stopped':
      return new vscode.ThemeIcon('debug-stop');
    case 'expired':
      return new vscode.ThemeIcon('history');
  }
}

/** Group of statuses that share their menu entries. */
function contextOf(task: Task, images: number): string {
  if (
    task.status === 'needs_key' ||
    task.held === true ||
    (task.status === 'stopped' && task.remoteId !== undefined)
  ) {
    return taskContext.paused;
  }
  if (images > 0 && !isRunning(task)) {
    return task.results.some(({ state }) => state !== 'saved') ? taskContext.unsaved : taskContext.saved;
  }
  if (isRunning(task)) {
    return taskContext.running;
  }
  return task.error?.code === 'save_failed' || task.error?.code === 'result_refused'
    ? taskContext.unsaved
    : taskContext.ended;
}

/** Plain text only: prompts and the service's words are data, never Markdown. */
function tooltipOf(task: Task): vscode.MarkdownString {
  const { request, error } = task;
  const size = task.results.find(({ width }) => width !== undefined);
  const lines = [
    request.prompt,
    '',
    vscode.l10n.t('Model: {0}', request.model),
    vscode.l10n.t('Status: {0}', statusText(task)),
    ...(request.size === undefined ? [] : [vscode.l10n.t('Size asked for: {0}', request.size)]),
    ...(size?.width === undefined || size.height === undefined
      ? []
      : [vscode.l10n.t('Size received: {0}', `${size.width}x${size.height}`)]),
    vscode.l10n.t('Started: {0}', new Date(task.createdAt).toLocaleString(vscode.env.language)),
    ...(task.finishedAt === undefined
      ? []
      : [vscode.l10n.t('Ended: {0}', new Date(task.finishedAt).toLocaleString(vscode.env.language))]),
    ...(task.remark === undefined ? [] : ['', task.remark]),
    ...(error === undefined ? [] : ['', describeError(error).message]),
  ];
  const tooltip = new vscode.MarkdownString();
  for (const line of lines) {
    tooltip.appendText(`${line}\n`);
  }
  return tooltip;
}
