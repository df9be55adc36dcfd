import * as v from 'valibot';
import * as english from '../../common/english.ts';
import { startOfDay, startOfMonth } from '../../common/days.ts';
import { LimnerError, notSent } from '../../common/limnerError.ts';
import { noList } from '../../service/terms/modelOptions.ts';
import {
  type Amount,
  type Cost,
  imagesUnit,
  isMore,
  moneyText,
  readAmount,
} from '../../service/terms/price.ts';
import type { TaskRequest } from './task.ts';
import { costAhead, type CostGroup, type Spending, spendingOf } from './spending.ts';

const limits = v.exactOptional(
  v.pipe(
    v.custom<string>(
      (value) => typeof value === 'string' && limitsIn(value) !== undefined,
      english.t(
        'Write an amount with its currency, such as "20 USD", or a number of images, such as "20 images".',
      ),
    ),
    v.transform((text) => limitsIn(text) ?? []),
  ),
);

const budget = v.pipe(noList, v.strictObject({ day: limits, month: limits, agentsDay: limits }));

/**
 * Limits on what may be spent per day and month, and per day by agents. All limits of a period hold: one in a currency
 * for what has a price in it, one in images for every image. A run that none of them measures exceeds them.
 */
export type Budget = v.InferOutput<typeof budget>;

export type Period = keyof Budget;

/** A run that would exceed a limit of a period; amounts are in its unit. */
export interface OverLimit {
  period: Period;
  limit: Amount;
  /** The cost of the run. */
  run: number;
  /** The amount spent; `mostSpent` includes what may have been or may still be billed. */
  spent: number;
  mostSpent: number;
}

/** A run that no limit of a period measures. */
export interface Unmeasured {
  period: Period;
  limits: readonly Amount[];
  model: string;
  /** The currency of its price: empty if it names none, `imagesUnit` without a price. */
  unit: string;
}

export type Excess = OverLimit | Unmeasured;

/** Reads the limits of a period: "20 USD", or several with commas between them. */
export function limitsIn(text: string): Amount[] | undefined {
  const read = text.split(',').map(readAmount);
  return read.every((one) => one !== undefined) ? read : undefined;
}

/**
 * Reads the value of `limner.budget`. An invalid one allows nothing, rather than everything.
 *
 * @throws LimnerError `over_budget`
 */
export function readBudget(value: unknown): Budget {
  const parsed = v.safeParse(budget, value);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const message = english.t(
      "The budget can't be read: {0}: {1}",
      v.getDotPath(issue) ?? 'value',
      issue.message,
    );
    throw new LimnerError('over_budget', message, notSent);
  }
  return parsed.output;
}

/**
 * Returns the first limit that a run would exceed, counting what may have been billed; or else the first period that
 * can't measure it.
 *
 * @param now in Unix milliseconds; days and months are those of the local time zone
 * @param since returns the tasks ordered since a time
 */
export function findExcess(
  budget: Budget,
  run: readonly TaskRequest[],
  now: number,
  since: (time: number) => readonly CostGroup[],
): Excess | undefined {
  const costs = run.map(costAhead);
  const isByAgent = run.some(({ startedBy }) => startedBy === 'agent');
  const counting = periodsAt(now).filter(({ period }) => period !== 'agentsDay' || isByAgent);
  for (const { period, start } of counting) {
    const spent = spentSince(period, start, since);
    for (const limit of budget[period] ?? []) {
      const { about } = spentIn(limit.unit, costs);
      const { about: before, atMost } = spentIn(limit.unit, spent);
      if (about > 0 && isMore(atMost + about, limit.amount)) {
        return { period, limit, run: about, spent: before, mostSpent: atMost };
      }
    }
  }
  for (const { period } of counting) {
    const limits = budget[period];
    const unmeasured = limits && run.find((request) => !isMeasured(request, limits));
    if (unmeasured) {
      return { period, limits, model: unmeasured.model, unit: costAhead(unmeasured)?.unit ?? '' };
    }
  }
  return undefined;
}

/** Returns what is left of each limit, in its unit, counting what may have been billed. Parameters as `findExcess`. */
export function budgetLeft(
  budget: Budget,
  now: number,
  since: (time: number) => readonly CostGroup[],
): { period: Period; limit: Amount; left: number }[] {
  return periodsAt(now).flatMap(({ period, start }) => {
    const spent = spentSince(period, start, since);
    return (budget[period] ?? []).map((limit) => ({
      period,
      limit,
      left: Math.max(0, limit.amount - spentIn(limit.unit, spent).atMost),
    }));
  });
}

