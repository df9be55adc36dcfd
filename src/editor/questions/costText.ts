import * as vscode from 'vscode';
import { type Cost, imagesUnit, isMore, moneyText } from '../../service/price.ts';
import { addUp, costAhead } from '../../tasks/spending/spending.ts';
import type { TaskRequest } from '../../tasks/task.ts';

/** Names a number of images. */
export function imagesText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 image') : vscode.l10n.t('{0} images', count);
}

/** Names an amount of money, or a number of images. */
export function amountText(amount: number, unit: string): string {
  return unit === imagesUnit ? imagesText(amount) : moneyText(amount, unit, vscode.env.language);
}

/** Says what requests would cost, "about 0.16 USD"; undefined where no price says it. */
export function costAheadText(requests: readonly TaskRequest[]): string | undefined {
  const costs = [...addUp(requests.map(costAhead)).values()];
  return costs.some(({ unit }) => unit !== imagesUnit)
    ? aboutText(costs.map(({ about, unit }) => amountText(about, unit)).join(' + '))
    : undefined;
}

/** Says that an amount is not exact. @param amount in words */
export function aboutText(amount: string): string {
  return vscode.l10n.t('about {0}', amount);
}

/** Says below a question what requests would cost, or at least that they cost something. */
export function billNote(requests: readonly TaskRequest[]): string {
  const text = costAheadText(requests);
  return text === undefined
    ? vscode.l10n.t('Each image may be billed.')
    : vscode.l10n.t('It costs {0}.', text);
}

/** Says what was spent, and what may have been or may still be besides. */
export function spentText({ about, atMost, unit }: Cost): string {
  if (!isMore(atMost, about)) {
    return unit === imagesUnit ? amountText(about, unit) : aboutText(amountText(about, unit));
  }
  return about === 0
    ? vscode.l10n.t('up to {0}', amountText(atMost, unit))
    : vscode.l10n.t('about {0}, up to {1}', amountText(about, unit), amountText(atMost, unit));
}
