import * as vscode from 'vscode';
import type { Task } from '../../tasks/task.ts';
import { internalCommands } from '../names.ts';
import { taskName } from '../failures/taskFailures.ts';
import { taskDescription, troubleText } from './taskLabels.ts';
import type { TaskTree } from './taskTree.ts';

/** Tasks named in the tooltip. */
const maxTooltipLength = 10;

/** The status bar item while tasks run, with their count and progress; it leads to the first of them in the list. */
export class RunningStatus implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('running', vscode.StatusBarAlignment.Left);
  readonly #subscription: vscode.Disposable;

  constructor(tree: TaskTree) {
    this.#item.name = vscode.l10n.t('Limner: Running Tasks');
    this.#item.command = internalCommands.showRunningTasks;
    this.#subscription = tree.onDidChangeRunning((tasks) => this.#show(tasks));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#item.dispose();
  }

  #show(tasks: readonly Task[]): void {
    if (tasks.length === 0) {
      this.#item.hide();
      return;
    }
    const progress = Math.round(tasks.reduce((sum, task) => sum + (task.progress ?? 0), 0) / tasks.length);
    const text =
      tasks.length === 1
        ? vscode.l10n.t('1 image task · {0}%', progress)
        : vscode.l10n.t('{0} image tasks · {1}%', tasks.length, progress);
    const trouble = tasks.map(troubleText).find((said) => said !== undefined);
    const all = trouble === undefined ? text : `${text} · ${trouble}`;
    this.#item.text = `$(${trouble === undefined ? 'loading~spin' : 'warning'}) ${all}`;
    this.#item.accessibilityInformation = { label: `Limner, ${all}` };
    this.#item.tooltip = tasks
      .slice(0, maxTooltipLength)
      .map((task) => `${taskName(task)}: ${taskDescription(task)}`)
      .join('\n');
    this.#item.show();
  }
}
