import * as vscode from 'vscode';
import type { Task } from '../tasks/task.ts';
import type { EngineHost } from './engineHost.ts';
import { views } from './names.ts';
import { imageItem, isRunning, type TaskNode, taskItem } from './taskItem.ts';

const pageSize = 200;
const tickInterval = 1000;

/** The task list: a function of the store. Only rows that changed are drawn again. */
export class TaskTree implements vscode.TreeDataProvider<TaskNode>, vscode.Disposable {
  readonly view: vscode.TreeView<TaskNode>;
  readonly #engine: EngineHost;
  readonly #changed = new vscode.EventEmitter<TaskNode | undefined>();
  readonly #subscriptions: vscode.Disposable[] = [];
  /** Rows on show, by task id, with whether they were running when they were last drawn. */
  readonly #rows = new Map<string, { node: TaskNode; running: boolean }>();
  #ticking: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(engine: EngineHost) {
    this.#engine = engine;
    this.view = vscode.window.createTreeView(views.tasks, { treeDataProvider: this, showCollapseAll: false });
    this.#subscriptions.push(
      this.view,
      this.#changed,
      this.view.onDidChangeVisibility(() => this.#tick()),
    );
  }

  /** Follows the store once it is open. */
  async follow(): Promise<void> {
    const { store } = await this.#engine.get();
    this.#subscriptions.push(store.onDidChange((ids) => this.#update(ids.map((id) => [id, store.get(id)]))));
    this.#changed.fire(undefined);
    this.#showRunning(store.running().length);
  }

  getTreeItem(node: TaskNode): vscode.TreeItem {
    return node.kind === 'image' ? imageItem(node) : taskItem(node.task);
  }

  async getChildren(parent?: TaskNode): Promise<TaskNode[]> {
    if (parent) {
      return parent.kind === 'task'
        ? parent.task.results
            .filter(({ state }) => state === 'saved')
            .map((result) => ({ kind: 'image', task: parent.task, result }))
        : [];
    }
    const { store } = await this.#engine.get();
    const running = store.running();
    const others = store.list({ limit: pageSize }).filter((task) => !isRunning(task));
    this.#rows.clear();
    const nodes: TaskNode[] = [];
    for (const task of [...running, ...others]) {
      const node: TaskNode = { kind: 'task', task };
      this.#rows.set(task.id, { node, running: isRunning(task) });
      nodes.push(node);
    }
    this.#showRunning(running.length);
    return nodes;
  }

  getParent(node: TaskNode): TaskNode | undefined {
    return node.kind === 'image' ? this.#rows.get(node.task.id)?.node : undefined;
  }

  dispose(): void {
    clearInterval(this.#ticking);
    for (const subscription of this.#subscriptions) {
      subscription.dispose();
    }
  }

  #update(changes: readonly (readonly [string, Task | undefined])[]): void {
    for (const [id, task] of changes) {
      const row = this.#rows.get(id);
      if (!task || !row || row.running !== isRunning(task)) {
        this.#changed.fire(undefined);
        return;
      }
      row.node.task = task;
      this.#changed.fire(row.node);
    }
  }

  /** Badge and clock of the running rows. */
  #showRunning(count: number): void {
    this.view.badge =
      count === 0
        ? undefined
        : {
            value: count,
            tooltip:
              count === 1 ? vscode.l10n.t('1 running task') : vscode.l10n.t('{0} running tasks', count),
          };
    this.#tick();
  }

  /** Draws the elapsed time of running rows each second while somebody looks. */
  #tick(): void {
    const running = [...this.#rows.values()].filter((row) => row.running);
    if (!this.view.visible || running.length === 0) {
      clearInterval(this.#ticking);
      this.#ticking = undefined;
      return;
    }
    this.#ticking ??= setInterval(() => {
      for (const row of this.#rows.values()) {
        if (row.running) {
          this.#changed.fire(row.node);
        }
      }
    }, tickInterval);
  }
}
