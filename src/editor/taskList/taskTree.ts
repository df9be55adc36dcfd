// Room: the tree of tasks: rows, labels, notices, status bar.
// Never: acting on a task.

import * as vscode from 'vscode';
import { draggedImagesType } from '../../common/draggedImages.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { isAmong } from '../window/files.ts';
import type { ServiceNames } from '../window/serviceNames.ts';
import type { TaskScope, TaskStore } from '../../tasks/store/taskStore.ts';
import * as commands from '../commandIds.ts';
import { contextKeys, internalCommands, settingNames, views } from '../names.ts';
import { batchItem, dayItem, imageItem, isRecent, taskItem, untilTomorrow } from './taskItem.ts';
import { type RowChanges, type RunningTasks, TaskList } from './taskList.ts';
import { RowFiles } from './rowFiles.ts';
import type { ImageRow, TaskNode, TaskRow } from './taskNode.ts';
import { isInWorkspace, savedImages } from './taskLabels.ts';

/** In milliseconds. No shorter: redrawing a row cancels a tooltip that is about to show. */
const tickInterval = 5000;
/** In the workspace's storage: whether the list shows the tasks of all workspaces. */
const showsAllKey = 'showsAllTasks';
/** In the workspace's storage: the tasks that were started in it and save their images elsewhere, the newest last. */
const elsewhereKey = 'tasksElsewhere';
/** How many of them are remembered. */
const maxElsewhere = 1000;
/** How long the clock of a row stops while a person reads its tooltip, in milliseconds. */
const readingTime = 15_000;

/** Returns the tooltips of rows. */
export interface Tooltips {
  taskTooltip(row: TaskRow, files: RowFiles): vscode.MarkdownString;
  imageTooltip(row: ImageRow, files: RowFiles): vscode.MarkdownString;
}

/** The task list: a function of the store. Only rows that changed are redrawn. */
export class TaskTree implements vscode.TreeDataProvider<TaskNode>, vscode.Disposable {
  readonly #view: vscode.TreeView<TaskNode>;
  readonly #changed = new vscode.EventEmitter<TaskNode[] | undefined>();
  readonly #files = new RowFiles((row) => this.#changed.fire([row]));
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly #service: ServiceNames;
  readonly #memory: vscode.Memento;
  readonly #tooltips: () => Promise<Tooltips>;
  /** Tasks that were started in this workspace although their images are saved elsewhere. */
  readonly #elsewhere: Set<string>;
  #store: TaskStore | undefined;
  #list: TaskList | undefined;
  #ticking: NodeJS.Timeout | undefined;
  #midnight: NodeJS.Timeout | undefined;
  /** The row whose tooltip was last requested, and until when a person is assumed to read it. */
  #reading: { row: TaskRow; until: number } | undefined;

  /** Whether a day is expanded, by its start, where a person has chosen. */
  readonly #openDays = new Map<number, boolean>();
  /** Whether the row of tasks that were made together is expanded, by its ID. */
  readonly #openBatches = new Map<string, boolean>();
  readonly #runningChanged = new vscode.EventEmitter<RunningTasks>();

  /** Fires at every change of a running task, with those that are counted now. */
  readonly onDidChangeRunning = this.#runningChanged.event;
  readonly onDidChangeTreeData = this.#changed.event;

