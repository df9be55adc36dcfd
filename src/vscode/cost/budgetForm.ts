import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { listText } from '../../common/text.ts';
import { limitsIn, type Budget, type Period } from '../../engine/task/budget.ts';
import { imagesUnit, unitOf } from '../../service/terms/price.ts';
import { askText, type Step, takeAnswer, walk } from '../generate/inputSteps.ts';
import { modelName, type Models } from '../generate/models.ts';
import type { ServiceNames } from '../window/serviceNames.ts';
import * as commands from '../window/commandIds.ts';
import { commandAction, offer } from '../window/offers.ts';
import * as settingNames from '../window/settingNames.ts';
import type { Settings } from '../window/settings.ts';

const periods: readonly Period[] = ['day', 'month', 'agentsDay'];

/** Asks for the limits of each period, and writes them to the settings. */
export class BudgetForm {
  readonly #settings: Settings;
  readonly #models: Models;
  readonly #names: ServiceNames;

  constructor(settings: Settings, models: Models, names: ServiceNames) {
    this.#settings = settings;
    this.#models = models;
    this.#names = names;
  }

  /**
   * `limner.setBudget`: sets the limits that were entered, also if the user dismisses the form after that.
   *
   * @throws vscode.CancellationError when nothing was entered
   */
  async set(): Promise<void> {
    const { budget } = this.#settings.engine([]);
    const before = new Map<string, unknown>(Object.entries({ ...(typeof budget === 'object' && budget) }));
    const texts = new Map(periods.map((period) => [period, textOf(before.get(period))]));
    const taken = new Map(texts);
    await walk(() => periods.map((period) => step(period, texts))).catch((error: unknown) => {
      if (!(error instanceof vscode.CancellationError) || isDeepStrictEqual(texts, taken)) {
        throw error;
      }
    });
    const entered = [...texts].filter(([, text]) => text !== '');
    const value = entered.length === 0 ? undefined : Object.fromEntries(entered);
    await this.#settings.update(settingNames.budget, value);
    void this.#tell(Object.fromEntries(entered.map(([period, text]) => [period, limitsIn(text)])));
  }

  /** Says that the budget is set, and which models none of its limits measures. */
  async #tell(budget: { [P in Period]?: Budget[P] | undefined }): Promise<void> {
    const limits = Object.values(budget).filter((one) => one !== undefined);
    if (limits.length === 0) {
      void vscode.window.showInformationMessage(l10n.t('There is no budget now.'));
      return;
    }
    const unmeasured = this.#models.configured().filter(({ price }) => {
      const unit = price === undefined ? imagesUnit : unitOf(price);
      const isFree = price === undefined && this.#names.isDemo;
      return !isFree && !limits.every((all) => all.some((one) => [imagesUnit, unit].includes(one.unit)));
    });
    const show = commandAction(l10n.t('Show Spending'), commands.showSpending);
    await (unmeasured.length === 0
      ? offer(vscode.window.showInformationMessage, l10n.t('The budget is set.'), show)
      : offer(
          vscode.window.showWarningMessage,
          l10n.t(
            'The budget is set. It has no limit in the currency of these models, so Limner asks before each of their runs: {0}.',
            listText(unmeasured.map(modelName), vscode.env.language),
          ),
          commandAction(l10n.t('Set Price…'), commands.setPrice),
          show,
        ));
  }
}

/** Returns the text of a limit in the settings; a number without a unit waits for one. */
function textOf(limit: unknown): string {
  return typeof limit === 'string' || typeof limit === 'number' ? String(limit) : '';
}

function step(period: Period, texts: Map<Period, string>): Step {
  return async (position) => {
    const reply = await askText(
      {
        title: titleOf(period),
        prompt: l10n.t('Such as "20 USD", or "20 images" at any price. Leave it empty for no limit.'),
        placeholder: l10n.t('No limit'),
        value: texts.get(period) ?? '',
        invalid: (text) =>
          text.trim() === '' || limitsIn(text)
            ? undefined
            : l10n.t(
                'Enter an amount with its currency, such as "20 USD" or "0.50 EUR", or a number of images, such as "20 images".',
              ),
      },
      position,
    );
    return takeAnswer(reply, (text) => texts.set(period, text.trim()));
  };
}

function titleOf(period: Period): string {
  switch (period) {
    case 'day':
      return l10n.t('Budget for a Day');
    case 'month':
      return l10n.t('Budget for a Month');
    case 'agentsDay':
      return l10n.t('Budget of Agents for a Day');
  }
}
