import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { startOfDay, startOfMonth } from '../../common/days.ts';
import { imagesUnit, moneyText } from '../../service/terms/price.ts';
import { type Budget, spentIn } from '../../engine/task/budget.ts';
import * as settingNames from '../window/settingNames.ts';
import type { SpendingRow } from './spendingTable.ts';

/** A column of numbers: its title, and its number of some rows. */
interface Column {
  title: string;
  of: (rows: readonly SpendingRow[]) => string;
}

/**
 * Returns the page of spending as Markdown: the budget and what is left of it, then one table for each currency, and one
 * for images without a price.
 *
 * @param budget the reason if it can't be read
 * @param now in Unix milliseconds
 */
export function spendingReport(rows: readonly SpendingRow[], budget: Budget | string, now: number): string {
  const units = new Set(rows.map(({ unit }) => unit));
  const currencies = [...units].filter((unit) => unit !== imagesUnit).toSorted();
  return [
    `# ${l10n.t('Spending')}`,
    ...(typeof budget === 'string' ? [escaped(budget)] : budgetTables(rows, budget, now)),
    ...[...currencies, ...(units.has(imagesUnit) ? [imagesUnit] : [])].flatMap((unit) => [
      `## ${titleOf(unit)}`,
      spendingOf(
        rows.filter((row) => row.unit === unit),
        unit,
        now,
      ),
    ]),
    notes(rows),
  ].join('\n\n');
}

function budgetTables(rows: readonly SpendingRow[], budget: Budget, now: number): string[] {
  const today = rows.filter(({ day }) => day >= startOfDay(now));
  const periods = [
    { title: l10n.t('Today'), limits: budget.day, spent: today },
    {
      title: l10n.t('This month'),
      limits: budget.month,
      spent: rows.filter(({ day }) => day >= startOfMonth(now)),
    },
    {
      title: l10n.t('Agents today'),
      limits: budget.agentsDay,
      spent: today.filter(({ isByAgent }) => isByAgent),
    },
  ];
  const lines = periods.flatMap(({ title, limits = [], spent }) =>
    limits.map(({ amount, unit }) => {
      const { about, atMost } = spentIn(unit, spent);
      const numbers = [amount, about, atMost - about, Math.max(0, amount - atMost)];
      return { unit, cells: [title, ...numbers.map(number)] };
    }),
  );
  if (lines.length === 0) {
    return [l10n.t('No budget is set.')];
  }
  return [...Map.groupBy(lines, ({ unit }) => unit)].map(([unit, own]) =>
    table(
      [
        unit === imagesUnit ? l10n.t('Budget, in images') : l10n.t('Budget, in {0}', escaped(unit)),
        l10n.t('Limit'),
        l10n.t('Spent'),
        l10n.t('May have been spent'),
        l10n.t('Remaining'),
      ],
      1,
      own.map(({ cells }) => cells),
    ),
  );
}

/** Returns the table of one unit: today, this month, and each earlier month, by model, service, and who started it. */
function spendingOf(rows: readonly SpendingRow[], unit: string, now: number): string {
  const [today, month] = [startOfDay(now), startOfMonth(now)];
  const earlier = Map.groupBy(rows.filter(({ day }) => day < month).toReversed(), ({ day }) =>
    monthName(day),
  );
  const spans: [string, readonly SpendingRow[]][] = [
    [l10n.t('Today'), rows.filter(({ day }) => day >= today)],
    [l10n.t('This month'), rows.filter(({ day }) => day >= month)],
    ...earlier,
  ];
  const columns = columnsOf(rows, unit);
  return table(
    ['', l10n.t('Model'), l10n.t('Service'), l10n.t('Started by'), ...columns.map(({ title }) => title)],
    4,
    spans.flatMap(([title, spent]) => spanOf(title, spent, columns)),
  );
}

/** Returns the numbers of a table; those of what may have been billed only if they differ somewhere. */
function columnsOf(rows: readonly SpendingRow[], unit: string): Column[] {
  const isSure = rows.every(({ billed, mostBilled }) => billed === mostBilled);
  const columns = [
    { title: l10n.t('Images'), of: sumOf('billed') },
    { title: l10n.t('Images at most'), of: sumOf('mostBilled'), isBound: true },
    { title: l10n.t('Cost'), of: sumOf('about'), isMoney: true },
    { title: l10n.t('Cost at most'), of: sumOf('atMost'), isMoney: true, isBound: true },
  ];
  return columns.filter(({ isMoney, isBound }) => !(isMoney && unit === imagesUnit) && !(isBound && isSure));
}

function sumOf(key: 'billed' | 'mostBilled' | 'about' | 'atMost'): Column['of'] {
  return (rows) => number(rows.reduce((all, row) => all + row[key], 0));
}

/** Returns the lines of a period: its sum, and its parts unless it has only one. */
function spanOf(title: string, rows: readonly SpendingRow[], columns: readonly Column[]): string[][] {
  const parts = [
    ...Map.groupBy(rows, ({ model, service, isByAgent }) => JSON.stringify([model, service, isByAgent])),
  ];
  const lines = parts.toSorted(compareKeys).map(([, some]) => {
    const { model = '', service = '', isByAgent = false } = some[0] ?? {};
    const name = asCode(service.replace(/^https:\/\//u, ''));
    const starter = isByAgent
      ? l10n.t('an agent')
      : l10n.t({ message: 'you', comment: ['Who started a task, in a table'] });
    return ['', escaped(model), name, starter].concat(columns.map(({ of }) => of(some)));
  });
  const [only = []] = lines;
  return lines.length === 1
    ? [[`**${title}**`, ...only.slice(1)]]
    : [[`**${title}**`, '', '', '', ...columns.map(({ of }) => `**${of(rows)}**`)], ...lines];
}

function compareKeys([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function titleOf(unit: string): string {
  if (unit === imagesUnit) {
    return l10n.t('Images without a price');
  }
  return unit === '' ? l10n.t('Prices without a currency') : escaped(unit);
}

function notes(rows: readonly SpendingRow[]): string {
  const lines = [
    l10n.t(
      '"At most" includes running tasks and tasks with an unknown outcome. Rejected and refunded requests aren\'t counted. The demo service is counted only if its models have prices.',
    ),
    rows.some(({ unit }) => unit === imagesUnit)
      ? l10n.t('To see what the images of a model cost, run "{0}".', `Limner: ${l10n.t('Set Price…')}`)
      : l10n.t('Costs use the prices that the "{0}" setting had at the time.', settingNames.models),
  ];
  return lines.map((line) => `*${escaped(line)}*`).join('\n\n');
}

function number(amount: number): string {
  return moneyText(amount, '', vscode.env.language);
}

/** @param texts the number of columns with text, which come first */
function table(titles: readonly string[], texts: number, rows: readonly (readonly string[])[]): string {
  const rules = titles.map((_, index) => (index < texts ? '---' : '---:'));
  return [titles, rules, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function monthName(day: number): string {
  return new Date(day).toLocaleDateString(vscode.env.language, { month: 'long', year: 'numeric' });
}

/** Escapes an address so that Markdown doesn't turn it into a link. */
function asCode(text: string): string {
  return `\`${text.replaceAll(/[`|\s]/gu, '')}\``;
}

/** Escapes a text for Markdown: names of models and services are data. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>()#+\-.!|~&]/gu, String.raw`\$&`).replaceAll(/\s+/gu, ' ');
}
