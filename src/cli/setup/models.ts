import * as english from '../../common/english.ts';
import { type CallStyleSetting, callStyleSettings } from '../../common/requestValues.ts';
import { LimnerError } from '../../common/limnerError.ts';
import { mayHave, modelsAt, parseModels } from '../../engine/run/engine.ts';
import type { ModelEntry } from '../../service/terms/modelOptions.ts';
import type { Environment } from './environment.ts';
import { choiceText } from '../output/localFormats.ts';
import { pricesOf } from './money.ts';
import { valid } from './valid.ts';

/**
 * Returns the entries of `LIMNER_MODELS`, for all services.
 *
 * @throws LimnerError `invalid_request` if one of them isn't valid: it could cost money to go on without it
 */
function modelsIn({ models: text = '[]' }: Environment): ModelEntry[] {
  return valid('LIMNER_MODELS', () => {
    const { models, problems } = parseModels(JSON.parse(text), 'LIMNER_MODELS');
    if (problems.length > 0) {
      throw new Error(problems.join(' '));
    }
    return models;
  });
}

/** Returns the IDs of the models of the service in use. @throws LimnerError `invalid_request` if they aren't valid */
export function listedModels(environment: Environment): string[] {
  const { baseUrl } = environment;
  return baseUrl === undefined ? [] : modelsAt(modelsIn(environment), baseUrl).map(({ id }) => id);
}

/**
 * Returns the models of the service in use, with the prices that count. @throws LimnerError `invalid_request` if they
 * aren't valid
 */
export function pricedEntries(environment: Environment): ModelEntry[] {
  const { baseUrl, model } = environment;
  const listed = baseUrl === undefined ? [] : modelsAt(modelsIn(environment), baseUrl);
  const prices = pricesOf(environment);
  const ids = new Set([
    ...listed.map(({ id }) => id),
    ...prices.keys(),
    ...(model === undefined ? [] : [model]),
  ]);
  return [...ids].map((id) => {
    const entry: ModelEntry = listed.find((one) => one.id === id) ?? { id, family: 'image' };
    return Object.assign(entry, { price: prices.get(id) ?? entry.price });
  });
}

/** Returns the model that is used unless another is named: the one that is set, or else the only one of the service. */
export function usualModel(environment: Environment, baseUrl: string): string | undefined {
  const [only, ...others] = modelsAt(modelsIn(environment), baseUrl);
  return environment.model ?? (others.length === 0 ? only?.id : undefined);
}

/**
 * Returns the model that is meant: the one asked for, the one set, the only one there is; with its entry if it has one.
 *
 * @throws LimnerError `invalid_request` where there is none, `LIMNER_MODELS` isn't valid, or has it for other services only
 */
export function modelMeant(
  asked: string | undefined,
  environment: Environment,
  baseUrl: string,
): { id: string; entry: ModelEntry | undefined } {
  const all = modelsIn(environment);
  const listed = modelsAt(all, baseUrl);
  const id = asked ?? usualModel(environment, baseUrl);
  if (id === undefined) {
    throw new LimnerError(
      'invalid_request',
      english.t('No model is set. Use {0} or {1}.', '--model', 'LIMNER_MODEL'),
      { billing: 'no' },
    );
  }
  if (!mayHave(baseUrl, id, all)) {
    throw new LimnerError(
      'invalid_request',
      english.t(
        '{0} lists {1} for another service than {2}. Use another model, or change its "service".',
        'LIMNER_MODELS',
        id,
        baseUrl,
      ),
      { billing: 'no' },
    );
  }
  return { id, entry: listed.find((one) => one.id === id) };
}

/**
 * Returns how requests are sent: as the options say, or else as `LIMNER_CALL_STYLE` does.
 *
 * @throws LimnerError `invalid_request` for a style that there is not
 */
export function callStyleMeant(
  asked: CallStyleSetting,
  { callStyle = 'auto' }: Pick<Environment, 'callStyle'>,
): CallStyleSetting {
  if (asked !== 'auto') {
    return asked;
  }
  return valid('LIMNER_CALL_STYLE', () => {
    const style = callStyleSettings.find((one) => one === callStyle);
    if (style === undefined) {
      throw new Error(english.t('Use one of {0}.', choiceText(callStyleSettings)));
    }
    return style;
  });
}
