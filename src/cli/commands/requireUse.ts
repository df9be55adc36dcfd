import { LimnerError } from '../../common/limnerError.ts';
import type { FinishWishes } from '../../images/formats/finishWishes.ts';

/** @throws LimnerError `invalid_request` for options that the chosen fit makes no use of */
export function requireUse({ fit, focus, fill }: FinishWishes): void {
  if (focus && fit !== 'crop') {
    throw new LimnerError('invalid_request', 'Use --focus with --fit crop.', { billing: 'no' });
  }
  if (fill !== undefined && fit !== 'pad') {
    throw new LimnerError('invalid_request', 'Use --fill with --fit pad.', { billing: 'no' });
  }
}
