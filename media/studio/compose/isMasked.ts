import { canHaveMask, fitted } from '../mask/history.ts';
import { inputsOf } from '../work.ts';
import type { WorkState } from '../work.ts';

/** Whether something is painted on the first input image. */
export function isMasked(state: WorkState): boolean {
  const [input] = inputsOf(state);
  return input !== undefined && canHaveMask(fitted(state.draft.mask, input));
}
