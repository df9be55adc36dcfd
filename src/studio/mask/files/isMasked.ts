import { canHaveMask, fitted } from '../model/maskHistory.ts';
import { inputsOf } from '../../store/studioStore.ts';
import type { WorkState } from '../../store/studioStore.ts';

/** Whether something is painted on the first input image. */
export function isMasked(state: WorkState): boolean {
  const inputs = inputsOf(state);
  return inputs.length > 0 && canHaveMask(fitted(state.draft.mask, inputs));
}
