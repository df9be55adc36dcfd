import { LimnerError } from '../common/limnerError.ts';
import { isThisMachine } from './http/hosts.ts';

/**
 * Whether the API key may be sent there: encrypted, to this machine, or where a person allowed it to go in the clear.
 * Only the requests of `ImageService` carry a key, each to the origin that the key belongs to. Who reads a key is listed
 * in `src/tasks/keyRing.ts`.
 *
 * @param confirmed origins that were allowed
 */
export function mayCarryKey(url: URL, confirmed: readonly string[] = []): boolean {
  return url.protocol === 'https:' || isThisMachine(url) || confirmed.includes(url.origin);
}

/** @throws LimnerError `no_service` for an address that may not get the key */
export function requireKeyMayGo(url: URL, confirmed: readonly string[] | undefined): void {
  if (!mayCarryKey(url, confirmed)) {
    throw new LimnerError(
      'no_service',
      `The API key would be sent to ${url.origin} unencrypted, which wasn't confirmed.`,
      { billing: 'no' },
    );
  }
}

/**
 * Returns a key without the blanks around it.
 *
 * @throws LimnerError `no_key` for one that is missing or that no request could carry
 */
export function checkedKey(apiKey: string): string {
  const key = apiKey.trim();
  if (key === '') {
    throw new LimnerError('no_key', 'No API key is set for this service.', { billing: 'no' });
  }
  if (!/^[\x21-\x7e]+$/u.test(key)) {
    throw new LimnerError('no_key', "The API key contains characters that aren't allowed.", {
      billing: 'no',
    });
  }
  return key;
}
