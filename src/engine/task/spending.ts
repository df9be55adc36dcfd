import type { Billing } from '../../common/limnerError.ts';
import { type Cost, currencyOf, imagesUnit, moneyText, type Price } from '../../service/terms/price.ts';
import { isTerminal, type TaskStatus } from '../../common/taskStatus.ts';
import { imageCount } from './twoBackgrounds.ts';
import type { Task, TaskRequest } from './task.ts';

/** The facts about a task that determine its bill, and those that it is grouped by. */
export interface CostFacts {
  status: TaskStatus;
  /** It waits for the user to send it. */
  isHeld: boolean;
  /** Requested images. */
  n: number;
  /** Images that the service returned. */
  returned: number;
  /** The service has completed it. */
  isComplete: boolean;
  /** The billing state of its error. */
  billing: Billing | undefined;
  /** Its image begins a second task. */
  isSecondDue: boolean;
  isFree: boolean;
  /** Per image, at the time the task was sent. */
  price: Price | undefined;
  model: string;
  service: string;
  isByAgent: boolean;
}

/** Images that were billed; `mostBilled` includes those that may have been or may still be. */
export interface BilledImages {
  billed: number;
  mostBilled: number;
}

/** The cost of tasks, in images and in their common unit. */
export interface Spending extends BilledImages, Cost {}

/** Tasks with the same facts about their bill. */
export interface CostGroup {
  facts: CostFacts;
  tasks: number;
}

export function costFacts({ status, held, origin, results, request, error, completedAt }: Task): CostFacts {
  return {
    status,
    isHeld: held === true,
    n: request.n,
    returned: results.length,
    isComplete: completedAt !== undefined,
    billing: error?.billing,
    isSecondDue: request.onBlack !== undefined && !results.some(({ onBlack }) => onBlack?.begun),
    isFree: request.free === true,
    price: request.price,
    model: request.model,
    service: origin,
    isByAgent: request.startedBy === 'agent',
  };
}

/**
 * Returns how many images of a task are billed. Running tasks and unknown outcomes may be billed; requests that were
 * never sent, were refused, or failed at the service are not. A free service only counts if a user gave its model a
 * price.
 */
export function billedImages(facts: CostFacts): BilledImages {
  const { status, n, returned, billing, isComplete } = facts;
  if (facts.isHeld || (facts.isFree && !facts.price)) {
    return { billed: 0, mostBilled: 0 };
  }
  // A service may or may not bill the surplus that it lists, which may even be duplicates.
  const [billed, most] = [Math.min(n, returned), Math.max(n, returned)];
  if (!isTerminal(status)) {
    const isKnown = isComplete && billing !== 'maybe';
    return { billed, mostBilled: (isKnown ? returned : most) + (facts.isSecondDue ? n : 0) };
  }
  switch (billing) {
    case 'no':
    case 'refunded':
      return { billed, mostBilled: returned };
    case 'yes':
      return returned === 0
        ? { billed: n, mostBilled: n }
        : { billed, mostBilled: isComplete && status !== 'completed' ? returned : most };
    case 'maybe':
      return { billed, mostBilled: most };
    case undefined:
      return { billed, mostBilled: isComplete ? returned : most };
  }
}

/** Returns how many images were made for a task, or may have been or still be, billed or not. */
export function imagesMade(facts: CostFacts): number {
  return billedImages({ ...facts, isFree: false }).mostBilled;
}

export function spendingOf({ facts, tasks }: CostGroup): Spending {
  const { billed, mostBilled } = billedImages(facts);
  return spend({ billed: billed * tasks, mostBilled: mostBilled * tasks }, facts.price);
}

export function costOf(task: Task): Cost {
  const { about, atMost, unit } = spendingOf({ facts: costFacts(task), tasks: 1 });
  return { about, atMost, unit };
}

/** A request, or what is known of it before it is built. */
export type RunAhead = Pick<TaskRequest, 'n' | 'onBlack' | 'price' | 'free'>;

/** Returns the cost of a request; undefined if it is free. */
export function costAhead(request: RunAhead): Spending | undefined {
  const images = imageCount(request);
  return request.free && !request.price
    ? undefined
    : spend({ billed: images, mostBilled: images }, request.price);
}

/** The images and the cost of several runs. */
export interface BillAhead {
  images: number;
  isFree: boolean;
  /** The expected sums, one for each currency. */
  money: string[];
  /** Whether all images that aren't free have a price. */
  isPriced: boolean;
}

export function billAhead(runs: readonly RunAhead[], language = 'en'): BillAhead {
  const costs = [...addUp(runs.map(costAhead)).values()];
  const priced = costs.filter(({ unit }) => unit !== imagesUnit);
  return {
    images: runs.reduce((sum, run) => sum + imageCount(run), 0),
    isFree: costs.length === 0,
    money: priced.map(({ about, unit }) => moneyText(about, unit, language)),
    isPriced: priced.length === costs.length,
  };
}

/** Adds up the spending for each unit, in the order of first appearance. */
export function addUp(spendings: Iterable<Spending | undefined>): Map<string, Spending> {
  const sums = new Map<string, Spending>();
  for (const one of spendings) {
    if (one) {
      const sum = sums.get(one.unit) ?? spend({ billed: 0, mostBilled: 0 }, undefined);
      sums.set(one.unit, {
        unit: one.unit,
        billed: sum.billed + one.billed,
        mostBilled: sum.mostBilled + one.mostBilled,
        about: sum.about + one.about,
        atMost: sum.atMost + one.atMost,
      });
    }
  }
  return sums;
}

function spend({ billed, mostBilled }: BilledImages, price: Price | undefined): Spending {
  const { amount } = price ?? { amount: 1 };
  const unit = price ? currencyOf(price.currency) : imagesUnit;
  return { billed, mostBilled, about: billed * amount, atMost: mostBilled * amount, unit };
}
