import type { ErrorRecord } from '../../common/limnerError.ts';
import { isTerminal } from '../../common/taskStatus.ts';
import { type Cost, imagesUnit, isMore } from '../../service/terms/price.ts';
import { amountText } from '../../engine/task/budget.ts';
import { addUp, type BilledImages, billedImages, costFacts, spendingOf } from '../../engine/task/spending.ts';
import type { Task } from '../../engine/task/task.ts';

const outcomes: Record<NonNullable<ErrorRecord['billing']>, string> = {
  no: 'nothing was billed.',
  refunded: 'refunded.',
  maybe: 'it may have been billed.',
  yes: 'it was billed.',
};

/** Says what the tasks of one call cost together, as far as that is known. The call reports on the last of them. */
export function billText(tasks: readonly Task[]): string {
  const task = tasks.at(-1);
  if (!task || task.request.free) {
    return 'Cost: none. The built-in demo service is free.';
  }
  const money = [...addUp(tasks.map((one) => spendingOf({ facts: costFacts(one), tasks: 1 }))).values()]
    .filter(({ unit, atMost }) => unit !== imagesUnit && atMost > 0)
    .map(moneyOf);
  const images = `Cost: ${imagesText(task, tasks)}${tokensText(task)}`;
  return money.length > 0 ? `${images} That is ${money.join(' and ')}.` : images;
}

export function refusalCost(billing: NonNullable<ErrorRecord['billing']>): string {
  return billing === 'no' ? 'Cost: none. Nothing was sent.' : `Cost: ${outcomes[billing]}`;
}

function imagesText(last: Task, tasks: readonly Task[]): string {
  const bills = tasks.map((task) => billedImages(costFacts(task)));
  const { billed, mostBilled } = bills.reduce(addImages, { billed: 0, mostBilled: 0 });
  const more = mostBilled - billed;
  if (mostBilled === 0) {
    return last.held ? 'none so far. The task was not sent.' : outcomes[last.error?.billing ?? 'no'];
  }
  const mayStillBe = !isTerminal(last.status) || last.status === 'stopped';
  const may = mayStillBe ? 'may bill' : 'may have billed';
  if (billed === 0) {
    return `the service ${may} ${counted(more)}.`;
  }
  return `the service bills ${counted(billed)}${more > 0 ? `, and ${may} ${counted(more)} more` : ''}.`;
}

function addImages(one: BilledImages, other: BilledImages): BilledImages {
  return { billed: one.billed + other.billed, mostBilled: one.mostBilled + other.mostBilled };
}

function tokensText({ usage = {} }: Task): string {
  const tokens = Object.entries(usage).map(([name, value]) => `${name} ${value}`);
  return tokens.length > 0 ? ` Tokens: ${tokens.join(', ')}.` : '';
}

function moneyOf({ about, atMost, unit }: Cost): string {
  const most = `up to ${amountText(atMost, unit)}`;
  if (about === 0) {
    return most;
  }
  const text = `about ${amountText(about, unit)}`;
  return isMore(atMost, about) ? `${text}, ${most}` : text;
}

function counted(images: number): string {
  return images === 1 ? '1 image' : `${images} images`;
}
