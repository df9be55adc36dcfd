// Room: what tasks cost, and whether more may be spent.
// Never: SQL, words for people other than errors.

import type { Billing } from '../../common/limnerError.ts';
import { type Cost, imagesUnit, type Price } from '../../service/price.ts';
import { isTerminal, type TaskStatus } from '../../common/taskStatus.ts';
import { imageCount } from '../files/onTwoGrounds.ts';
import type { Task, TaskRequest } from '../task.ts';

/** What the bill of a task depends on, and what it is listed by. */
export interface CostFacts {
  status: TaskStatus;
  /** It waits for a person to send it. */
  isHeld: boolean;
  /** Images that were asked for. */
  n: number;
  /** Images that the service returned. */
  returned: number;
  /** The service was seen to have completed it. */
  isComplete: boolean;
  /** What its error says about the bill. */
  billing: Billing | undefined;
  /** A second task begins with its image. */
  isSecondDue: boolean;
  isFree: boolean;
  /** Of one image, as it was when the task was sent. */
  price: Price | undefined;
  model: string;
  /** Origin of the service. */
  service: string;
  isByAgent: boolean;
}

/** Images that were billed, and at most: with those that may have been, or may still be. */
export interface BilledImages {
  billed: number;
  mostBilled: number;
}

/** What tasks cost, in images and in the one unit that all of them have. */
export interface Spending extends BilledImages, Cost {}

/** Tasks that are alike in everything that matters for the bill. */
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
 * Returns how many images of a task are on the bill. What is under way may be, and what nobody knows the outcome of;
 * what was never sent, was refused, or failed at the service is not. A free service counts only where a person gave its
 * model a price.
 */
export function billedImages(facts: CostFacts): BilledImages {
  const { status, n, returned, billing, isComplete } = facts;
  if (facts.isHeld || (facts.isFree && !facts.price)) {
    return { billed: 0, mostBilled: 0 };
  }
  // What a service lists beyond what was asked for, perhaps twice, it may bill or not.
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

/** Returns how many images were made for a task, or may have been or still be, whether they are on a bill or not. */
export function imagesMade(facts: CostFacts): number {
  return billedImages({ ...facts, isFree: false }).mostBilled;
}

/** Returns what tasks cost that are alike. */
export function spendingOf({ facts, tasks }: CostGroup): Spending {
  const { billed, mostBilled } = billedImages(facts);
  return spend({ billed: billed * tasks, mostBilled: mostBilled * tasks }, facts.price);
}

/** Returns what a task costs, as far as that is known. */
export function costOf(task: Task): Cost {
  const { about, atMost, unit } = spendingOf({ facts: costFacts(task), tasks: 1 });
  return { about, atMost, unit };
}

/** Returns what a request would cost; undefined where it is free. */
export function costAhead(request: TaskRequest): Spending | undefined {
  const images = imageCount(request);
  return request.free && !request.price
    ? undefined
    : spend({ billed: images, mostBilled: images }, request.price);
}

/** Adds up what was spent in each unit; the order is that of the first in each. */
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
  const { amount, currency } = price ?? { amount: 1, currency: imagesUnit };
  return { billed, mostBilled, about: billed * amount, atMost: mostBilled * amount, unit: currency };
}
