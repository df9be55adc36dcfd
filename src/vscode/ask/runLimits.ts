import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { listText, sentencesText } from '../../common/text.ts';
import { isLimnerError } from '../../common/limnerError.ts';
import { imagesUnit, isMore } from '../../service/terms/price.ts';
import { imageCount, isOnBlack } from '../../engine/task/twoBackgrounds.ts';
import type { StartOptions } from '../../engine/run/taskRunner.ts';
import type { Excess, OverLimit, Unmeasured } from '../../engine/task/budget.ts';
import type { Task, TaskRequest } from '../../engine/task/task.ts';
import { commandAction } from '../window/offers.ts';
import { setBudget } from '../window/errorText.ts';
import * as commands from '../window/commandIds.ts';
import * as settingNames from '../window/settingNames.ts';
import { openInStudio, openSetting, requireCharge } from './confirm.ts';
import { aboutText, amountText, requestText } from '../taskList/costText.ts';
import { refuse } from './refusal.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { Settings } from '../window/settings.ts';
import { told } from '../../engine/messages/told.ts';

/** How long repeating the last request is treated as a likely mistake, in milliseconds. */
const repeatTime = 10 * 60_000;

/** Asks before runs of many images, beyond the budget, or that repeat the last one. */
export class RunLimits {
  readonly #engine: Pick<EngineHost, 'get'>;
  readonly #settings: Settings;
  #askedAgain: Promise<unknown> = Promise.resolve();

  constructor(engine: Pick<EngineHost, 'get'>, settings: Settings) {
    this.#engine = engine;
    this.#settings = settings;
  }

  /**
   * Asks before a run that exceeds `limner.budget` or, failing that, `limner.confirmAbove`, whoever started it.
   *
   * @returns options for its requests
   * @throws vscode.CancellationError if the user declines
   * @throws LimnerError `over_budget` if the budget can't be read
   */
  async confirm(requests: readonly TaskRequest[]): Promise<StartOptions> {
    const options = await this.withinBudget(requests);
    if (!options.isBeyondBudget) {
      await this.confirmCount(requests);
    }
    return options;
  }

  async confirmCount(requests: readonly TaskRequest[]): Promise<void> {
    const images = imagesOf(requests);
    if (images <= this.#settings.confirmAbove) {
      return;
    }
    await requireCharge(
      l10n.t('Generate {0} images in one run?', images),
      [l10n.t('Generate {0} Images', images)],
      openSetting(settingNames.confirmAbove),
      [
        requestText(requests),
        l10n.t('The "{0}" setting controls when Limner asks.', settingNames.confirmAbove),
      ].join('\n'),
    );
  }

  /**
   * Asks whether to edit images in separate tasks, since their model takes fewer at a time, and about the budget.
   *
   * @param most maximum number of images for the model
   * @returns and throws as `confirm`
   */
  async confirmOneByOne(
    requests: readonly TaskRequest[],
    model: string,
    most: number,
  ): Promise<StartOptions> {
    await requireCharge(
      l10n.t('Edit these {0} images one by one?', requests.length),
      [l10n.t('Edit Each')],
      commandAction(l10n.t('Change Model…'), commands.changeModel),
      [
        l10n.t('{0} takes {1} at a time. Each is edited in a task of its own.', model, most),
        requestText(requests),
      ].join('\n'),
    );
    return this.withinBudget(requests);
  }

  /**
   * Asks before a request that equals the last one, and before several that equal some of the last ones, if those are
   * recent and may have been billed.
   *
   * @returns whether it asked
   */
  async confirmRepeat(requests: readonly TaskRequest[]): Promise<boolean> {
    const { store } = await this.#engine.get();
    const recent = store
      .list({ limit: 2 * requests.length })
      .filter((task) => !isOnBlack(task.request))
      .slice(0, 2 * requests.length - 1)
      .filter(({ createdAt, error }) => Date.now() - createdAt < repeatTime && error?.billing !== 'no');
    const made = new Map(recent.map((task) => [task, essenceOf(task.request)]));
    const repeated = requests.flatMap((request) => {
      const essence = essenceOf(request);
      return recent.find((task) => isDeepStrictEqual(made.get(task), essence)) ?? [];
    });
    const [first] = repeated;
    if (!first) {
      return false;
    }
    const question =
      requests.length === 1
        ? l10n.t('You just made exactly this request. Send it again?')
        : l10n.t(
            'You just made {0} of these {1} requests. Send all of them?',
            repeated.length,
            requests.length,
          );
    await requireCharge(question, [l10n.t('Send Again')], openInStudio(first.id), requestText(requests));
    return true;
  }

