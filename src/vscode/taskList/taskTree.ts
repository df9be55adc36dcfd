import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { draggedImagesType } from '../../common/text.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { isAmong } from '../window/files.ts';
import type { ServiceNames } from '../window/serviceNames.ts';
import type { TaskScope, TaskStore } from '../../engine/store/taskStore.ts';
import type { Task } from '../../engine/task/task.ts';
import * as commands from '../window/commandIds.ts';
import { contextKeys, internalCommands, views } from '../window/names.ts';
import * as settingNames from '../window/settingNames.ts';
import { batchItem, dayItem, imageItem, isRecent, taskItem, untilTomorrow } from './taskItem.ts';
import { type RowChanges, TaskList } from './taskList.ts';
import { RowFiles } from './rowFiles.ts';
import type { ImageRow, TaskNode, TaskRow } from './taskNode.ts';
import { isInWorkspace, type SavedResult, savedImages } from './taskLabels.ts';

/** In milliseconds. Don't shorten it: redrawing a row cancels a tooltip that is about to show. */
const tickInterval = 5000;
/** Key in the workspace's storage: whether the list shows the tasks of all workspaces. */
const showsAllKey = 'showsAllTasks';
/** Key in the workspace's storage: tasks that were started here and save their images elsewhere, newest last. */
const elsewhereKey = 'tasksElsewhere';
const maxElsewhere = 1000;
/** Time for which a row's clock stops while a user reads its tooltip, in milliseconds. */
const readingTime = 15_000;

/** Parts of the list that are loaded once it is shown. */
export interface RowParts {
  taskTooltip(row: TaskRow, files: RowFiles): vscode.MarkdownString;
  imageTooltip(row: ImageRow, files: RowFiles): vscode.MarkdownString;
  drag(rows: readonly TaskNode[], data: vscode.DataTransfer, files: RowFiles): void;
  findImage(task: Task, image: SavedResult): Promise<unknown>;
}

/** The task list, as a function of the store. Only changed rows are redrawn. */
export class TaskTree implements vscode.TreeDataProvider<TaskNode>, vscode.Disposable {
  readonly #view: vscode.TreeView<TaskNode>;
  readonly #changed = new vscode.EventEmitter<TaskNode[] | undefined>();
  readonly #files = new RowFiles(
    (row) => {
      const batch = this.#list?.batch(row.task.request.batch?.id);
      this.#changed.fire(batch ? [row, batch] : [row]);
    },
    async (task, image) => (await this.#parts()).findImage(task, image),
  );
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly #service: ServiceNames;
  readonly #memory: vscode.Memento;
  readonly #parts: () => Promise<RowParts>;
  /** Tasks that were started in this workspace but save their images elsewhere. */
  readonly #elsewhere: Set<string>;
  #store: TaskStore | undefined;
  #list: TaskList | undefined;
  #ticking: NodeJS.Timeout | undefined;
  #midnight: NodeJS.Timeout | undefined;
  /** Row whose tooltip was last requested, and the time until which a user is assumed to read it. */
  #reading: { row: TaskRow; until: number } | undefined;

  /** Whether a user expanded a day, by its start. */
  readonly #openDays = new Map<number, boolean>();
  /** Whether a batch is expanded, by its ID. */
  readonly #openBatches = new Map<string, boolean>();
  readonly #runningChanged = new vscode.EventEmitter<readonly Task[]>();

  /** Fires at every change of a running task, with the tasks to count. */
  readonly onDidChangeRunning = this.#runningChanged.event;
  readonly onDidChangeTreeData = this.#changed.event;

