import { type CallStyleSetting, callStyleSettings } from '../../common/callStyle.ts';
import { LimnerError } from '../../common/limnerError.ts';
import { modelsAt, parseModels } from '../../engine.ts';
import type { ModelEntry } from '../../service/modelOptions.ts';
import type { Environment } from './environment.ts';
import { valid } from './valid.ts';

/**
 * Returns the entries of `LIMNER_MODELS` for a service.
 *
 * @throws LimnerError `invalid_request` if one of them isn't valid: it could cost money to go on without it
 */
function modelsIn({ models: text = '[]' }: Environment, baseUrl: string): ModelEntry[] {
  return valid('LIMNER_MODELS', () => {
    const { models, problems } = parseModels(JSON.parse(text), 'LIMNER_MODELS');
    if (problems.length > 0) {
      throw new Error(problems.join(' '));
    }
    return modelsAt(models, baseUrl);
  });
}

/** Returns the IDs of the models of the service in use. @throws LimnerError `invalid_request` if they aren't valid */
export function listedModels(environment: Environment): string[] {
  const { baseUrl } = environment;
  return baseUrl === undefined ? [] : modelsIn(environment, baseUrl).map(({ id }) => id);
}

/**
 * Returns the model that is meant: the one asked for, the one set, the only one there is; with its entry if it has one.
 *
 * @throws LimnerError `invalid_request` where there is none, or `LIMNER_MODELS` isn't valid
 */
export function modelMeant(
  asked: string | undefined,
  environment: Environment,
  baseUrl: string,
): { id: string; entry: ModelEntry | undefined } {
  const listed = modelsIn(environment, baseUrl);
  const id = asked ?? environment.model ?? (listed.length === 1 ? listed[0]?.id : undefined);
  if (id === undefined) {
    throw new LimnerError('invalid_request', 'No model is set. Use --model or LIMNER_MODEL.', {
      billing: 'no',
    });
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
      throw new Error(`Use one of ${callStyleSettings.join(', ')}.`);
    }
    return style;
  });
}
