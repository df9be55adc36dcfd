// Room: the tree of tasks: rows, labels, tooltips, notices, status bar.
// Never: acting on a task.

import * as vscode from 'vscode';
import type { EngineHost } from '../window/engineHost.ts';
import type { ServiceNames } from '../window/serviceNames.ts';
import type { Task } from '../../tasks/task.ts';
import { internalCommands, settingNames, views } from '../names.ts';
import {
  dayItem,
  imageItem,
  imageTooltip,
  isRecent,
  taskItem,
  taskTooltip,
  untilTomorrow,
} from './taskItem.ts';
import { type RowChanges, TaskList } from './taskList.ts';
import { RowFiles } from './rowFiles.ts';
import type { ImageRow, TaskNode, TaskRow } from './taskNode.ts';
import { savedImages } from './taskLabels.ts';

/** In milliseconds. No shorter: redrawing a row cancels a tooltip that is about to show. */
const tickInterval = 5000;
/** How long the clock of a row stops while a person reads its tooltip, in milliseconds. */
const readingTime = 15_000;

/** The task list: a function of the store. Only rows that changed are redrawn. */
export class TaskTree implements vscode.TreeDataProvider<TaskNode>, vscode.Disposable {
  readonly #view: vscode.TreeView<TaskNode>;
  readonly #changed = new vscode.EventEmitter<TaskNode[] | undefined>();
  readonly #files = new RowFiles((row) => this.#changed.fire([row]));
  readonly #subscriptions: vscode.Disposable[] = [];
  #list: TaskList | undefined;
  #ticking: NodeJS.Timeout | undefined;
  #midnight: NodeJS.Timeout | undefined;
  /** The row whose tooltip was last requested, and until when a person is assumed to read it. */
  #reading: { row: TaskRow; until: number } | undefined;

  /** Whether a day is expanded, by its start, where a person has chosen. */
  readonly #openDays = new Map<number, boolean>();
  readonly #runningChanged = new vscode.EventEmitter<readonly Task[]>();

