import * as vscode from 'vscode';
import { startOfDay, startOfMonth } from '../../common/days.ts';
import { imagesUnit } from '../../service/price.ts';
import type { Budget } from '../../tasks/spending/budget.ts';
import { addUp, type Spending } from '../../tasks/spending/spending.ts';
import { amountText, spentText } from '../questions/costText.ts';
import { settingNames } from '../names.ts';
import type { SpendingRow } from './spendingTable.ts';

/** How many days are listed one by one. */
const listedDays = 31;

/**
 * Returns what was spent as Markdown: against the budget, by month, by model of this month, and by day.
 *
 * @param now in Unix milliseconds
 */
export function spendingReport(rows: readonly SpendingRow[], budget: Budget, now: number): string {
  const [today, month] = [startOfDay(now), startOfMonth(now)];
  const ofMonth = rows.filter(({ day }) => day >= month);
  const since = new Date(today).setDate(new Date(today).getDate() - listedDays + 1);
  const days = rows.filter(({ day }) => day >= since).toReversed();
  return [
    `# ${vscode.l10n.t('Spending')}`,
    budgetTable(rows, budget, now),
    ...part(vscode.l10n.t('By Month'), byTime(rows.toReversed(), monthName, vscode.l10n.t('Month'))),
    ...part(vscode.l10n.t('This Month, by Model'), byModel(ofMonth)),
    ...part(vscode.l10n.t('The Last {0} Days', listedDays), byTime(days, dayName, vscode.l10n.t('Day'))),
    notes(rows),
  ].join('\n\n');
}

/** Says in a sentence what was spent today and this month. */
export function spendingSummary(rows: readonly SpendingRow[], now: number): string {
  const ofMonth = rows.filter(({ day }) => day >= startOfMonth(now));
  const ofToday = ofMonth.filter(({ day }) => day >= startOfDay(now));
  return vscode.l10n.t('Today: {0}. This month: {1}.', sumText(ofToday), sumText(ofMonth));
}

function budgetTable(rows: readonly SpendingRow[], budget: Budget, now: number): string {
  const today = rows.filter(({ day }) => day >= startOfDay(now));
  const periods: [title: string, rows: readonly SpendingRow[], limit: number | undefined][] = [
    [vscode.l10n.t('Today'), today, budget.day],
    [vscode.l10n.t('This month'), rows.filter(({ day }) => day >= startOfMonth(now)), budget.month],
    [vscode.l10n.t('Today, by agents'), today.filter(({ isByAgent }) => isByAgent), budget.agentsDay],
  ];
  return table(
    ['', vscode.l10n.t('Images'), vscode.l10n.t('Cost'), vscode.l10n.t('Budget')],
    periods.map(([title, spent, limit]) => [
      title,
      imagesOf(spent),
      moneyOf(spent),
      limit === undefined ? '–' : limitText(rows, limit),
    ]),
  );
}

/** Names a limit in each currency that it holds for. */
function limitText(rows: readonly SpendingRow[], limit: number): string {
  const units = sumsOf(rows).map(({ unit }) => unit);
  return inLines((units.length > 0 ? units : [imagesUnit]).map((unit) => amountText(limit, unit)));
}

function byTime(rows: readonly SpendingRow[], nameOf: (day: number) => string, title: string): string {
  const spans = [...Map.groupBy(rows, ({ day }) => nameOf(day))];
  return spans.length === 0
    ? ''
    : table(
        [title, vscode.l10n.t('Images'), vscode.l10n.t('Cost')],
        spans.map(([name, spent]) => [name, imagesOf(spent), moneyOf(spent)]),
      );
}

function byModel(rows: readonly SpendingRow[]): string {
  const models = [...Map.groupBy(rows, ({ model, service }) => JSON.stringify([model, service]))];
  return models.length === 0
    ? ''
    : table(
        [vscode.l10n.t('Model'), vscode.l10n.t('Service'), vscode.l10n.t('Images'), vscode.l10n.t('Cost')],
        models.map(([, spent]) => [
          escaped(spent[0]?.model ?? ''),
          asCode(spent[0]?.service ?? ''),
          imagesOf(spent),
          moneyOf(spent),
        ]),
      );
}

function notes(rows: readonly SpendingRow[]): string {
  const lines = [
    vscode.l10n.t(
      'What is under way, and what nobody knows the outcome of, is counted by "up to". What the service refused or refunded is not counted, and neither is the demo service unless its models have prices.',
    ),
    rows.some(({ unit }) => unit === imagesUnit)
      ? vscode.l10n.t(
          'Images whose model had no price are only counted. Set "price" in its "{0}" entry.',
          settingNames.models,
        )
      : vscode.l10n.t('Costs are by the prices of the "{0}" setting at the time.', settingNames.models),
  ];
  return lines.map((line) => `*${escaped(line)}*`).join('\n\n');
}

function part(title: string, content: string): string[] {
  return content === '' ? [] : [`## ${title}`, content];
}

function imagesOf(rows: readonly SpendingRow[]): string {
  const sum = (of: (row: SpendingRow) => number): number => rows.reduce((all, row) => all + of(row), 0);
  const [billed, most] = [sum((row) => row.billed), sum((row) => row.mostBilled)];
  return billed === most ? String(billed) : vscode.l10n.t('{0}, up to {1}', billed, most);
}

/** Returns what has a price, and beside it what has none. */
function moneyOf(rows: readonly SpendingRow[]): string {
  const sums = sumsOf(rows);
  return sums.some(({ unit }) => unit !== imagesUnit) ? inLines(sums.map(spentText)) : '–';
}

function sumText(rows: readonly SpendingRow[]): string {
  const sums = sumsOf(rows);
  return sums.length === 0 ? amountText(0, imagesUnit) : sums.map(spentText).join('; ');
}

/** Adds up what was spent, by currency; images without a price come last. */
function sumsOf(rows: readonly SpendingRow[]): Spending[] {
  return [...addUp(rows).values()].toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
}

function placeOf({ unit }: Spending): string {
  return `${unit === imagesUnit ? 1 : 0}${unit}`;
}

/** Returns amounts as lines of one cell, which break nowhere but between two amounts where the window is narrow. */
function inLines(amounts: readonly string[]): string {
  return amounts.map((amount) => escaped(amount).replaceAll(/(?<!,) /gu, '\u{A0}')).join('<br>');
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [tableLine(titles), tableLine(titles.map(() => '---')), ...rows.map(tableLine)].join('\n');
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function monthName(day: number): string {
  return new Date(day).toLocaleDateString(vscode.env.language, { month: 'long', year: 'numeric' });
}

function dayName(day: number): string {
  return new Date(day).toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
}

/** Returns an address as Markdown that makes no link of it. */
function asCode(text: string): string {
  return `\`${text.replaceAll(/[`|\s]/gu, '')}\``;
}

/** Returns a text that Markdown shows as it is: names of models and services are data. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>()#+\-.!|~&]/gu, String.raw`\$&`).replaceAll(/\s+/gu, ' ');
}
