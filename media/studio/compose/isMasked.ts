import type { Draft } from '../../../src/studio/draft.ts';

/** Whether something was painted on the first input image and not taken back. */
export function isMasked({ inputs, mask }: Pick<Draft, 'inputs' | 'mask'>): boolean {
  return inputs.length > 0 && mask.done > 0 && mask.operations[mask.done - 1]?.kind !== 'clear';
}