function periodsAt(now: number): { period: Period; start: number }[] {
  return [
    { period: 'agentsDay', start: startOfDay(now) },
    { period: 'day', start: startOfDay(now) },
    { period: 'month', start: startOfMonth(now) },
  ];
}

function spentSince(
  period: Period,
  start: number,
  since: (time: number) => readonly CostGroup[],
): (Spending | undefined)[] {
  return since(start)
    .filter(({ facts }) => period !== 'agentsDay' || facts.isByAgent)
    .map(spendingOf);
}

/** Whether a request is free, or one of the limits is in its currency or in images. */
export function isMeasured(request: TaskRequest, limits: readonly Amount[]): boolean {
  const cost = costAhead(request);
  return !cost || cost.about === 0 || limits.some(({ unit }) => unit === imagesUnit || unit === cost.unit);
}

/** Adds up spending in the unit of a limit: what was spent in its currency, or all images. */
export function spentIn(unit: string, spendings: readonly (Spending | undefined)[]): Omit<Cost, 'unit'> {
  const counted = spendings.flatMap((one) => (one && (unit === imagesUnit || unit === one.unit) ? one : []));
  const sum = (of: (one: Spending) => number): number => counted.reduce((all, one) => all + of(one), 0);
  return unit === imagesUnit
    ? { about: sum((one) => one.billed), atMost: sum((one) => one.mostBilled) }
    : { about: sum((one) => one.about), atMost: sum((one) => one.atMost) };
}

function limitText(period: Period, amounts: string): string {
  switch (period) {
    case 'day':
      return english.t('The budget for a day is {0}.', amounts);
    case 'month':
      return english.t('The budget for a month is {0}.', amounts);
    case 'agentsDay':
      return english.t('The budget of agents for a day is {0}.', amounts);
  }
}

/** Returns the error of a run that exceeds the budget, with a sentence for each fact. */
export function overBudget(excess: Excess): LimnerError {
  const { period } = excess;
  const limits = 'limit' in excess ? [excess.limit] : excess.limits;
  const amounts = limits.map(({ amount, unit }) => amountText(amount, unit)).join(', ');
  return new LimnerError(
    'over_budget',
    `${limitText(period, amounts)} ${'limit' in excess ? overLimit(excess) : unmeasured(excess)}`,
    notSent,
  );
}

function overLimit({ period, limit: { unit }, run, spent, mostSpent }: OverLimit): string {
  const say = (amount: number): string => amountText(amount, unit);
  const more = isMore(mostSpent, spent) ? say(mostSpent - spent) : undefined;
  const isMonth = period === 'month';
  const soFar =
    more === undefined
      ? isMonth
        ? english.t('Spent this month: {0}.', say(spent))
        : english.t('Spent today: {0}.', say(spent))
      : isMonth
        ? english.t('Spent this month: {0}, and up to {1} more.', say(spent), more)
        : english.t('Spent today: {0}, and up to {1} more.', say(spent), more);
  return `${english.t('This run costs about {0}.', say(run))} ${soFar}`;
}

function unmeasured({ model, unit }: Unmeasured): string {
  if (unit === imagesUnit) {
    return english.t("It can't be compared with this run: {0} has no price.", model);
  }
  return unit === ''
    ? english.t("It can't be compared with this run: the price of {0} names no currency.", model)
    : english.t("It can't be compared with this run: the price of {0} is in {1}.", model, unit);
}

/** Returns the error of a run whose budget can't be checked, because part of the past spending is in another list. */
export function spendingUnknown(path: string, version: number | undefined): LimnerError {
  const message =
    version === undefined
      ? english.t(
          "What was spent isn't known: part of it is in {0}, a task list that can't be read now. Give access to that file, or move it away to do without it.",
          path,
        )
      : english.t(
          "What was spent isn't known: part of it is in {0}, a task list of version {1} that only a newer version of Limner can read. Update Limner, which takes it back, or move that file away to do without it.",
          path,
          version,
        );
  return new LimnerError('over_budget', message, notSent);
}

/** Formats an amount in English, without separators that mean a point elsewhere: "0.16 USD", "4 images". */
export function amountText(amount: number, unit: string): string {
  return unit === imagesUnit && amount === 1 ? '1 image' : moneyText(amount, unit, 'en').replaceAll(',', '');
}
