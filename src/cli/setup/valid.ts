import { LimnerError, messageOf } from '../../common/limnerError.ts';

/**
 * Reads an environment variable.
 *
 * @throws LimnerError `invalid_request`, which names the variable, if `read` throws
 */
export function valid<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new LimnerError('invalid_request', `${name} isn't valid. ${messageOf(error)}`, {
      billing: 'no',
      cause: error,
    });
  }
}
