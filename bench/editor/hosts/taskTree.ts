import { createRequire } from 'node:module';
import * as vscode from 'vscode';
import { WorkspacePublisher } from '../../../src/vscode/actions/workspacePublisher.ts';
import { type StudioActs, studioHandlers } from '../../../src/vscode/studio/studioHandlers.ts';
import { StudioImages } from '../../../src/vscode/studio/studioImages.ts';
import type { StudioPanel } from '../../../src/vscode/studio/studioPanel.ts';
import type { TaskNode } from '../../../src/vscode/taskList/taskNode.ts';
import { TaskTree } from '../../../src/vscode/taskList/taskTree.ts';
import { DemoServiceProcess } from '../../../src/vscode/window/demoServiceProcess.ts';
import { EngineHost } from '../../../src/vscode/window/engineHost.ts';
import { KeyStore, ServiceNames } from '../../../src/vscode/window/serviceNames.ts';
import { Settings } from '../../../src/vscode/window/settings.ts';
import type { EngineModule } from '../../../src/engine/run/engine.ts';
import { pageSize } from '../../../src/studio/historyPages.ts';
import { aTask } from '../../../test/support/engine/taskBuilders.ts';
import { engineVariable } from '../link.ts';
import { answerBench } from './answerBench.ts';

/** Puts together the part of Limner's window that shows the tasks, on the engine as it was built. */
export function activate(context: vscode.ExtensionContext): void {
  answerBench(new TreeMethods(context));
}

/** What the task list of a window costs its extension host, in milliseconds. */
export class TreeMethods {
  readonly #engine: EngineHost;
  readonly #tree: TaskTree;
  readonly #search: ReturnType<typeof studioHandlers>['history'];
  /** When the tree was told of the last change, and when it had taken it. */
  readonly #told = { began: 0, ended: 0 };
  /** The rows that are to be drawn again since then; undefined when it is all of them. */
  #changed: readonly TaskNode[] | undefined;

  constructor(context: vscode.ExtensionContext) {
    const log = vscode.window.createOutputChannel('Limner', { log: true });
    const settings = new Settings(log);
    const engine = createRequire(__filename)(process.env[engineVariable] ?? '') as EngineModule;
    const keys = new KeyStore(context.secrets);
    this.#engine = new EngineHost(
      async () => Promise.resolve(engine),
      async () => Promise.resolve(new WorkspacePublisher()),
      context,
      settings,
      keys,
      log,
    );
    // Listeners are called in the order in which they came: those of the tree between these.
    this.#engine.onDidOpen(({ store }) => {
      store.onDidChange(() => (this.#told.began = performance.now()));
      this.#told.began = performance.now();
    });
    const names = new ServiceNames(settings, new DemoServiceProcess(context, log));
    this.#tree = new TaskTree(this.#engine, names, context.workspaceState, async () => ({
      ...(await import('../../../src/vscode/taskList/rowTooltips.ts')),
      drag() {},
      findImage: async () => Promise.resolve(),
    }));
    this.#engine.onDidOpen(({ store }) => {
      store.onDidChange(() => (this.#told.ended = performance.now()));
      this.#told.ended = performance.now();
    });
    this.#tree.onDidChangeTreeData((rows) => (this.#changed = rows));
    const { webview } = vscode.window.createWebviewPanel('bench', 'Bench', vscode.ViewColumn.Active);
    const images = new StudioImages(webview, context.extensionUri, [context.globalStorageUri]);
    this.#search = studioHandlers(
      { images } as unknown as StudioPanel,
      { engine: this.#engine } as unknown as StudioActs,
    ).history;
  }

  /** Opens the task list, and reads it and its first page. */
  async firstPage(): Promise<{ opening: number; page: number; rows: number }> {
    const began = performance.now();
    await this.#engine.get();
    const drawing = performance.now();
    const rows = await this.#draw(await this.#tree.getChildren());
    const page = this.#told.ended - this.#told.began + performance.now() - drawing;
    return { opening: this.#told.began - began, page, rows };
  }

  /** Stars an image, and removes the star again. @returns what each change took, from the store to the drawn row */
  async changeRow(): Promise<number[]> {
    const { store, runner } = await this.#engine.get();
    const task = store.list({ limit: 1, statuses: ['completed'] })[0];
    const costs: number[] = [];
    for (const starred of [true, false]) {
      await runner.star(task?.id ?? '', 0, starred);
      costs.push(await this.#costOfChange());
    }
    return costs;
  }

  /** Adds a task, ends it, and removes it. @returns what each change took, from the store to the drawn rows */
  async changeList(): Promise<number[]> {
    const { store } = await this.#engine.get();
    const at = Date.now();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? '';
    const task = aTask({ id: `${store.list({ limit: 1 })[0]?.id}z`, createdAt: at });
    task.request.target = { ...task.request.target, folder: `${folder}/images`, root: folder };
    const costs: number[] = [];
    for (const change of [
      async () => store.add(task),
      async () => store.apply(task.id, { type: 'cancel', at }),
      async () => store.remove(task.id),
    ]) {
      await change();
      costs.push(await this.#costOfChange());
    }
    return costs;
  }

  /** Searches the history as the studio does. */
  async search(text: string): Promise<{ time: number; found: number }> {
    const filter = { text, status: 'any' as const, model: '', starred: false, edits: false };
    const began = performance.now();
    const { total } = await this.#search({ filter, offset: 0, limit: pageSize });
    return { time: performance.now() - began, found: total };
  }

  async #costOfChange(): Promise<number> {
    const drawing = performance.now();
    await this.#draw(this.#changed ?? (await this.#tree.getChildren()));
    return this.#told.ended - this.#told.began + performance.now() - drawing;
  }

  /** Asks for rows as VS Code does where all days are open, but no task. @returns how many */
  async #draw(rows: readonly TaskNode[]): Promise<number> {
    let drawn = 0;
    for (const row of rows) {
      this.#tree.getTreeItem(row);
      drawn += 1 + (row.kind === 'day' ? await this.#draw(await this.#tree.getChildren(row)) : 0);
    }
    return drawn;
  }
}