  /**
   * @param memory of the workspace
   * @param parts called once the list is shown
   */
  constructor(
    engine: EngineHost,
    service: ServiceNames,
    memory: vscode.Memento,
    parts: () => Promise<RowParts>,
  ) {
    this.#service = service;
    this.#parts = parts;
    this.#memory = memory;
    this.#elsewhere = new Set(memory.get<string[]>(elsewhereKey, []));
    this.#view = vscode.window.createTreeView(views.tasks, {
      treeDataProvider: this,
      canSelectMany: true,
      dragAndDropController: {
        dragMimeTypes: ['text/uri-list', draggedImagesType],
        dropMimeTypes: [],
        handleDrag: async (rows, data) => (await parts()).drag(rows, data, this.#files),
      },
    });
    this.#describe();
    this.#subscriptions.push(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (
          event.affectsConfiguration(settingNames.baseUrl) ||
          event.affectsConfiguration(settingNames.model)
        ) {
          this.#describe();
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
        // The view's menu depends on them.
        void this.#parts();
      }),
      this.#view.onDidExpandElement(({ element }) => this.#toggled(element, true)),
      this.#view.onDidCollapseElement(({ element }) => this.#toggled(element, false)),
      vscode.commands.registerCommand(internalCommands.showRunningTasks, async () => this.#revealRunning()),
      vscode.commands.registerCommand(internalCommands.showMoreTasks, async () => this.#showMore()),
      vscode.commands.registerCommand(internalCommands.generateFirst, async () => this.#generateFirst()),
      vscode.workspace.onDidRenameFiles(async ({ files }) => {
        const { savedFiles } = await engine.get();
        await savedFiles.move(
          files.map(({ oldUri, newUri }) => ({ from: oldUri.toString(), to: newUri.toString() })),
        );
      }),
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

  /** Tasks that the list is limited to; undefined if it shows all. */
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

  get selection(): readonly TaskNode[] {
    return this.#view.selection;
  }

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
      case 'batch': {
        const pictured = node.rows.find((row) => this.#files.picturedBy(row));
        if (pictured) {
          this.#files.lookAt(pictured);
        }
        return batchItem(node, pictured && this.#files.thumbnailOf(pictured));
      }
      case 'day':
        return dayItem(node);
      case 'more':
        return moreItem();
    }
  }

  async resolveTreeItem(item: vscode.TreeItem, node: TaskNode): Promise<vscode.TreeItem> {
    if (node.kind === 'task') {
      item.tooltip = (await this.#parts()).taskTooltip(node, this.#files);
      this.#reading = { row: node, until: Date.now() + readingTime };
    } else if (node.kind === 'image') {
      item.tooltip = (await this.#parts()).imageTooltip(node, this.#files);
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

  /** Selects the row of a task, and shows the tasks of all workspaces if only they include it. */
  async reveal(id: string): Promise<void> {
    const isListed = (): boolean => {
      const row = this.#list?.row(id);
      return row !== undefined && this.#list?.isAbout(row.task) === true;
    };
    const find = (): void => {
      while (!isListed() && this.#list?.showMore()) {
        // The next page may have it.
      }
    };
    find();
    if (!isListed() && this.scope) {
      await this.showAll(true);
      find();
    }
    this.#changed.fire(undefined);
    const row = this.#list?.row(id);
    await (row && this.#view.reveal(row, { select: true, focus: true }));
  }

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

  /** Reloads the list with the current scope. */
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

  /** Names the model and the service above the rows, since VS Code capitalizes and cuts titles. */
  #describe(): void {
    const { label } = this.#service;
    // A message takes the place of the welcome text of an empty list.
    const message = this.#list?.top.length ? label : '';
    this.#view.message = message;
    this.#view.title = (!message && label) || l10n.t('Images');
  }

  #redraw(list: TaskList, { root, rows }: RowChanges): void {
    if (root) {
      this.#changed.fire(undefined);
      this.#describe();
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

  /** Reveals and focuses the first running row. */
  async #revealRunning(): Promise<void> {
    const first = this.#list?.running.find(({ task }) => this.#list?.isAbout(task));
    if (first) {
      await this.#view.reveal(first, { select: false, focus: true });
    }
  }

  async #showMore(): Promise<void> {
    const first = this.#list?.showMore();
    this.#changed.fire(undefined);
    if (first) {
      // The clicked row has moved down, so reading continues where the new rows start.
      await this.#view.reveal(first, { select: false, focus: true });
    }
  }

  /**
   * Runs *Generate Image…* of the welcome view. That view then disappears with the focus, so the new row takes the
   * focus.
   */
  async #generateFirst(): Promise<void> {
    const following = this.#changed.event(() => {
      // Rows of other windows may appear while a prompt is typed.
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

  #showRunning(list: TaskList): void {
    const { length } = list.counted;
    this.#view.badge = length === 0 ? undefined : { value: length, tooltip: runningText(length) };
    this.#tick();
  }

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

  #nameDays(): void {
    this.#midnight = setTimeout(() => {
      this.#changed.fire(undefined);
      this.#nameDays();
    }, untilTomorrow());
  }
}

/** Whether this window started a task and still works on it. */
function isStartedHere({ leases }: TaskStore, id: string): boolean {
  // A lease that was taken over from another window has a higher number.
  return leases.fenceOf(id) === 1;
}

function runningText(count: number): string {
  return count === 1 ? l10n.t('1 running task') : l10n.t('{0} running tasks', count);
}

function moreItem(): vscode.TreeItem {
  const item = new vscode.TreeItem(l10n.t('Show More'));
  item.id = 'more';
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: internalCommands.showMoreTasks, title: l10n.t('Show More') };
  return item;
}

function imagesOf({ task }: TaskRow): ImageRow[] {
  return savedImages(task).map((result) => ({ kind: 'image', task, result }));
}
