import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { internalCommands } from '../window/names.ts';
import { taskName } from '../window/plainText.ts';
import { waitReason } from '../../engine/messages/stateText.ts';
import { taskDescription } from './taskLabels.ts';
import type { Task } from '../../engine/task/task.ts';
import type { TaskTree } from './taskTree.ts';

const maxTooltipLength = 10;
/** Delay that combines changes, in milliseconds. */
const pause = 100;

/** Status bar item with the count and progress of running tasks. Selecting it reveals the first one in the list. */
export class RunningStatus implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('running', vscode.StatusBarAlignment.Left);
  readonly #subscription: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;

  constructor(tree: TaskTree) {
    this.#item.name = l10n.t('Limner: Running Tasks');
    this.#item.command = internalCommands.showRunningTasks;
    let latest: readonly Task[];
    this.#subscription = tree.onDidChangeRunning((running) => {
      latest = running;
      this.#timer ??= setTimeout(() => this.#show(latest), pause);
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscription.dispose();
    this.#item.dispose();
  }

  #show(tasks: readonly Task[]): void {
    this.#timer = undefined;
    if (tasks.length === 0) {
      this.#item.hide();
      return;
    }
    const trouble = tasks.map(waitReason).find(Boolean);
    const all = textOf(tasks) + (trouble ? ` · ${trouble}` : '');
    this.#item.text = `$(${trouble ? 'warning' : 'loading~spin'}) ${all}`;
    this.#item.accessibilityInformation = { label: `Limner, ${all}` };
    this.#item.tooltip = tasks
      .slice(0, maxTooltipLength)
      .map((task) => `${taskName(task)}: ${taskDescription(task)}`)
      .join('\n');
    this.#item.show();
  }
}

function textOf(tasks: readonly Task[]): string {
  const count = tasks.length;
  const progress = Math.round(tasks.reduce((sum, task) => sum + (task.progress ?? 0), 0) / count);
  return count === 1
    ? l10n.t('1 image task · {0}%', progress)
    : l10n.t('{0} image tasks · {1}%', count, progress);
}
