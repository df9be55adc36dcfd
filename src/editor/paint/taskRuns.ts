import * as vscode from 'vscode';
import { type ErrorRecord, isLimnerError } from '../../common/limnerError.ts';
import { isMore } from '../../service/price.ts';
import { imageCount } from '../../tasks/files/onTwoGrounds.ts';
import type { StartOptions } from '../../tasks/run/taskRunner.ts';
import type { Excess } from '../../tasks/spending/budget.ts';
import type { Task, TaskRequest } from '../../tasks/task.ts';
import * as commands from '../commandIds.ts';
import { commandAction, describeError, offer } from '../failures/errorText.ts';
import { aboutText, amountText, billNote } from '../questions/costText.ts';
import { failTask, refuse, type Refusal, reportFailure } from '../questions/refusal.ts';
import { settingNames } from '../names.ts';
import { progressOf } from '../taskList/batchProgress.ts';
import type { TaskNotices } from '../taskList/taskNotices.ts';
import { firstError, savedFiles } from '../taskList/taskLabels.ts';
import { requireConfirmation } from '../questions/confirm.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { Settings } from '../window/settings.ts';

/** The outcome of a run: its task and the files it saved. */
export interface TaskOutcome {
  taskId: string;
  files: vscode.Uri[];
}

/** Follows tasks to their end, and asks before runs that make many images or exceed the budget. */
export class TaskRuns {
  readonly #engine: EngineHost;
  readonly #settings: Settings;
  readonly #notices: TaskNotices;
  readonly #log: vscode.LogOutputChannel;

  constructor(engine: EngineHost, settings: Settings, notices: TaskNotices, log: vscode.LogOutputChannel) {
    this.#engine = engine;
    this.#settings = settings;
    this.#notices = notices;
    this.#log = log;
  }

  /**
   * Asks before a run that exceeds `limner.budget`, or else one that makes more images than `limner.confirmAbove`, whoever
   * started it.
   *
   * @returns how its requests are started
   * @throws vscode.CancellationError when the person declines
   * @throws LimnerError `over_budget` where nobody is asked: of a run of an agent, or when the budget can't be read
   */
  async confirm(requests: readonly TaskRequest[]): Promise<StartOptions> {
    const options = await this.withinBudget(requests);
    if (!options.isBeyondBudget) {
      await this.confirmCount(requests);
    }
    return options;
  }

  /** Asks only whether so many images are meant. */
  async confirmCount(requests: readonly TaskRequest[]): Promise<void> {
    const images = requests.reduce((sum, request) => sum + imageCount(request), 0);
    if (images <= this.#settings.confirmAbove) {
      return;
    }
    await requireConfirmation(
      vscode.l10n.t('Make {0} images in one run?', images),
      vscode.l10n.t('Make {0} Images', images),
      [
        billNote(requests),
        vscode.l10n.t('The "{0}" setting controls when Limner asks.', settingNames.confirmAbove),
      ].join(' '),
    );
  }

  /** Asks only whether the budget may be exceeded. @returns and throws as `confirm` */
  async withinBudget(requests: readonly TaskRequest[]): Promise<StartOptions> {
    const { runner } = await this.#engine.get();
    let excess: Excess | undefined;
    try {
      excess = runner.excessOf(requests);
    } catch (error) {
      throw isLimnerError(error) && error.code === 'over_budget' ? refuseBudget(error.message) : error;
    }
    if (!excess) {
      return {};
    }
    const facts = budgetFacts(excess);
    if (requests.some(({ startedBy }) => startedBy === 'agent')) {
      throw refuseBudget([budgetText(excess), ...facts].join(' '));
    }
    await requireConfirmation(
      vscode.l10n.t('{0} Send it anyway?', budgetText(excess)),
      vscode.l10n.t('Send Anyway'),
      facts.join(' '),
    );
    return { isBeyondBudget: true };
  }

  /**
   * Waits for the images of a task that is being started, and finishes it.
   *
   * @throws LimnerError with the task's code when it ended without a saved image
   */
  async follow(started: Promise<Task>): Promise<TaskOutcome> {
    const { id } = await started;
    return this.finish(await this.ended(id));
  }

