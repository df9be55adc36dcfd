import * as english from '../../common/english.ts';
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
    const message = english.t("{0} isn't valid. {1}", name, messageOf(error));
    throw new LimnerError('invalid_request', message, { billing: 'no', cause: error });
  }
}
