import * as vscode from 'vscode';
import { internalCommands } from '../names.ts';
import { taskName } from '../failures/taskFailures.ts';
import { taskDescription, troubleText } from './taskLabels.ts';
import type { RunningTasks } from './taskList.ts';
import type { TaskTree } from './taskTree.ts';

/** Tasks named in the tooltip. */
const maxTooltipLength = 10;
/** How long changes are gathered before they are shown, in milliseconds. */
const pause = 100;

/** The status bar item while tasks run, with their count and progress; it leads to the first of them in the list. */
export class RunningStatus implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('running', vscode.StatusBarAlignment.Left);
  readonly #subscription: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;

  constructor(tree: TaskTree) {
    this.#item.name = vscode.l10n.t('Limner: Running Tasks');
    this.#item.command = internalCommands.showRunningTasks;
    let latest: RunningTasks;
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

  #show(running: RunningTasks): void {
    this.#timer = undefined;
    const { tasks } = running;
    if (tasks.length === 0) {
      this.#item.hide();
      return;
    }
    const trouble = tasks.map(troubleText).find(Boolean);
    const all = textOf(running) + (trouble ? ` · ${trouble}` : '');
    this.#item.text = `$(${trouble ? 'warning' : 'loading~spin'}) ${all}`;
    this.#item.accessibilityInformation = { label: `Limner, ${all}` };
    this.#item.tooltip = tasks
      .slice(0, maxTooltipLength)
      .map((task) => `${taskName(task)}: ${taskDescription(task)}`)
      .join('\n');
    this.#item.show();
  }
}

function textOf({ tasks, areElsewhere }: RunningTasks): string {
  const count = tasks.length;
  const progress = Math.round(tasks.reduce((sum, task) => sum + (task.progress ?? 0), 0) / count);
  if (areElsewhere) {
    return count === 1
      ? vscode.l10n.t('1 image task in another workspace · {0}%', progress)
      : vscode.l10n.t('{0} image tasks in other workspaces · {1}%', count, progress);
  }
  return count === 1
    ? vscode.l10n.t('1 image task · {0}%', progress)
    : vscode.l10n.t('{0} image tasks · {1}%', count, progress);
}