  /** Follows a task for a person who does not wait for it: its end is shown, not thrown. */
  followInBackground(task: Task | undefined): void {
    if (task && !this.#notices.isFollowed(task.id)) {
      this.ended(task.id)
        .then(async (ended) => this.finish(ended))
        .catch(async (error: unknown) => reportFailure(this.#log, error));
    }
  }

  /**
   * Follows tasks that are being started together, and reports once how they ended.
   *
   * @throws the error of the first that could not be started, once the others have ended
   */
  async followTogether(starting: readonly Promise<Task | undefined>[]): Promise<void> {
    const ends = await Promise.allSettled(
      starting.map(async (start) => {
        const task = await start;
        return task && this.ended(task.id);
      }),
    );
    const ended = ends.flatMap((end) => (end.status === 'fulfilled' && end.value ? end.value : []));
    const batch = ended[0]?.request.batch;
    if (batch) {
      void tellTogether(batch, ended);
    }
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) {
      throw failed.reason;
    }
  }

  /** Waits until a task has ended, which only the caller then reports. @param resume called once it is followed */
  async ended(id: string, resume?: () => Promise<unknown>): Promise<Task> {
    const followed = this.#notices.follow(id);
    try {
      await resume?.();
      const { runner } = await this.#engine.get();
      return await runner.outcome(id);
    } finally {
      followed.dispose();
    }
  }

  /**
   * Does what `limner.afterSave` says with the first image of a task that has ended, and reports it.
   *
   * @param isShown whether its images are visible already: then nothing is opened or reported
   * @throws LimnerError with the task's code when it ended without a saved image
   */
  async finish(task: Task, isShown = false): Promise<TaskOutcome> {
    const files = savedFiles(task);
    const [first] = files;
    if (!first) {
      throw failTask(task, firstError(task) ?? noImage);
    }
    if (!isShown) {
      const shown = await this.#afterSave(first);
      void this.#notices.saved(task, shown);
    }
    return { taskId: task.id, files };
  }

  /** @returns whether the image is visible now */
  async #afterSave(image: vscode.Uri): Promise<boolean> {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    switch (this.#settings.afterSave) {
      case 'open':
        await vscode.commands.executeCommand('vscode.open', image, {
          preserveFocus: true,
          preview: true,
          viewColumn: isText(activeTab) ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
        });
        return true;
      case 'reveal':
        await vscode.commands.executeCommand('revealInExplorer', image);
        if (activeTab) {
          // The Explorer has the focus now, but further typing is meant for the editor.
          await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
        }
        return true;
      case 'nothing':
        return false;
    }
  }
}

const noImage: ErrorRecord = {
  code: 'empty_result',
  message: 'The task ended without a saved image.',
  billing: 'maybe',
};

function refuseBudget(message: string): Refusal {
  return refuse('over_budget', message, [
    commandAction(vscode.l10n.t('Open Settings'), 'workbench.action.openSettings', settingNames.budget),
  ]);
}

function budgetText({ period, limit, unit }: Excess): string {
  const amount = amountText(limit, unit);
  switch (period) {
    case 'day':
      return vscode.l10n.t('This exceeds the budget of {0} for today.', amount);
    case 'month':
      return vscode.l10n.t('This exceeds the budget of {0} for this month.', amount);
    case 'agentsDay':
      return vscode.l10n.t('This exceeds the budget of {0} for what agents do today.', amount);
  }
}

/** Says what the budget is made of. */
function budgetFacts({ period, unit, run, spent, mostSpent }: Excess): string[] {
  const before = amountText(spent, unit);
  return [
    vscode.l10n.t('This run costs {0}.', aboutText(amountText(run, unit))),
    period === 'month'
      ? vscode.l10n.t('Spent this month: {0}.', before)
      : vscode.l10n.t('Spent today: {0}.', before),
    ...(isMore(mostSpent, spent)
      ? [vscode.l10n.t('Up to {0} more may have been billed.', amountText(mostSpent - spent, unit))]
      : []),
    vscode.l10n.t('The "{0}" setting is the budget.', settingNames.budget),
  ];
}

/** Whether a person may be writing in a tab, which an image must not cover. */
function isText(tab: vscode.Tab | undefined): boolean {
  return tab?.input instanceof vscode.TabInputText || tab?.input instanceof vscode.TabInputNotebook;
}

/** Reports how tasks ended that were made together. */
async function tellTogether(
  { id, title }: NonNullable<TaskRequest['batch']>,
  tasks: readonly Task[],
): Promise<void> {
  const { images, saved, failed } = progressOf(tasks);
  if (saved === images) {
    void vscode.window.showInformationMessage(
      images === 1
        ? vscode.l10n.t('{0}: saved 1 image.', title)
        : vscode.l10n.t('{0}: saved {1} images.', title, images),
    );
    return;
  }
  const [error] = failed.flatMap((task) => firstError(task) ?? []);
  const count = vscode.l10n.t('{0}: saved {1} of {2} images.', title, saved, images);
  await offer(
    vscode.window.showWarningMessage,
    `${count} ${error && failed[0] ? describeError(error, failed[0]).message : ''}`.trim(),
    commandAction(vscode.l10n.t('Make the Others Again…'), commands.retryBatch, id),
  );
}
