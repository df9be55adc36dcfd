import { setImmediate } from 'node:timers/promises';
import { startOfDay, startOfNextDay } from '../../common/days.ts';
import { addUp, type CostGroup, type Spending, spendingOf } from '../../tasks/spending/spending.ts';

/** Where what tasks cost is asked for, by the time at which they were sent. */
export interface SpentTasks {
  between(since: number, until?: number): CostGroup[];
  next(since: number): number | undefined;
}

/** What was spent on one day with one model of one service, in one unit, by a person or by agents. */
export interface SpendingRow extends Spending {
  /** The midnight that the day began with, in Unix milliseconds. */
  day: number;
  model: string;
  /** Origin of the service. */
  service: string;
  isByAgent: boolean;
}

/** Returns all that was spent, day by day, the newest last; other work comes in between. */
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
