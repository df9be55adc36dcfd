import { setImmediate } from 'node:timers/promises';
import { startOfDay, startOfNextDay } from '../../common/days.ts';
import { addUp, type CostGroup, type Spending, spendingOf } from '../../engine/task/spending.ts';
import { imagesUnit } from '../../service/terms/price.ts';

/** The page of spending, by whose name menus know it. */
export const spendingFile = 'limner-spending.md';

/** Source of task costs, by the time at which they were sent. */
export interface SpentTasks {
  between(since: number, until?: number): CostGroup[];
  next(since: number): number | undefined;
}

/** Spending on one day with one model of one service, in one unit, by a user or by agents. */
export interface SpendingRow extends Spending {
  /** Midnight at the start of the day, in Unix milliseconds. */
  day: number;
  model: string;
  service: string;
  isByAgent: boolean;
}

/** Returns all spending by day, newest last. Yields to other work in between. */
export async function spendingTable(spent: SpentTasks): Promise<SpendingRow[]> {
  const rows: SpendingRow[] = [];
  for (let next = spent.next(0); next !== undefined;) {
    const day = startOfDay(next);
    const end = startOfNextDay(day);
    rows.push(...rowsOf(day, spent.between(day, end)));
    await setImmediate();
    next = spent.next(end);
  }
  return rows;
}

function rowsOf(day: number, groups: readonly CostGroup[]): SpendingRow[] {
  const lists = Map.groupBy(groups, ({ facts: { model, service, isByAgent } }) =>
    JSON.stringify([model, service, isByAgent]),
  );
  return [...lists.keys()].toSorted(compareText).flatMap((key) => {
    const list = lists.get(key) ?? [];
    const [{ facts } = { facts: undefined }] = list;
    const { model = '', service = '', isByAgent = false } = facts ?? {};
    return [...addUp(list.map(spendingOf)).values()]
      .filter(({ mostBilled }) => mostBilled > 0)
      .map((sum) => Object.assign(sum, { day, model, service, isByAgent }));
  });
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : 1;
}

const header = [
  'day',
  'service',
  'model',
  'started_by',
  'images',
  'images_at_most',
  'cost',
  'cost_at_most',
  'currency',
];

/** Returns the table as CSV (RFC 4180), with decimal points in every language. */
export function spendingCsv(rows: readonly SpendingRow[]): string {
  const lines = rows.map((row) => {
    const hasPrice = row.unit !== imagesUnit;
    return [
      isoDay(row.day),
      row.service,
      row.model,
      row.isByAgent ? 'agent' : 'person',
      String(row.billed),
      String(row.mostBilled),
      hasPrice ? decimal(row.about) : '',
      hasPrice ? decimal(row.atMost) : '',
      hasPrice ? row.unit : '',
    ];
  });
  return [header, ...lines].map((fields) => `${fields.map(field).join(',')}\r\n`).join('');
}

export function isoDay(time: number): string {
  const date = new Date(time);
  return [digits(date.getFullYear(), 4), digits(date.getMonth() + 1, 2), digits(date.getDate(), 2)].join('-');
}

function digits(number: number, length: number): string {
  return String(number).padStart(length, '0');
}

/** Formats an amount without an exponent or floating-point noise. */
function decimal(amount: number): string {
  return amount.toFixed(6).replace(/\.?0+$/u, '');
}

/** Quotes a field if necessary. A text that spreadsheets would take for a formula gets a leading apostrophe. */
function field(text: string): string {
  const plain = /^[=+\-@\t\r\n＝＋－＠]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
