import * as english from '../../common/english.ts';
import { LimnerError } from '../../common/limnerError.ts';
import { endpointsOf, checkedKey, mayCarryKey } from '../../service/http/endpoints.ts';
import type { Environment } from './environment.ts';
import { readProxies } from './proxies.ts';

/**
 * Returns the base URL of the environment once it is certain that a task could be sent there.
 *
 * @throws LimnerError `no_service` for a URL that is missing, invalid, or would get the key unencrypted; `no_key` for a
 * key that is missing or invalid; `invalid_request` for an invalid proxy
 */
export function requireService(environment: Environment): string {
  const { baseUrl, apiKey, keyProblem = unset('LIMNER_API_KEY') } = environment;
  if (baseUrl === undefined) {
    throw new LimnerError('no_service', unset('LIMNER_BASE_URL'), { billing: 'no' });
  }
  const { origin, generations } = endpointsOf(baseUrl);
  // Plain http needs a user's consent, which a command line cannot store: only this machine gets it.
  if (!mayCarryKey(generations)) {
    throw new LimnerError('no_service', english.t('The API key would be sent to {0} unencrypted.', origin), {
      billing: 'no',
    });
  }
  if (apiKey === undefined) {
    throw new LimnerError('no_key', keyProblem, { billing: 'no' });
  }
  checkedKey(apiKey);
  readProxies(environment.proxies);
  return baseUrl;
}

function unset(name: string): string {
  return english.t('{0} is not set.', name);
}
