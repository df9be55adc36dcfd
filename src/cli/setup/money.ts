import { type Price, type PriceList, imagePrice } from '../../service/terms/price.ts';
import { parsePrices, readBudget } from '../../engine/run/engine.ts';
import type { TaskRequest } from '../../engine/task/task.ts';
import type { Environment } from './environment.ts';
import { valid } from './valid.ts';

/** Returns the value of `LIMNER_BUDGET` for the engine, which refuses to send anything if it isn't valid. */
export function budgetOf({ budget = '{}' }: Environment): unknown {
  try {
    return JSON.parse(budget);
  } catch {
    return budget;
  }
}

/**
 * Returns what one image of a request costs, by `LIMNER_PRICES` or else by the entry of its model; undefined where it has
 * no price.
 *
 * @param listed the price in the entry
 * @throws LimnerError `invalid_request` if that or `LIMNER_BUDGET` isn't valid
 */
export function priceOf(
  request: Pick<TaskRequest, 'model' | 'size' | 'quality'>,
  environment: Environment,
  listed: PriceList | undefined,
): Price | undefined {
  valid('LIMNER_BUDGET', () => readBudget(budgetOf(environment)));
  const list = pricesOf(environment).get(request.model) ?? listed;
  return list === undefined ? undefined : imagePrice(list, request);
}

/** Returns the IDs of the models in `LIMNER_PRICES`. @throws LimnerError `invalid_request` if that isn't valid */
export function pricedModels(environment: Environment): string[] {
  return [...pricesOf(environment).keys()];
}

/** Returns the prices of `LIMNER_PRICES`, by model. @throws LimnerError `invalid_request` if that isn't valid */
export function pricesOf({ prices = '{}' }: Environment): Map<string, PriceList> {
  return new Map(Object.entries(valid('LIMNER_PRICES', () => parsePrices(JSON.parse(prices)))));
}
