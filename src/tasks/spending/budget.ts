import * as v from 'valibot';
import { startOfDay, startOfMonth } from '../../common/days.ts';
import { LimnerError, notSent } from '../../common/limnerError.ts';
import { noList } from '../../service/modelOptions.ts';
import { imagesUnit, isMore, moneyText } from '../../service/price.ts';
import type { TaskRequest } from '../task.ts';
import { addUp, costAhead, type CostGroup, spendingOf } from './spending.ts';

const limit = v.exactOptional(v.pipe(v.number(), v.minValue(0)));

const limits = v.pipe(noList, v.strictObject({ day: limit, month: limit, agentsDay: limit }));

/**
 * What may be spent on a day and in a month, and on a day by agents: in each currency by itself, and in images where a
 * model has no price.
 */
export type Budget = v.InferOutput<typeof limits>;

/** A run that would take the spending of a period beyond its limit; amounts are in the unit. */
export interface Excess {
  period: keyof Budget;
  limit: number;
  unit: string;
  /** What the run costs. */
  run: number;
  /** What was spent, and at most: with what may have been billed, or may still be. */
  spent: number;
  mostSpent: number;
}

/**
 * Reads the value of `limner.budget`. One that can't be understood allows nothing, rather than everything.
 *
 * @throws LimnerError `over_budget`
 */
export function readBudget(value: unknown): Budget {
  const parsed = v.safeParse(limits, value);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const message = `The budget can't be read: ${v.getDotPath(issue) ?? 'value'}: ${issue.message}`;
    throw new LimnerError('over_budget', message, notSent);
  }
  return parsed.output;
}

/**
 * Returns the first period in which a run would spend more than the budget, counting what may have been billed.
 *
 * @param now in Unix milliseconds; days and months are those of the local time zone
 * @param since returns the tasks that were ordered since a time
 */
export function findExcess(
  budget: Budget,
  run: readonly TaskRequest[],
  now: number,
  since: (time: number) => readonly CostGroup[],
): Excess | undefined {
  const costs = addUp(run.map(costAhead));
  const isByAgent = run.some(({ startedBy }) => startedBy === 'agent');
  const periods = [
    { period: 'agentsDay', start: startOfDay(now), counts: isByAgent },
    { period: 'day', start: startOfDay(now), counts: true },
    { period: 'month', start: startOfMonth(now), counts: true },
  ] as const;
  for (const { period, start, counts } of periods) {
    const limit = budget[period];
    if (limit === undefined || !counts) {
      continue;
    }
    const groups = since(start).filter(({ facts }) => period !== 'agentsDay' || facts.isByAgent);
    const spent = addUp(groups.map(spendingOf));
    for (const [unit, { about }] of costs) {
      const { about: before, atMost } = spent.get(unit) ?? { about: 0, atMost: 0 };
      if (about > 0 && isMore(atMost + about, limit)) {
        return { period, limit, unit, run: about, spent: before, mostSpent: atMost };
      }
    }
  }
  return undefined;
}

const periodNames = { day: 'for a day', month: 'for a month', agentsDay: 'of agents for a day' } as const;

/** Returns the error of a run that is refused, in a sentence for each fact. */
export function overBudget({ period, limit, unit, run, spent, mostSpent }: Excess): LimnerError {
  const say = (amount: number): string => amountText(amount, unit);
  const more = isMore(mostSpent, spent) ? `, and up to ${say(mostSpent - spent)} more` : '';
  const when = period === 'month' ? 'this month' : 'today';
  return new LimnerError(
    'over_budget',
    `The budget ${periodNames[period]} is ${say(limit)}. This run costs about ${say(run)}. Spent ${when}: ${say(spent)}${more}.`,
    notSent,
  );
}

/** Returns the error of a run for which nobody knows what was spent before: part of that is in another list. */
export function spendingUnknown(path: string, version: number | undefined): LimnerError {
  const way =
    version === undefined
      ? "a task list that can't be read now. Give access to that file, or move it away to do without it."
      : `a task list of version ${version} that only a newer version of Limner can read. Update Limner, which takes it back, or move that file away to do without it.`;
  return new LimnerError(
    'over_budget',
    `What was spent isn't known: part of it is in ${path}, ${way}`,
    notSent,
  );
}

/** Formats an amount in English: "0.16 USD", "4 images". */
export function amountText(amount: number, unit: string): string {
  return unit === imagesUnit && amount === 1 ? '1 image' : moneyText(amount, unit, 'en');
}