  /** Fires at every change of a running task, with all that run now. */
  readonly onDidChangeRunning = this.#runningChanged.event;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(engine: EngineHost, service: ServiceNames) {
    this.#view = vscode.window.createTreeView(views.tasks, {
      treeDataProvider: this,
      canSelectMany: true,
      dragAndDropController: {
        dragMimeTypes: ['text/uri-list'],
        dropMimeTypes: [],
        handleDrag: (rows, data) => drag(rows, data, this.#files),
      },
    });
    const describe = (): void => {
      // The one view of its container shows no description.
      this.#view.title = service.label || vscode.l10n.t('Images');
    };
    describe();
    this.#subscriptions.push(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (
          event.affectsConfiguration(settingNames.baseUrl) ||
          event.affectsConfiguration(settingNames.model)
        ) {
          describe();
        }
      }),
      this.#view,
      this.#changed,
      this.#runningChanged,
      this.#files,
      this.#view.onDidChangeVisibility(() => this.#tick()),
      this.#view.onDidExpandElement(({ element }) => this.#toggled(element, true)),
      this.#view.onDidCollapseElement(({ element }) => this.#toggled(element, false)),
      vscode.commands.registerCommand(internalCommands.showRunningTasks, async () => this.#revealRunning()),
      vscode.commands.registerCommand(internalCommands.showMoreTasks, async () => this.#showMore()),
      vscode.workspace.onDidDeleteFiles(({ files }) => this.redrawFiles(files)),
      vscode.workspace.onDidRenameFiles(({ files }) => this.redrawFiles(files.map(({ oldUri }) => oldUri))),
      engine.onDidOpen((opened) => {
        const { store } = opened;
        this.#files.open(opened);
        const list = new TaskList(store);
        this.#list = list;
        this.#subscriptions.push(store.onDidChange((ids) => this.#redraw(list, list.update(ids))));
        this.#nameDays();
        this.#redraw(list, { root: true, rows: new Set() });
      }),
    );
  }

  /** Whether the row of a task is visible in the window. */
  shows(id: string): boolean {
    const day = this.#list?.dayOf(id);
    const isHidden = day && !(this.#openDays.get(day.start) ?? isRecent(day));
    return this.#view.visible && this.#list?.row(id) !== undefined && !isHidden;
  }

  getTreeItem(node: TaskNode): vscode.TreeItem {
    switch (node.kind) {
      case 'task':
        this.#files.lookAt(node);
        return taskItem(node, this.#files);
      case 'image':
        this.#files.lookAt(node);
        return imageItem(node, this.#files);
      case 'day':
        return dayItem(node);
      case 'more':
        return moreItem();
    }
  }

  resolveTreeItem(item: vscode.TreeItem, node: TaskNode): vscode.TreeItem {
    if (node.kind === 'task') {
      item.tooltip = taskTooltip(node, this.#files);
      this.#reading = { row: node, until: Date.now() + readingTime };
    } else if (node.kind === 'image') {
      item.tooltip = imageTooltip(node, this.#files);
    }
    return item;
  }

  async getChildren(parent?: TaskNode): Promise<TaskNode[]> {
    switch (parent?.kind) {
      case undefined:
        return this.#list?.top ?? [];
      case 'day':
        return parent.rows;
      case 'task':
        return imagesOf(parent);
      case 'image':
      case 'more':
        return [];
    }
  }

  getParent(node: TaskNode): TaskNode | undefined {
    switch (node.kind) {
      case 'task':
        return this.#list?.dayOf(node.task.id);
      case 'image':
        return this.#list?.row(node.task.id);
      case 'day':
      case 'more':
        return undefined;
    }
  }

  /** Redraws the rows whose files were deleted or moved. */
  redrawFiles(files: readonly vscode.Uri[]): void {
    const rows = this.#list?.savedAs(new Set(files.map(String))) ?? [];
    if (rows.length > 0) {
      this.#changed.fire(rows);
    }
  }

  dispose(): void {
    clearInterval(this.#ticking);
    clearTimeout(this.#midnight);
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #redraw(list: TaskList, { root, rows }: RowChanges): void {
    if (root) {
      this.#changed.fire(undefined);
      this.#showRunning(list);
    } else if (rows.size > 0) {
      this.#changed.fire([...rows]);
    }
    this.#runningChanged.fire(list.running.map(({ task }) => task));
  }

  #toggled(row: TaskNode, isOpen: boolean): void {
    if (row.kind === 'day') {
      this.#openDays.set(row.start, isOpen);
    }
  }

  /** Reveals the first running row, with the focus on it. */
  async #revealRunning(): Promise<void> {
    const [first] = this.#list?.running ?? [];
    if (first) {
      await this.#view.reveal(first, { select: false, focus: true });
    }
  }

  async #showMore(): Promise<void> {
    const first = this.#list?.showMore();
    this.#changed.fire(undefined);
    if (first) {
      // The clicked row has moved down: reading continues where the new rows start.
      await this.#view.reveal(first, { select: false, focus: true });
    }
  }

  /** Updates the badge, and the clock of the running rows. */
  #showRunning(list: TaskList): void {
    const count = list.running.length;
    this.#view.badge =
      count === 0
        ? undefined
        : {
            value: count,
            tooltip:
              count === 1 ? vscode.l10n.t('1 running task') : vscode.l10n.t('{0} running tasks', count),
          };
    this.#tick();
  }

  /** Updates the elapsed time of running rows while the list is visible. */
  #tick(): void {
    if (!this.#view.visible || !this.#list?.running.length) {
      clearInterval(this.#ticking);
      this.#ticking = undefined;
      return;
    }
    this.#ticking ??= setInterval(() => {
      const read = this.#reading && Date.now() < this.#reading.until ? this.#reading.row : undefined;
      const rows = this.#list?.running.filter((row) => row !== read) ?? [];
      if (rows.length > 0) {
        this.#changed.fire(rows);
      }
    }, tickInterval);
  }

  /** Redraws the days at midnight, when today becomes yesterday. */
  #nameDays(): void {
    this.#midnight = setTimeout(() => {
      this.#changed.fire(undefined);
      this.#nameDays();
    }, untilTomorrow());
  }
}

function moreItem(): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Show More'));
  item.id = 'more';
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: internalCommands.showMoreTasks, title: vscode.l10n.t('Show More') };
  return item;
}

function imagesOf({ task }: TaskRow): ImageRow[] {
  return savedImages(task).map((result) => ({ kind: 'image', task, result }));
}

/** Drags an image as its file, a task as all of its files. */
function drag(rows: readonly TaskNode[], data: vscode.DataTransfer, files: RowFiles): void {
  const uris = rows.flatMap((row) => {
    switch (row.kind) {
      case 'image':
        return files.areGone(row) ? [] : [row.result.uri];
      case 'task':
        return savedImages(row.task).map(({ uri }) => uri);
      case 'day':
      case 'more':
        return [];
    }
  });
  if (uris.length > 0) {
    data.set('text/uri-list', new vscode.DataTransferItem(uris.join('\r\n')));
  }
}
