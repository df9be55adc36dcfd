import * as vscode from 'vscode';
import type { SaveTarget, Task } from '../../tasks/task.ts';
import { describeError } from '../failures/errorText.ts';
import { settingNames } from '../names.ts';
import { pickFolder } from '../paint/saveTarget.ts';
import type { TaskRuns } from '../paint/taskRuns.ts';
import { confirmed } from '../window/confirm.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { statOf } from '../window/files.ts';
import type { Settings } from '../window/settings.ts';
import { taskOf, type TaskArgument } from './taskArgument.ts';

/** Saves what was paid for and is no file yet. */
export class SavingAgain {
  readonly #engine: EngineHost;
  readonly #settings: Settings;
  readonly #runs: TaskRuns;

  constructor(engine: EngineHost, settings: Settings, runs: TaskRuns) {
    this.#engine = engine;
    this.#settings = settings;
    this.#runs = runs;
  }

  /**
   * `limner.task.saveAgain`: tries once more to save what was paid for; in another folder, which the person chooses,
   * when the first one is gone or fails again.
   *
   * @param isShown whether its images are in sight already
   */
  async save(argument: TaskArgument, isShown = false): Promise<void> {
    const task = await taskOf(this.#engine, argument);
    if (!task || !(await this.#allowHosts(task))) {
      return;
    }
    let target: SaveTarget | undefined;
    if (!(await statOf(vscode.Uri.parse(task.request.target.root, true)))) {
      target = await chooseFolder(task);
      if (!target) {
        return;
      }
    }
    const { runner } = await this.#engine.get();
    for (;;) {
      const after = await this.#runs.ended(runner, task.id, async () => runner.saveAgain(task.id, target));
      const problem = after.results.find(
        ({ state, error }) => state !== 'saved' && error?.code === 'save_failed',
      );
      if (!problem?.error) {
        await this.#runs.finish(after, isShown);
        return;
      }
      target = await offerFolder(after, describeError(problem.error, after).message);
      if (!target) {
        return;
      }
    }
  }

  /** Asks about hosts that results are not fetched from to be safe. @returns false when the person would not */
  async #allowHosts(task: Task): Promise<boolean> {
    const allowed = this.#settings.engine([]).resultHosts;
    const hosts = [...new Set(task.results.flatMap(({ error }) => error?.refusedHost ?? []))].filter(
      (host) => !allowed.includes(host),
    );
    if (hosts.length === 0) {
      return true;
    }
    const isAllowed = await confirmed(
      vscode.l10n.t('Fetch images from {0}?', hosts.join(', ')),
      vscode.l10n.t('Allow This Host and Fetch'),
      vscode.l10n.t(
        'The service says that the images are there, but that address is not on the public internet. Allow it only if you know the host; it is added to the setting "{0}".',
        settingNames.resultHosts,
      ),
    );
    if (isAllowed) {
      await this.#settings.update(settingNames.resultHosts, [...allowed, ...hosts]);
    }
    return isAllowed;
  }
}

async function offerFolder(task: Task, message: string): Promise<SaveTarget | undefined> {
  const choose = vscode.l10n.t('Choose Another Folder…');
  const chosen = await vscode.window.showErrorMessage(message, choose);
  return chosen === choose ? chooseFolder(task) : undefined;
}

async function chooseFolder({ request }: Task): Promise<SaveTarget | undefined> {
  const folder = await pickFolder();
  return folder && { ...request.target, folder: folder.toString(), root: folder.toString() };
}
