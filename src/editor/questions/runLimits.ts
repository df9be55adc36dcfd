import * as vscode from 'vscode';
import { isLimnerError } from '../../common/limnerError.ts';
import { isMore } from '../../service/price.ts';
import { imageCount } from '../../tasks/files/onTwoGrounds.ts';
import type { StartOptions } from '../../tasks/run/taskRunner.ts';
import type { Excess } from '../../tasks/spending/budget.ts';
import type { Task, TaskRequest } from '../../tasks/task.ts';
import { openBudget } from '../failures/errorText.ts';
import { settingNames } from '../names.ts';
import { requireConfirmation } from './confirm.ts';
import { aboutText, amountText, billNote } from './costText.ts';
import { refuse } from './refusal.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { Settings } from '../window/settings.ts';

/** Asks before runs that make many images or exceed the budget. */
export class RunLimits {
  readonly #engine: Pick<EngineHost, 'get'>;
  readonly #settings: Settings;
  #askedAgain: Promise<unknown> = Promise.resolve();

  constructor(engine: Pick<EngineHost, 'get'>, settings: Settings) {
    this.#engine = engine;
    this.#settings = settings;
  }

  /**
   * Asks before a run that exceeds `limner.budget`, or else one that makes more images than `limner.confirmAbove`, whoever
   * started it.
   *
   * @returns how its requests are started
   * @throws vscode.CancellationError when the person declines
   * @throws LimnerError `over_budget` when the budget can't be read
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
      throw isLimnerError(error) && error.code === 'over_budget'
        ? refuse('over_budget', error.message, [openBudget()])
        : error;
    }
    if (!excess) {
      return {};
    }
    await requireConfirmation(
      vscode.l10n.t('{0} Send it anyway?', budgetText(excess)),
      vscode.l10n.t('Send Anyway'),
      budgetFacts(excess).join(' '),
    );
    return { isBeyondBudget: true };
  }

  /**
   * Has a request sent as it was confirmed. Asks once more where other runs have used up the budget since.
   *
   * @throws vscode.CancellationError when the person declines
   */
  async send(
    request: TaskRequest,
    confirmed: StartOptions,
    start: (options: StartOptions) => Promise<Task>,
  ): Promise<Task> {
    try {
      return await start(confirmed);
    } catch (error) {
      if (!isLimnerError(error) || error.code !== 'over_budget') {
        throw error;
      }
      // Of several, each is asked about once it is known what became of those before.
      const before = this.#askedAgain;
      const sending = before.then(async () => start(await this.withinBudget([request])));
      this.#askedAgain = sending.catch(() => undefined);
      return sending;
    }
  }
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
