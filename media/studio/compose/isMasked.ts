import { canHaveMask, fitted } from '../mask/history.ts';
import { inputsOf } from '../work.ts';
import type { WorkState } from '../work.ts';

/** Whether something is painted on the first input image. */
export function isMasked(state: WorkState): boolean {
  const inputs = inputsOf(state);
  return inputs.length > 0 && canHaveMask(fitted(state.draft.mask, inputs));
}