  /** Asks only about the budget. @returns and throws as `confirm` */
  async withinBudget(requests: readonly TaskRequest[]): Promise<StartOptions> {
    const { runner } = await this.#engine.get();
    let excess: Excess | undefined;
    try {
      excess = runner.excessOf(requests);
    } catch (error) {
      throw isLimnerError(error) && error.code === 'over_budget'
        ? refuse('over_budget', told(error.message), [setBudget()])
        : error;
    }
    if (!excess) {
      return {};
    }
    const [problem, facts] =
      'limit' in excess
        ? [budgetText(excess), budgetFacts(excess)]
        : [l10n.t("The budget doesn't cover this run."), unmeasuredFacts(excess)];
    await requireCharge(
      l10n.t('{0} Send it anyway?', problem),
      [l10n.t('Send Anyway')],
      setBudget(),
      [requestText(requests), sentencesText(facts)].join('\n'),
    );
    return { isBeyondBudget: true };
  }

  /**
   * Sends a confirmed request. Asks again if other runs have used up the budget since.
   *
   * @throws vscode.CancellationError if the user declines
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
      // Each of several is asked about once the outcome of those before is known.
      const before = this.#askedAgain;
      const sending = before.then(async () => start(await this.withinBudget([request])));
      this.#askedAgain = sending.catch(() => undefined);
      return sending;
    }
  }
}

function imagesOf(requests: readonly TaskRequest[]): number {
  return requests.reduce((sum, request) => sum + imageCount(request), 0);
}

/** Returns the parts that tell requests apart: not where images are saved, where inputs are kept, or what they are for. */
function essenceOf(request: TaskRequest): unknown {
  const { images, mask, style } = request;
  return {
    ...request,
    images: images?.map(({ sha256 }) => sha256),
    mask: mask?.sha256,
    style: style && { ...style, images: style.images?.map(({ sha256 }) => sha256) },
    target: undefined,
    instruction: undefined,
    price: undefined,
    startedBy: undefined,
    batch: undefined,
    reference: undefined,
    socialCard: undefined,
  };
}

function budgetText({ period, limit: { amount, unit } }: OverLimit): string {
  const text = amountText(amount, unit);
  switch (period) {
    case 'day':
      return l10n.t('This exceeds the budget of {0} for today.', text);
    case 'month':
      return l10n.t('This exceeds the budget of {0} for this month.', text);
    case 'agentsDay':
      return l10n.t('This exceeds the budget of {0} for agents today.', text);
  }
}

function budgetFacts({ period, limit: { unit }, run, spent, mostSpent }: OverLimit): string[] {
  const before = amountText(spent, unit);
  return [
    l10n.t('This run costs {0}.', aboutText(amountText(run, unit))),
    period === 'month' ? l10n.t('Spent this month: {0}.', before) : l10n.t('Spent today: {0}.', before),
    ...(isMore(mostSpent, spent)
      ? [l10n.t('Up to {0} more may have been billed.', amountText(mostSpent - spent, unit))]
      : []),
  ];
}

function unmeasuredFacts({ limits, model, unit }: Unmeasured): string[] {
  const amounts = limits.map(({ amount, unit: one }) => amountText(amount, one));
  return [
    l10n.t('The budget is {0}.', listText(amounts, vscode.env.language)),
    unit === imagesUnit
      ? l10n.t('{0} has no price.', model)
      : unit === ''
        ? l10n.t('The price of {0} names no currency.', model)
        : l10n.t('The price of {0} is in {1}.', model, unit),
    l10n.t('"{0}" changes that.', `Limner: ${l10n.t('Set Price…')}`),
  ];
}
