import * as english from '../../common/english.ts';
import { LimnerError } from '../../common/limnerError.ts';
import type { Proxies } from './undiciTransport.ts';

/** The proxy variables for http and for https, as they are set. */
export type ProxyVariables = Record<'http' | 'https', { name: string; value: string } | undefined>;

/**
 * Returns the proxies of the usual variables, with or without a scheme.
 *
 * @throws LimnerError `invalid_request` for an invalid one; it names the variable and not its value, which may contain
 * a password
 */
export function readProxies({ http, https }: ProxyVariables): Proxies {
  const read = (variable: ProxyVariables['http']): string => {
    if (variable === undefined) {
      return '';
    }
    const { name, value } = variable;
    const address = addressOf(value);
    if (address === undefined) {
      throw new LimnerError(
        'invalid_request',
        english.t("{0} isn't a valid proxy URL, such as {1}.", name, 'http://host:3128'),
        { billing: 'no', sent: false },
      );
    }
    return address;
  };
  return { http: read(http), https: read(https) };
}

function addressOf(value: string): string | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//iu.test(value) ? value : `http://${value}`);
  if (url === null || !/^(?:https?|socks5?):/u.test(url.protocol)) {
    return undefined;
  }
  try {
    decodeURIComponent(url.username);
    decodeURIComponent(url.password);
    return url.href;
  } catch {
    return undefined;
  }
}
