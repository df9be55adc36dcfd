import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Cost, imagesUnit, isMore, moneyText } from '../../service/terms/price.ts';
import { imagesText, runText } from '../../engine/messages/costText.ts';
import { billAhead } from '../../engine/task/spending.ts';
import type { TaskRequest } from '../../engine/task/task.ts';
import { serviceName } from '../window/serviceNames.ts';

export function amountText(amount: number, unit: string): string {
  return unit === imagesUnit ? imagesText(amount) : moneyText(amount, unit, vscode.env.language);
}

export function aboutText(amount: string): string {
  return l10n.t('about {0}', amount);
}

/** Says what requests make, what that costs, and where they are sent. */
export function requestText(requests: readonly TaskRequest[]): string {
  const services = requests.map(({ baseUrl, free }) => serviceName(baseUrl, free === true));
  return runText(billAhead(requests, vscode.env.language), [...new Set(services)].join(', '));
}

/** Describes the money spent, and the money that may have been or may still be spent. */
export function spentText({ about, atMost, unit }: Cost): string {
  if (!isMore(atMost, about)) {
    return unit === imagesUnit ? amountText(about, unit) : aboutText(amountText(about, unit));
  }
  return about === 0
    ? l10n.t('up to {0}', amountText(atMost, unit))
    : l10n.t('about {0}, up to {1}', amountText(about, unit), amountText(atMost, unit));
}
