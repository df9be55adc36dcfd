import * as l10n from '@vscode/l10n';
import { LimnerError, messageOf } from '../../common/limnerError.ts';
import { forUser, inEnglish } from '../output/twoLanguages.ts';

/**
 * Reads an environment variable.
 *
 * @throws LimnerError `invalid_request`, which names the variable, if `read` throws
 */
export function valid<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const message = inEnglish(() => l10n.t("{0} isn't valid. {1}", name, forUser(messageOf(error))));
    throw new LimnerError('invalid_request', message, { billing: 'no', cause: error });
  }
}
