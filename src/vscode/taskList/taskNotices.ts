import * as vscode from 'vscode';
import type { Engine } from '../../engine/run/engine.ts';
import type { Task } from '../../engine/task/task.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { internalCommands } from '../window/names.ts';
import { isRunning, standingOf } from '../../common/taskStatus.ts';
import { imageProblem, outcomeOf, savedImages } from './taskLabels.ts';
import type * as taskEnds from './taskEnds.ts';
import type { TaskTree } from './taskTree.ts';

/** Parts that are loaded once they are needed. */
export interface NoticeParts {
  ends: typeof taskEnds;
}

/**
 * Reports the end of each task once: in the window that works on it, unless the user can already see it. Commands
 * report the tasks that they follow; other tasks were resumed from an earlier window. A task that pauses for its key is
 * reported each time.
 */
export class TaskNotices implements vscode.Disposable {
  readonly #engine: EngineHost;
  readonly #tree: TaskTree;
  readonly #parts: () => Promise<NoticeParts>;
  readonly #followed = new Set<string>();
  readonly #running = new Set<string>();
  readonly #viewers = new Set<(id: string) => boolean>();
  readonly #subscriptions: { dispose(): void }[] = [];

  constructor(engine: EngineHost, tree: TaskTree, parts: () => Promise<NoticeParts>) {
    this.#engine = engine;
    this.#tree = tree;
    this.#parts = parts;
    this.#subscriptions.push(
      engine.onDidOpen((opened) => this.#watch(opened)),
      vscode.commands.registerCommand(internalCommands.explainTask, async (id: string) => {
        const task = engine.opened?.store.get(id);
        if (task?.error) {
          await (await this.#parts()).ends.explain(task.error, task);
        }
      }),
    );
  }

  isFollowed(id: string): boolean {
    return this.#followed.has(id);
  }

  /** Leaves the end of a task to the caller until the result is disposed of. */
  follow(id: string): vscode.Disposable {
    this.#followed.add(id);
    return { dispose: () => this.#followed.delete(id) };
  }

  /** Doesn't report tasks that are visible in a view of their own, until the result is disposed of. */
  leaveTo(shows: (id: string) => boolean): vscode.Disposable {
    this.#viewers.add(shows);
    return { dispose: () => this.#viewers.delete(shows) };
  }

  /** Reports that the images of a task are saved. @param shown whether one was just opened or revealed */
  async saved(task: Task, shown: boolean): Promise<void> {
    const { saved, wanted } = outcomeOf(task);
    if (saved < wanted || task.error) {
      await (await this.#parts()).ends.tellIncomplete(task, saved, wanted);
      return;
    }
    const onBlack = this.#engine.opened?.store.get(onBlackOf(task) ?? '');
    if (onBlack?.held) {
      await (await this.#parts()).ends.tellHalf(task, onBlack);
      return;
    }
    if (onBlack && isRunning(onBlack)) {
      // The task on black reports for both.
      return;
    }
    const [problem] = task.results.flatMap(imageProblem);
    if (problem !== undefined && !this.#isViewed(task.id)) {
      await (await this.#parts()).ends.tellProblem(task, problem);
      return;
    }
    const images = savedImages(task).length;
    if (images === 0) {
      return;
    }
    if (vscode.window.state.focused && (shown || this.#tree.shows(task.id))) {
      return;
    }
    await (await this.#parts()).ends.tellSaved(task, images);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #watch({ store }: Engine): void {
    for (const { id } of store.running()) {
      this.#running.add(id);
    }
    // A follower of a task also follows the one that begins with its image.
    const isFollowed = (id: string): boolean =>
      [...this.#followed].some((one) => one === id || onBlackOf(store.get(one)) === id);
    this.#subscriptions.push(
      store.onDidChange((ids) => {
        const ended = new Map<string, Task>();
        for (const id of ids) {
          const task = store.get(id);
          if (task && isRunning(task)) {
            this.#running.add(id);
          } else if (
            this.#running.delete(id) &&
            task &&
            (task.status === 'needs_key' || !(isFollowed(id) || this.#isViewed(id))) &&
            store.leases.fenceOf(id) === store.fence(id)
          ) {
            ended.set(task.request.batch?.id ?? id, task);
          }
        }
        for (const task of ended.values()) {
          void this.#tell(store, task);
        }
      }),
    );
  }

  #isViewed(id: string): boolean {
    return [...this.#viewers].some((shows) => shows(id));
  }

  async #tell(store: Engine['store'], task: Task): Promise<void> {
    const { batch } = task.request;
    if (batch && standingOf(task) === 'ended' && task.error?.code !== 'stopped') {
      const tasks = store.batch(batch.id);
      // The last one reports for all.
      await (tasks.every((one) => standingOf(one) === 'ended') &&
        (await this.#parts()).ends.tellTogether(batch, tasks));
    } else if (outcomeOf(task).saved > 0) {
      await this.saved(task, false);
    } else if (task.error && task.error.code !== 'stopped') {
      await (await this.#parts()).ends.showTaskFailure(task.error, task);
    } else if (task.status === 'completed') {
      await (await this.#parts()).ends.tellInInbox(task);
    }
  }
}

/** Returns the ID of the task that puts a task's image on black, if any. */
function onBlackOf(task: Task | undefined): string | undefined {
  return task?.results.find(({ onBlack }) => onBlack)?.onBlack?.id;
}