  /**
   * @param memory of the workspace
   * @param tooltips makes the tooltips of rows; called once the list is shown
   */
  constructor(
    engine: EngineHost,
    service: ServiceNames,
    memory: vscode.Memento,
    tooltips: () => Promise<Tooltips>,
  ) {
    this.#service = service;
    this.#tooltips = tooltips;
    this.#memory = memory;
    this.#elsewhere = new Set(memory.get<string[]>(elsewhereKey, []));
    this.#view = vscode.window.createTreeView(views.tasks, {
      treeDataProvider: this,
      canSelectMany: true,
      dragAndDropController: {
        dragMimeTypes: ['text/uri-list', draggedImagesType],
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
          // Rows name the services that aren't in use.
          this.#changed.fire(undefined);
        }
      }),
      this.#view,
      this.#changed,
      this.#runningChanged,
      this.#files,
      this.#view.onDidChangeVisibility(() => {
        this.#tick();
        // What the menu of the view offers is known with them.
        void this.#tooltips();
      }),
      this.#view.onDidExpandElement(({ element }) => this.#toggled(element, true)),
      this.#view.onDidCollapseElement(({ element }) => this.#toggled(element, false)),
      vscode.commands.registerCommand(internalCommands.showRunningTasks, async () => this.#revealRunning()),
      vscode.commands.registerCommand(internalCommands.showMoreTasks, async () => this.#showMore()),
      vscode.commands.registerCommand(internalCommands.generateFirst, async () => this.#generateFirst()),
      vscode.workspace.onDidCreateFiles(({ files }) => this.redrawFiles(files)),
      vscode.workspace.onDidDeleteFiles(({ files }) => this.redrawFiles(files)),
      vscode.workspace.onDidRenameFiles(({ files }) =>
        this.redrawFiles(files.flatMap(({ oldUri, newUri }) => [oldUri, newUri])),
      ),
      engine.onDidOpen((opened) => {
        const { store } = opened;
        this.#files.open(opened);
        this.#store = store;
        this.#subscriptions.push(store.onDidChange((ids) => this.#follow(store, ids)));
        this.#nameDays();
        this.#load();
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#load()),
    );
    this.#load();
  }

  /** The tasks that the list is limited to; undefined when it shows all. */
  get scope(): TaskScope | undefined {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return folders.length === 0 || this.#memory.get(showsAllKey) === true
      ? undefined
      : { isWithin: isInWorkspace, ids: this.#elsewhere };
  }

  /** `limner.tasks.showAll`, `limner.tasks.showWorkspace`: remembered for the workspace. */
  async showAll(all: boolean): Promise<void> {
    await this.#memory.update(showsAllKey, all);
    this.#load();
  }

  /** The selected rows. */
  get selection(): readonly TaskNode[] {
    return this.#view.selection;
  }

  /** Whether the row of a task is visible in the window. */
  shows(id: string): boolean {
    const row = this.#list?.row(id);
    const day = this.#list?.dayOf(id);
    const batch = this.#list?.batch(row?.task.request.batch?.id);
    const isHidden =
      (day && !(this.#openDays.get(day.start) ?? isRecent(day))) ||
      (batch && !(this.#openBatches.get(batch.id) ?? false));
    return this.#view.visible && row !== undefined && this.#list?.isAbout(row.task) === true && !isHidden;
  }

  getTreeItem(node: TaskNode): vscode.TreeItem {
    switch (node.kind) {
      case 'task':
        this.#files.lookAt(node);
        return taskItem(node, this.#files, this.#service);
      case 'image':
        this.#files.lookAt(node);
        return imageItem(node, this.#files);
      case 'batch':
        return batchItem(node);
      case 'day':
        return dayItem(node);
      case 'more':
        return moreItem();
    }
  }

  async resolveTreeItem(item: vscode.TreeItem, node: TaskNode): Promise<vscode.TreeItem> {
    if (node.kind === 'task') {
      item.tooltip = (await this.#tooltips()).taskTooltip(node, this.#files);
      this.#reading = { row: node, until: Date.now() + readingTime };
    } else if (node.kind === 'image') {
      item.tooltip = (await this.#tooltips()).imageTooltip(node, this.#files);
    }
    return item;
  }

  async getChildren(parent?: TaskNode): Promise<TaskNode[]> {
    switch (parent?.kind) {
      case undefined:
        return this.#list?.top ?? [];
      case 'day':
        return this.#list?.below(parent) ?? [];
      case 'batch':
        return this.#list?.within(parent) ?? [];
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
        return this.#list?.batch(node.task.request.batch?.id) ?? this.#list?.dayOf(node.task.id);
      case 'batch':
        return this.#list?.dayOfBatch(node);
      case 'image':
        return this.#list?.row(node.task.id);
      case 'day':
      case 'more':
        return undefined;
    }
  }

  /** Redraws the rows whose files were deleted or moved. */
  redrawFiles(files: readonly vscode.Uri[]): void {
    const rows = this.#list?.savedAs(isAmong(files)) ?? [];
    if (rows.length > 0) {
      this.#changed.fire(rows);
    }
  }

  dispose(): void {
    clearInterval(this.#ticking);
    clearTimeout(this.#midnight);
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** Reads the list anew, limited to what is to be shown now. */
  #load(): void {
    const { scope } = this;
    void vscode.commands.executeCommand('setContext', contextKeys.showsAllTasks, scope === undefined);
    if (this.#store) {
      void vscode.commands.executeCommand(
        'setContext',
        contextKeys.hasTasks,
        this.#store.list({ limit: 1 }).length > 0,
      );
      this.#list = new TaskList(this.#store, scope);
      this.#redraw(this.#list, { root: true, rows: new Set() });
    }
  }

  #follow(store: TaskStore, ids: readonly string[]): void {
    for (const id of ids) {
      this.#remember(store, id);
    }
    if (this.#list) {
      this.#redraw(this.#list, this.#list.update(ids));
    }
  }

  /** Remembers a task that this window started, if its images are saved elsewhere. */
  #remember(store: TaskStore, id: string): void {
    if (!vscode.workspace.workspaceFolders?.length) {
      return;
    }
    const task = isStartedHere(store, id) && !this.#elsewhere.has(id) ? store.get(id) : undefined;
    if (task && !isInWorkspace(task.request.target.folder)) {
      this.#elsewhere.add(id);
      void this.#memory.update(elsewhereKey, [...this.#elsewhere].slice(-maxElsewhere));
    }
  }

  #redraw(list: TaskList, { root, rows }: RowChanges): void {
    if (root) {
      this.#changed.fire(undefined);
      this.#showRunning(list);
    } else if (rows.size > 0) {
      this.#changed.fire([...rows]);
    }
    this.#runningChanged.fire(list.counted);
  }

  #toggled(row: TaskNode, isOpen: boolean): void {
    if (row.kind === 'day') {
      this.#openDays.set(row.start, isOpen);
    } else if (row.kind === 'batch') {
      this.#openBatches.set(row.id, isOpen);
    }
  }

  /** Reveals the first running row, with the focus on it; of all workspaces when none of this one runs. */
  async #revealRunning(): Promise<void> {
    const shown = this.#list?.running.find(({ task }) => this.#list?.isAbout(task));
    if (!shown && this.#list?.running.length) {
      await this.showAll(true);
    }
    const first = shown ?? this.#list?.running[0];
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

  /** Runs *Generate Image…* of the welcome, which then disappears with the focus in it: the new row takes that. */
  async #generateFirst(): Promise<void> {
    const following = this.#changed.event(() => {
      // Rows of other windows come while a prompt is typed, too.
      const own = this.#list?.running.find(
        ({ task }) => this.#store && this.#list?.isAbout(task) && isStartedHere(this.#store, task.id),
      );
      if (own) {
        following.dispose();
        if (this.#view.visible) {
          this.#view.reveal(own, { select: false, focus: true }).then(undefined, () => {});
        }
      }
    });
    try {
      await vscode.commands.executeCommand(commands.generate);
    } finally {
      following.dispose();
    }
  }

  /** Updates the badge, and the clock of the running rows. */
  #showRunning(list: TaskList): void {
    const { tasks, areElsewhere } = list.counted;
    const tooltip = runningText(tasks.length, areElsewhere);
    this.#view.badge = tasks.length === 0 ? undefined : { value: tasks.length, tooltip };
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

/** Whether this window started a task, on which it still works. */
function isStartedHere({ leases }: TaskStore, id: string): boolean {
  // A lease of another window that this one took over has a higher number.
  return leases.fenceOf(id) === 1;
}

function runningText(count: number, areElsewhere: boolean): string {
  if (areElsewhere) {
    return count === 1
      ? vscode.l10n.t('1 running task in another workspace')
      : vscode.l10n.t('{0} running tasks in other workspaces', count);
  }
  return count === 1 ? vscode.l10n.t('1 running task') : vscode.l10n.t('{0} running tasks', count);
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
  const images = rows.flatMap((row) => {
    switch (row.kind) {
      case 'image':
        return files.areGone(row) ? [] : [row];
      case 'task':
        return imagesOf(row);
      case 'batch':
        return row.rows.flatMap(imagesOf);
      case 'day':
      case 'more':
        return [];
    }
  });
  if (images.length > 0) {
    const uris = images.map(({ result }) => result.uri);
    data.set('text/uri-list', new vscode.DataTransferItem(uris.join('\r\n')));
    const ids = images.map(({ task, result }) => ({ task: task.id, index: result.index }));
    data.set(draggedImagesType, new vscode.DataTransferItem(JSON.stringify(ids)));
  }
}
